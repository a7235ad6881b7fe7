/** The languages (BCP 47) in which the bot can be asked, each by its own name. The page itself speaks English. */
export const languages = {
  'en-GB': 'English (UK)',
  'en-US': 'English (US)',
  de: 'Deutsch',
  'es-ES': 'Español',
  'es-419': 'Español (Latinoamérica)',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  'pt-BR': 'Português (Brasil)',
  ru: 'Русский',
  tr: 'Türkçe',
} as const;

export type Language = keyof typeof languages;

/** The first of the wanted ones (BCP 47) that the bot speaks, in another region's form if need be; else English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const locale of wanted) {
    if (isLanguage(locale)) return locale;
    const [own] = locale.split('-');
    const kin = Object.keys(languages)
      .filter(isLanguage)
      .find((language) => language.split('-')[0] === own);
    if (kin !== undefined) return kin;
  }
  return 'en-GB';
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(languages, name);
}
