/** The languages that people can read in, as chat calls them (BCP 47). This list is the one place that names them all. */
export const languages = ['en-GB', 'en-US', 'de', 'tr', 'pl', 'fr'] as const;
export type Language = (typeof languages)[number];
