/** IANA zones by language (BCP 47): where most of its speakers live. */
const ZONES: Readonly<Record<string, string>> = {
  'en-US': 'America/New_York',
  de: 'Europe/Berlin',
  tr: 'Europe/Istanbul',
  pl: 'Europe/Warsaw',
  fr: 'Europe/Paris',
  nl: 'Europe/Amsterdam',
  es: 'Europe/Madrid',
  'es-419': 'America/Mexico_City',
  pt: 'America/Sao_Paulo',
  it: 'Europe/Rome',
  ru: 'Europe/Moscow',
};

/** The time zone assumed for a reader whose language alone is known. */
export function defaultZone(locale: string): string {
  return ZONES[locale] ?? ZONES[locale.split('-')[0] ?? ''] ?? 'Europe/London';
}
