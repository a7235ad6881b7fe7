/**
 * The supported languages, as Discord names them (BCP 47), each by its own name. This is the only list of them. Regions
 * of one language share its texts, and write numbers and dates as they do at home.
 */
export const languageNames = {
  'en-GB': 'English (British)',
  'en-US': 'English (American)',
  de: 'Deutsch',
  tr: 'Türkçe',
  pl: 'Polski',
  fr: 'Français',
  nl: 'Nederlands',
  'es-ES': 'Español (España)',
  'es-419': 'Español (Latinoamérica)',
  'pt-BR': 'Português (Brasil)',
  it: 'Italiano',
  ru: 'Русский',
} as const;
export type Language = keyof typeof languageNames;

export const languages = Object.keys(languageNames).filter(isLanguage);

export function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(languageNames, tag);
}
