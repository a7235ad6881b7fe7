/** The day, the time and the zone of the window: what is shown is what is read, in ten languages and twelve time zones. */
import { describe, expect, test } from 'vitest';
import { MAX_LENGTHS } from '../../../../commands/convoys/models/convoy.ts';
import {
  dayChoices,
  MAX_TIME_LENGTH,
  timeParts,
  typedParts,
  whenOf,
  zoneChoices,
} from '../../../../commands/convoys/models/convoy-window.ts';
import { readWhen } from '../../../../commands/convoys/models/when.ts';
import { DAY } from '../../../../src/base/duration.ts';
import { languages } from '../../../../src/base/languages.ts';
import { dayOf, findZone, momentsOf, wallTime } from '../../../../src/base/zone.ts';
import { zonedFormats } from '../../../../src/i18n/zoned-formats.ts';

/** Zones with evenings before their clocks go back or forward, and around a new year. */
const evenings: Readonly<Record<string, readonly string[]>> = {
  UTC: ['2026-12-30T20:30Z'],
  'Europe/Berlin': ['2026-10-24T15:00Z', '2027-03-27T15:00Z'],
  'Europe/London': ['2026-10-24T15:00Z', '2027-03-27T15:00Z'],
  'Europe/Istanbul': ['2026-11-23T20:30Z'],
  'Europe/Moscow': ['2026-12-31T20:30Z'],
  'America/New_York': ['2026-10-31T18:00Z', '2027-03-13T22:00Z'],
  'America/Los_Angeles': ['2026-10-31T20:00Z', '2027-03-14T01:00Z'],
  'America/Sao_Paulo': ['2026-11-24T01:30Z'],
  'Asia/Kolkata': ['2026-11-23T11:30Z'],
  'Asia/Tokyo': ['2026-11-23T14:59Z'],
  'Australia/Lord_Howe': ['2027-04-03T08:00Z', '2026-10-03T08:00Z'],
  'Pacific/Auckland': ['2027-04-03T08:00Z', '2026-09-26T08:00Z'],
};
const MINUTES = [
  ['20:00', 1200],
  ['20:30', 1230],
  ['8 pm', 1200],
  ['20h30', 1230],
  ['2:30', 150],
  ['1:45', 105],
] as const;

