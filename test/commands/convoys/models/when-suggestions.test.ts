/** Moments to choose from while a time is typed: what is shown is what is stored, in ten languages and twelve time zones. */
import { describe, expect, test } from 'vitest';
import { MAX_LENGTHS } from '../../../../commands/convoys/models/convoy.ts';
import { readWhen } from '../../../../commands/convoys/models/when.ts';
import { suggestWhen } from '../../../../commands/convoys/models/when-suggestions.ts';
import { DAY, HOUR } from '../../../../src/base/duration.ts';
import { languages } from '../../../../src/base/languages.ts';
import { wallTime, zoneNames } from '../../../../src/base/zone.ts';
import { zonedFormats } from '../../../../src/i18n/zoned-formats.ts';

/** Zones with evenings before their clocks go back or forward; two at the end of a year. */
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
/** Typed texts in words of every language: the hour at which clocks change, a weekday and the next day among them. */
const textsOf = (locale: string, zone: string, now: number): readonly string[] => {
  const { shortDay, weekday } = zonedFormats(locale, zone);
  const day = shortDay(now + DAY);
  return ['', weekday(5, 'long'), `${day} 2:30`, `${day} 1:30`, `${day} 1:45`, '2', 'in 2 h'];
};

function momentOf(text: string, reader: Parameters<typeof readWhen>[1]): number | string {
  const found = readWhen(text, reader);
  return 'at' in found ? found.at : found.problem;
}

test.each(languages)('a suggestion is the moment that it shows, in twelve zones: %s', (locale) => {
  let count = 0;
  for (const [zone, moments] of Object.entries(evenings))
    for (const now of moments.map((iso) => Date.parse(iso)))
      for (const text of textsOf(locale, zone, now))
        for (const { name, value } of suggestWhen(text, { locale, zone, now })) {
          count += 1;
          const at = momentOf(value, { locale, zone: 'Asia/Kathmandu', now });
          if (typeof at === 'string') throw new Error(`${zone} ${text}: ${name} is ${at}`);
          expect(at, `${zone} ${text}: ${name}`).toBeGreaterThan(now);
          expect(at).toBeLessThanOrEqual(now + 90 * DAY);
          expect(name.startsWith(`${zonedFormats(locale, zone).moment(at)} · `), name).toBe(true);
          // Discord sometimes sends the text in place of the value, and people copy it.
          expect([at, 'unread'], `${zone}: ${name}`).toContain(momentOf(name, { locale, zone, now }));
        }
  expect(count).toBeGreaterThan(500);
});

test.each(languages)('the text of a suggestion is read where clocks do not change: %s', (locale) => {
  const reader = { locale, zone: 'Asia/Tokyo', now: Date.parse('2026-11-23T11:30Z') };
  for (const text of ['', '8 pm', '1.12. 20:00', '2026-12-01', '2027-01-01 0:30'])
    for (const { name, value } of suggestWhen(text, reader))
      expect([name, momentOf(name, reader)]).toEqual([name, momentOf(value, reader)]);
});

test('zones with unusual names have values that fit and are read', () => {
  const now = Date.parse('2026-11-23T11:30Z');
  const unusualZones = zoneNames().filter((zone) => !/^[A-Z][a-z]+\/[A-Z][a-z]+$/.test(zone));
  expect(unusualZones).toEqual(expect.arrayContaining(['UTC', 'America/Argentina/San_Juan']));
  for (const zone of unusualZones) {
    const [first] = suggestWhen('', { locale: 'en-GB', zone, now });
    expect(first?.value.length).toBeLessThanOrEqual(MAX_LENGTHS.when);
    const at = Number(momentOf(first?.value ?? '', { locale: 'de', zone: 'UTC', now }));
    expect([zone, wallTime(zone, at) % DAY]).toEqual([zone, 20 * HOUR]);
  }
});

describe('in Berlin on a Monday at 12:30', () => {
  const reader = { locale: 'en-GB', zone: 'Europe/Berlin', now: Date.parse('2026-11-23T11:30Z') };
  const names = (text: string, more: Partial<typeof reader> = {}) =>
    suggestWhen(text, { ...reader, ...more }).map(({ name }) => name);

  test('nothing typed offers the evenings of a week', () => {
    expect(names('')).toHaveLength(7);
    expect(names('')[0]).toBe('Mon 23 Nov, 20:00 · Berlin');
  });

  test('a day offers its evening, and the same weekday a week later', () => {
    expect(names('fri')[0]).toBe('Fri 27 Nov, 20:00 · Berlin');
    expect(names('fri')).toContain('Fri 4 Dec, 20:00 · Berlin');
    expect(names('f')[0]).toBe('Fri 27 Nov, 20:00 · Berlin');
    expect(names('fr', { locale: 'de' })[0]).toBe('Fr., 27. Nov., 20:00 · Berlin');
  });

  test('an hour that is before or after noon offers both, the evening first', () => {
    expect(names('fri 8').slice(0, 2)).toEqual(['Fri 27 Nov, 20:00 · Berlin', 'Fri 27 Nov, 8:00 · Berlin']);
  });

  test("an hour of today that is past is tomorrow's", () => {
    expect(names('10:00')[0]).toBe('Tue 24 Nov, 10:00 · Berlin');
    expect(names('today 10:00')).toEqual([]);
  });

  test('a span and a time with its zone are one moment', () => {
    expect(names('in 2 h')).toEqual(['Mon 23 Nov, 14:30 · Berlin']);
    expect(names('fri 20:00 America/New_York')).toEqual(['Sat 28 Nov, 2:00 · Berlin']);
  });

  test.each(['tonight 9', 'next friday 20:00', 'sun 28.11.', 'fri 25:00', 'in 90 weeks', 'x'.repeat(100)])(
    '"%s" offers nothing, so that Enter sends no other time',
    (text) => expect(names(text)).toEqual([]),
  );
});

test('an hour that clocks skip is not offered, and one that comes twice is two', () => {
  const berlin = { locale: 'en-GB', zone: 'Europe/Berlin' };
  const spring = { ...berlin, now: Date.parse('2027-03-20T12:00Z') };
  expect(suggestWhen('28 mar 2:30', spring)).toEqual([]);
  const autumn = { ...berlin, now: Date.parse('2026-10-20T12:00Z') };
  expect(suggestWhen('25 oct 2:30', autumn).map(({ name }) => name)).toEqual([
    'Sun 25 Oct, 2:30 · Berlin GMT+2',
    'Sun 25 Oct, 2:30 · Berlin GMT+1',
  ]);
  expect(suggestWhen('25 oct 2:30', autumn).map(({ value }) => momentOf(value, autumn))).toEqual(
    ['2026-10-25T00:30Z', '2026-10-25T01:30Z'].map((iso) => Date.parse(iso)),
  );
  // By half an hour on Lord Howe Island.
  const island = { locale: 'en-GB', zone: 'Australia/Lord_Howe', now: Date.parse('2027-04-02T12:00Z') };
  expect(suggestWhen('4 apr 1:45', island).map(({ name }) => name)).toEqual([
    'Sun 4 Apr, 1:45 · Lord Howe GMT+11',
    'Sun 4 Apr, 1:45 · Lord Howe GMT+10:30',
  ]);
});
