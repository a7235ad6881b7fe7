import type { TextKey } from '../../i18n/translator.ts';

export const settingsChoices = {
  /** Languages by their own names. `reader`: each reader's own language. */
  language: {
    reader: 'settings.language.reader',
    de: 'settings.language.de',
    'en-GB': 'settings.language.en-GB',
    'en-US': 'settings.language.en-US',
    'es-ES': 'settings.language.es-ES',
    'es-419': 'settings.language.es-419',
    fr: 'settings.language.fr',
    it: 'settings.language.it',
    nl: 'settings.language.nl',
    pl: 'settings.language.pl',
    'pt-BR': 'settings.language.pt-BR',
    tr: 'settings.language.tr',
    ru: 'settings.language.ru',
  },
  /** `driver`: as the asker's driver has it in the game. */
  distances: {
    kilometres: 'settings.distances.kilometres',
    miles: 'settings.distances.miles',
    driver: 'settings.distances.driver',
  },
  refresh: {
    everyone: 'settings.refresh.everyone',
    asker: 'settings.refresh.asker',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, TextKey>>>>;
