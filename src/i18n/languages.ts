/** The supported languages, as Discord names them (BCP 47). This is the only list of them. */
export const languages = ['en-GB', 'en-US', 'de', 'tr', 'pl', 'fr'] as const;
export type Language = (typeof languages)[number];
