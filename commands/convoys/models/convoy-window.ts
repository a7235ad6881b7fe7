/** The day, the time and the time zone in the window of a convoy. */
import { readIsoTime } from '../../../src/base/calendar.ts';
import { DAY, MINUTE } from '../../../src/base/duration.ts';
import { isLanguage, type Language } from '../../../src/base/languages.ts';
import { dayOf, findZone, wallTime } from '../../../src/base/zone.ts';
import type { MenuChoices } from '../../../src/command-kit/form.ts';
import { zonedFormats } from '../../../src/i18n/zoned-formats.ts';
import { type Draft, MAX_LENGTHS } from './convoy.ts';
import { dayNamed, placeOf, plainTime, type Reader, readWhen } from './when.ts';

/** Discord lists 25 choices. */
const MAX_CHOICES = 25;
/** Length of "2026-12-04 ", in characters. */
const DAY_LENGTH = 11;
export const MAX_TIME_LENGTH = MAX_LENGTHS.when - DAY_LENGTH;

/** Zones of most people who read a language, likeliest first. */
const likelyZones: Readonly<Record<Language, readonly string[]>> = {
  'en-GB': ['Europe/London', 'Europe/Dublin'],
  'en-US': ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'],
  de: ['Europe/Berlin', 'Europe/Vienna', 'Europe/Zurich'],
  tr: ['Europe/Istanbul'],
  pl: ['Europe/Warsaw'],
  fr: ['Europe/Paris', 'Europe/Brussels', 'America/Toronto'],
  nl: ['Europe/Amsterdam', 'Europe/Brussels'],
  'es-ES': ['Europe/Madrid', 'Atlantic/Canary'],
  'es-419': ['America/Mexico_City', 'America/Bogota', 'America/Santiago', 'America/Buenos_Aires'],
  'pt-BR': ['America/Sao_Paulo', 'America/Manaus', 'Europe/Lisbon'],
  it: ['Europe/Rome'],
  ru: ['Europe/Moscow', 'Europe/Samara', 'Asia/Yekaterinburg', 'Asia/Novosibirsk'],
};

/** A zone for each offset that many people have, from west to east. */
const zonesByOffset = [
  ...['Pacific/Honolulu', 'America/Anchorage', 'America/Los_Angeles', 'America/Denver', 'America/Chicago'],
  ...['America/New_York', 'America/Halifax', 'America/Sao_Paulo', 'Europe/London', 'Europe/Berlin'],
  ...['Europe/Athens', 'Europe/Moscow', 'Asia/Dubai', 'Asia/Karachi', 'Asia/Kolkata', 'Asia/Bangkok'],
  ...['Asia/Shanghai', 'Asia/Tokyo', 'Australia/Sydney', 'Pacific/Auckland'],
];

/** Returns the next days by name and date, and the chosen one if it is later. Values are dates such as "2026-12-04". */
export function dayChoices(chosen: string | undefined, { locale, zone, now }: Reader): MenuChoices {
  const { shortDay } = zonedFormats(locale, 'UTC');
  const nearDays = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const today = dayOf(wallTime(zone, now));
  const days = Array.from({ length: MAX_CHOICES }, (_, ahead) => {
    const at = (today + ahead) * DAY;
    const name = ahead < 2 ? `${nearDays.format(ahead, 'day')} · ${shortDay(at)}` : shortDay(at);
    return { value: dateOf(at), label: name.charAt(0).toLocaleUpperCase(locale) + name.slice(1) };
  });
  if (chosen === undefined || days.some(({ value }) => value === chosen)) return days;
  return [...days.slice(0, -1), { value: chosen, label: shortDay(Date.parse(chosen)) }];
}

/** Returns the chosen zone, the likeliest ones, and others by offset, each with the time there now. */
export function zoneChoices(chosen: string | undefined, { locale, now }: Omit<Reader, 'zone'>): MenuChoices {
  const likely = isLanguage(locale) ? likelyZones[locale] : [];
  return [...new Set([...(chosen === undefined ? [] : [chosen]), ...likely, ...zonesByOffset])]
    .slice(0, MAX_CHOICES)
    .map((zone) => ({ value: zone, label: `${placeOf(zone)} · ${zonedFormats(locale, zone).time(now)}` }));
}

/** A time as the window shows it: a day, and a clock reading or what was typed. */
interface TimeParts {
  readonly day?: string;
  readonly time?: string;
}

/** Returns the parts of a draft's time in the reader's zone. A text that is no moment stays as it was typed. */
export function timeParts({ when, at }: Pick<Draft, 'when' | 'at'>, reader: Reader): TimeParts {
  if (at !== null) return partsOf(at, reader);
  const parts = splitWhen(when);
  return parts === null || Number.isNaN(Date.parse(parts.day)) ? typedParts(when, reader) : parts;
}

/** Returns the parts of a typed text: of its moment, or the day that it names, or the text itself as the time. */
export function typedParts(when: string, reader: Reader): TimeParts {
  const reading = readWhen(when, reader);
  if ('at' in reading) return partsOf(reading.at, reader);
  const { locale, zone, now } = reader;
  const named = dayNamed(plainTime(when, zone), dayOf(wallTime(zone, now)), locale);
  return named === null ? { time: when.slice(0, MAX_TIME_LENGTH) } : { day: dateOf(named.day * DAY) };
}

function partsOf(at: number, { locale, zone }: Reader): TimeParts {
  const minute = Math.floor(at / MINUTE) * MINUTE;
  return { day: dateOf(wallTime(zone, minute)), time: zonedFormats(locale, zone).time(minute) };
}

/** Returns the text of both parts. It is read like any other one. Empty: no day. */
export function whenOf({ day, time }: Readonly<Record<'day' | 'time', string>>): string {
  return `${day} ${time.trim()}`.trimStart();
}

/** Takes such a text apart again; null for one without a chosen day. */
export function splitWhen(when: string): { readonly day: string; readonly time: string } | null {
  const [, day, time = ''] = /^(\d{4}-\d\d-\d\d) (.*)$/su.exec(when) ?? [];
  return day === undefined ? null : { day, time };
}

/** True for a value that a menu of time zones can have. */
export function isZone(value: string): boolean {
  return findZone(value) !== null;
}

/** True for a value that a menu of days can have. */
export function isDay(value: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(value) && readIsoTime(value) !== null;
}

/** "2026-12-04". */
function dateOf(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}
