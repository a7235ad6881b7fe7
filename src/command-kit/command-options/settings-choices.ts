import type { TextKey } from '../../i18n/translator.ts';

export const settingsChoices = {
  /** Languages by their own names. `reader`: each reader's own language. */
  language: {
    reader: 'settings.language.reader',
    de: 'language.de',
    'en-GB': 'language.en-GB',
    'en-US': 'language.en-US',
    'es-ES': 'language.es-ES',
    'es-419': 'language.es-419',
    fr: 'language.fr',
    it: 'language.it',
    nl: 'language.nl',
    pl: 'language.pl',
    'pt-BR': 'language.pt-BR',
    tr: 'language.tr',
    ru: 'language.ru',
  },
  /** `driver`: as the asker's driver has it in the game. */
  distances: {
    kilometres: 'settings.distances.kilometres',
    miles: 'settings.distances.miles',
    driver: 'settings.distances.driver',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, TextKey>>>>;