describe.each(languages)('in %s', (locale) => {
  test('a day and a time are the moment that they show, both of two, skipped, or past', () => {
    for (const [zone, moments] of Object.entries(evenings))
      for (const now of moments.map((iso) => Date.parse(iso))) {
        const reader = { locale, zone, now };
        const days = dayChoices(undefined, reader);
        expect(days).toHaveLength(25);
        days.slice(0, 4).forEach(({ value: day, label }, ahead) => {
          const midnight = (dayOf(wallTime(zone, now)) + ahead) * DAY;
          const date = zonedFormats(locale, 'UTC').shortDay(midnight);
          expect(label.toLocaleLowerCase(locale).endsWith(date.toLocaleLowerCase(locale)), label).toBe(true);
          for (const [time, minutes] of MINUTES) {
            const shown = momentsOf(zone, midnight + minutes * 60_000);
            const coming = shown.filter((at) => at > now);
            const found = readWhen(whenOf({ day, time }), reader);
            const what = `${zone} ${day} ${time}`;
            if (shown.length === 0) expect(found, what).toEqual({ problem: 'skipped' });
            else if (coming.length === 0) expect(found, what).toEqual({ problem: 'past' });
            else if (shown.length > 1)
              expect(found, what).toEqual({ problem: 'ambiguous', meanings: coming });
            else expect(found, what).toEqual({ at: shown[0], isZoned: true });
          }
        });
      }
  });

  test('a moment is shown as parts that are read as that moment again', () => {
    for (const [zone, moments] of Object.entries(evenings))
      for (const now of moments.map((iso) => Date.parse(iso)))
        for (const ahead of [0.5, 3, 7, 9, 24, 30.25, 200, 2000]) {
          const reader = { locale, zone, now };
          const at = Math.floor(now / 60_000 + ahead * 60) * 60_000;
          const { day = '', time = '' } = timeParts({ when: '', at }, reader);
          expect(dayChoices(day, reader).map(({ value }) => value)).toContain(day);
          const found = readWhen(whenOf({ day, time }), reader);
          const meanings = 'at' in found ? [found.at] : 'meanings' in found ? found.meanings : [];
          expect(meanings, `${zone} ${day} ${time}`).toContain(at);
        }
  });

  test('a digit alone is two moments, and words are none', () => {
    const reader = { locale, zone: 'Europe/Berlin', now: Date.parse('2026-11-23T11:30Z') };
    const read = (time: string) => readWhen(whenOf({ day: '2026-11-27', time }), reader);
    expect(read('8')).toMatchObject({ problem: 'ambiguous' });
    expect(read('20')).toEqual({ at: Date.parse('2026-11-27T19:00Z'), isZoned: true });
    for (const time of ['evening', '25:00', '20:60', 'x'.repeat(MAX_TIME_LENGTH), '', 'in 2 h', 'sat 20:00'])
      expect([time, read(time)]).toEqual([time, { problem: 'unread' }]);
  });

  test('the zones are at most 25, each with the time there now, the chosen one first', () => {
    const now = Date.parse('2026-11-23T11:30Z');
    const zones = zoneChoices('Asia/Kathmandu', { locale, now });
    expect(zones.length).toBeLessThanOrEqual(25);
    expect(zones[0]?.label).toBe(`Kathmandu · ${zonedFormats(locale, 'Asia/Kathmandu').time(now)}`);
    expect(new Set(zones.map(({ value }) => value)).size).toBe(zones.length);
    for (const { value } of zones) expect(findZone(value)).toBe(value);
    const far = ['Pacific/Honolulu', 'Pacific/Auckland', 'Europe/Berlin', 'Asia/Kolkata'];
    expect(zones.map(({ value }) => value)).toEqual(expect.arrayContaining(far));
  });
});

const berlin = { locale: 'en-GB', zone: 'Europe/Berlin', now: Date.parse('2026-11-23T11:30Z') };

test('days are named: today, tomorrow, then by weekday and date, over New Year', () => {
  const names = (now: string, more = {}) =>
    dayChoices(undefined, { ...berlin, now: Date.parse(now), ...more }).map(({ label }) => label);
  expect(names('2026-12-30T22:00Z').slice(0, 4)).toEqual([
    'Today · Wed 30 Dec',
    'Tomorrow · Thu 31 Dec',
    'Fri 1 Jan',
    'Sat 2 Jan',
  ]);
  expect(names('2026-12-30T23:30Z')[0]).toBe('Today · Thu 31 Dec');
  expect(names('2026-12-30T22:00Z', { locale: 'tr' })[0]).toBe('Bugün · 30 Ara Çar');
});

test.each([
  ['fri 8pm', { day: '2026-11-27', time: '20:00' }],
  ['in 2 h', { day: '2026-11-23', time: '14:30' }],
  ['28 nov', { day: '2026-11-28' }],
  ['friday', { day: '2026-11-27' }],
  ['tonight 9pm', { time: 'tonight 9pm' }],
  ['today 10:00', { time: 'today 10:00' }],
  ['', { time: '' }],
])('"%s" opens the window with %j', (when, parts) => {
  expect(typedParts(when, berlin)).toEqual(parts);
});

test('what was filled in and not read is shown again', () => {
  for (const time of ['tonight', '8', ''])
    expect(timeParts({ when: whenOf({ day: '2026-11-27', time }), at: null }, berlin)).toEqual({
      day: '2026-11-27',
      time,
    });
  expect(timeParts({ when: 'whenever', at: null }, berlin)).toEqual({ time: 'whenever' });
  expect(whenOf({ day: '2026-11-27', time: 'x'.repeat(MAX_TIME_LENGTH) })).toHaveLength(MAX_LENGTHS.when);
});
