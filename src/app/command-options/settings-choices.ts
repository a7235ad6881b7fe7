import type { TextKey } from '../../i18n/translator.ts';

export const settingsChoices = {
  /** `reader`: each reader's own. */
  language: {
    reader: 'settings.language.reader',
    'en-GB': 'settings.language.en-GB',
    'en-US': 'settings.language.en-US',
    de: 'settings.language.de',
    tr: 'settings.language.tr',
    pl: 'settings.language.pl',
    fr: 'settings.language.fr',
    nl: 'settings.language.nl',
    'es-ES': 'settings.language.es-ES',
    'es-419': 'settings.language.es-419',
    'pt-BR': 'settings.language.pt-BR',
    it: 'settings.language.it',
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
