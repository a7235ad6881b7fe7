/**
 * English names of countries by locale and upper-case code. Empty here, where Intl knows them; in the bundle, whoever
 * speaks English alone needs no Intl: see `tools/build/bundled-countries.ts`.
 */
export const englishCountries: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
