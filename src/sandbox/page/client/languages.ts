import { isLanguage, type Language, languages } from '../../../base/languages.ts';

/** The first of the wanted ones (BCP 47) that the bot speaks, in another region's form if need be; else English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const locale of wanted) {
    if (isLanguage(locale)) return locale;
    const [own] = locale.split('-');
    const kin = languages.find((language) => language.split('-')[0] === own);
    if (kin !== undefined) return kin;
  }
  return 'en-GB';
}
