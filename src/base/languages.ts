/**
 * The supported languages, as Discord names them (BCP 47). This is the only list of them. Regions of one language
 * share its catalogue, and write numbers and dates as they do at home.
 */
export const languages = [
  'en-GB',
  'en-US',
  'de',
  'tr',
  'pl',
  'fr',
  'nl',
  'es-ES',
  'es-419',
  'pt-BR',
  'it',
  'ru',
] as const;
export type Language = (typeof languages)[number];
