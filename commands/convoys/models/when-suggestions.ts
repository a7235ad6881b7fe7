/** Moments to choose from while a time is typed. */
import { DAY, HOUR } from '../../../src/base/duration.ts';
import { dayOf, momentsOf, wallTime } from '../../../src/base/zone.ts';
import { momentInZone } from '../../../src/command-kit/command-options/time-zone.ts';
import type { Suggestion } from '../../../src/command-kit/option.ts';
import { zonedFormats } from '../../../src/i18n/zoned-formats.ts';
import {
  clockReadings,
  dayNamed,
  daysBegun,
  MAX_AHEAD_MS,
  placeOf,
  plainTime,
  type Reader,
  readWhen,
} from './when.ts';

/** Hours at which convoys begin, the usual one first, in ms since midnight. */
const USUAL_TIMES = [20, 21, 19, 18, 22].map((hour) => hour * HOUR);
/** Days that are offered if no day is typed, or only the beginning of its name. */
const MAX_DAYS = 7;
/** Discord lists 25 suggestions, of which the last is the typed text. */
const MAX_MOMENTS = 24;

/** Returns moments, named in the reader's language with the place of their zone; a value is that moment for everybody. */
export function suggestWhen(input: string, reader: Reader): readonly Suggestion[] {
  return likelyMoments(input, reader).map((at) => ({
    name: nameMoment(at, reader),
    value: momentInZone(at, reader.zone),
  }));
}

/** Returns a moment as clocks in the zone show it, with its place; with the offset too if they show it twice. */
export function nameMoment(at: number, { locale, zone }: Pick<Reader, 'locale' | 'zone'>): string {
  const isTwice = momentsOf(zone, wallTime(zone, at)).length > 1;
  const place = isTwice ? `${placeOf(zone)} ${offsetOf(zone, at)}` : placeOf(zone);
  return `${zonedFormats(locale, zone).moment(at)} · ${place}`;
}

/** Returns the moments at which a convoy can begin and that the text can mean, likeliest first. */
function likelyMoments(input: string, reader: Reader): readonly number[] {
  const { locale, zone, now } = reader;
  const answer = readWhen(input, reader);
  const ownMoments = 'at' in answer ? [answer.at] : [];
  // Another day would be another moment than the one that is typed.
  if ('at' in answer && !answer.isZoned) return ownMoments;
  const text = plainTime(input, zone);
  const today = dayOf(wallTime(zone, now));
  const days = (written: string): readonly number[] => {
    if (written === '') return Array.from({ length: MAX_DAYS }, (_, ahead) => today + ahead);
    const named = dayNamed(written, today, locale);
    if (named === null) return daysBegun(written, today, locale).slice(0, MAX_DAYS);
    return named.isWeekday ? [named.day, named.day + 7] : [named.day];
  };
  const typedTimes = clockReadings(text, locale).flatMap(({ times, rest }) =>
    // Of "8", the evening is likelier.
    days(rest).flatMap((day) => times.toReversed().map((time) => day * DAY + time)),
  );
  const usualTimes = days(text).flatMap((day) =>
    (text === '' ? USUAL_TIMES.slice(0, 1) : USUAL_TIMES).map((time) => day * DAY + time),
  );
  const moments = [...typedTimes, ...usualTimes].flatMap((wall) => momentsOf(zone, wall));
  return [...new Set([...ownMoments, ...moments])]
    .filter((at) => at > now && at <= now + MAX_AHEAD_MS)
    .slice(0, MAX_MOMENTS);
}

/** "GMT+2". */
function offsetOf(zone: string, at: number): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    timeZoneName: 'shortOffset',
  }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
