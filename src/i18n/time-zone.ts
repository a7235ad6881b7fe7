import { memoised } from './memoised.ts';

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

const hours = memoised(
  (zone: string) => new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }),
);

/** The hour there, from 0 to 23. `at` in unix milliseconds. */
export function hourIn(zone: string, at: number): number {
  return Number(hours(zone).format(at));
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const days = memoised((zone: string) => new Intl.DateTimeFormat('en', { timeZone: zone, weekday: 'short' }));

/** The day of the week there, from 0 for Sunday. `at` in unix milliseconds. */
export function weekdayIn(zone: string, at: number): number {
  return DAYS.indexOf(days(zone).format(at));
}
