import type { Texts } from './catalogue.ts';
import { createReader, type Reader } from './reader.ts';

interface Offered {
  /** In the language itself. */
  readonly name: string;
  /** Read when somebody reads the language. */
  readonly texts: () => Promise<Texts>;
}

const english = () => import('./locales/en.ts').then(({ en }) => en);

/** The page's languages, as Discord names them (BCP 47). */
const offered = {
  'en-GB': { name: 'English (UK)', texts: english },
  'en-US': { name: 'English (US)', texts: english },
  de: { name: 'Deutsch', texts: () => import('./locales/de.ts').then(({ de }) => de) },
  'es-ES': { name: 'Español', texts: () => import('./locales/es.ts').then(({ es }) => es) },
  fr: { name: 'Français', texts: () => import('./locales/fr.ts').then(({ fr }) => fr) },
  it: { name: 'Italiano', texts: () => import('./locales/it.ts').then(({ it }) => it) },
  nl: { name: 'Nederlands', texts: () => import('./locales/nl.ts').then(({ nl }) => nl) },
  pl: { name: 'Polski', texts: () => import('./locales/pl.ts').then(({ pl }) => pl) },
  'pt-BR': { name: 'Português (Brasil)', texts: () => import('./locales/pt.ts').then(({ pt }) => pt) },
  ru: { name: 'Русский', texts: () => import('./locales/ru.ts').then(({ ru }) => ru) },
  tr: { name: 'Türkçe', texts: () => import('./locales/tr.ts').then(({ tr }) => tr) },
} satisfies Record<string, Offered>;

export type Language = keyof typeof offered;

/** For a menu: each by its own name. */
export const languages = Object.keys(offered)
  .filter(isLanguage)
  .map((language) => ({ language, name: offered[language].name }));

/** The first of the wanted ones (BCP 47) that the page speaks, in another region's form if need be; else English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const locale of wanted) {
    if (isLanguage(locale)) return locale;
    const [own] = locale.split('-');
    const kin = languages.find(({ language }) => language.split('-')[0] === own);
    if (kin !== undefined) return kin.language;
  }
  return 'en-GB';
}

export async function readerOf(language: Language): Promise<Reader> {
  const texts = await offered[language].texts();
  return language === 'en-US'
    ? createReader(language, texts, (text) => text.replaceAll('icence', 'icense'))
    : createReader(language, texts);
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(offered, name);
}
