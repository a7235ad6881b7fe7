import { languages } from '../../base/languages.ts';
import { createFormats } from '../../i18n/formats.ts';

const locales = languages.filter((locale) => locale.startsWith('en-'));

/** What `i18n/english-countries.ts` is replaced with in the bundle: the names that Node knows while it is built. */
export function bundledCountries(): string {
  const countries = Object.fromEntries(locales.map((locale) => [locale, namesIn(locale)]));
  return `export const englishCountries = ${JSON.stringify(countries)};`;
}

function namesIn(locale: string): Record<string, string> {
  const { country } = createFormats(locale);
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  return Object.fromEntries(codes.map((code) => [code, country(code)]).filter(([, name]) => name !== null));
}
