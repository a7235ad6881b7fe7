import { describe, expect, test, vi } from 'vitest';
import { findZone, hourOf, momentOf, startsOf, wallTime, wallTimes, weekdayOf } from '../../src/base/zone.ts';

const at = (text: string): number => Date.parse(text);
const iso = (moment: number): string => new Date(moment).toISOString();

test.each([
  ['Europe/Berlin', '2026-01-10T12:30:00Z', '2026-01-10T13:30:00Z'],
  ['Europe/Berlin', '2026-07-10T12:30:00Z', '2026-07-10T14:30:00Z'],
  ['Asia/Kathmandu', '2026-01-10T12:30:00Z', '2026-01-10T18:15:00Z'],
  ['America/St_Johns', '2026-01-01T02:00:00Z', '2025-12-31T22:30:00Z'],
  ['UTC', '2026-01-10T23:59:59Z', '2026-01-10T23:59:59Z'],
])('a clock in %s shows the time of its place', (zone, moment, wall) => {
  expect(iso(wallTime(zone, at(moment)))).toBe(iso(at(wall)));
  expect(iso(momentOf(zone, at(wall)))).toBe(iso(at(moment)));
});

describe('where clocks change', () => {
  test.each([
    // 29 March 2026: from 2:00 to 3:00.
    ['skipped, an hour later', '2026-03-29T02:30:00Z', '2026-03-29T01:30:00Z'],
    ['before the skipped hour', '2026-03-29T01:59:00Z', '2026-03-29T00:59:00Z'],
    ['after the skipped hour', '2026-03-29T03:00:00Z', '2026-03-29T01:00:00Z'],
    // 25 October 2026: from 3:00 back to 2:00.
    ['that comes twice, the first time', '2026-10-25T02:30:00Z', '2026-10-25T00:30:00Z'],
    ['after the doubled hour', '2026-10-25T03:00:00Z', '2026-10-25T02:00:00Z'],
  ])('a wall time %s', (_what, wall, moment) => {
    expect(iso(momentOf('Europe/Berlin', at(wall)))).toBe(iso(at(moment)));
  });

  test.each([
    ['Europe/Berlin', '2026-03-27T12:00:00Z', [24, 23, 24]],
    ['Europe/Berlin', '2026-10-23T12:00:00Z', [24, 25, 24]],
    // By half an hour.
    ['Australia/Lord_Howe', '2026-04-03T00:00:00Z', [24, 24.5, 24]],
    // At midnight, which that day does not have.
    ['Africa/Cairo', '2026-04-22T12:00:00Z', [24, 23, 24]],
  ])('days in %s have the hours that they have', (zone, from, hours) => {
    const days = startsOf(zone, { from: at(from), to: at(from) + 5 * 86_400_000 }, 24);
    const lengths = days.slice(1).map((day, index) => (day - (days[index] ?? 0)) / 3_600_000);
    expect(lengths.slice(0, 3)).toEqual(hours);
  });
});

test('weeks begin on Monday, and quarters of a day at midnight', () => {
  const span = { from: at('2026-11-20T23:00:00Z'), to: at('2026-12-01T00:00:00Z') };
  expect(startsOf('Europe/Berlin', span, 168).map(iso)).toEqual([
    '2026-11-22T23:00:00.000Z',
    '2026-11-29T23:00:00.000Z',
  ]);
  const day = { from: at('2026-11-20T23:00:00Z'), to: at('2026-11-21T23:00:00Z') };
  expect(
    startsOf('Europe/Berlin', day, 6).map((moment) => hourOf(wallTime('Europe/Berlin', moment))),
  ).toEqual([0, 6, 12, 18]);
});

test('a weekday is the one in the calendar', () => {
  expect(weekdayOf(at('2026-11-23T00:00:00Z'))).toBe(0);
  expect(weekdayOf(at('2026-11-22T23:59:59Z'))).toBe(6);
});

test.each([
  'UTC',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Asia/Kolkata',
  'America/St_Johns',
])('moments of a year in %s are right, also on days when clocks change', (zone) => {
  const wallAt = wallTimes(zone);
  for (let moment = at('2026-01-01T00:07:00Z'); moment < at('2027-01-01T00:00:00Z'); moment += 47 * 60_000)
    if (wallAt(moment) !== wallTime(zone, moment)) throw new Error(iso(moment));
});

describe('the name of a zone', () => {
  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['UTC', 'UTC'],
    ['Moon/Sea', null],
    ['', null],
    // Knows no summer time.
    ['+02:00', null],
    [' Europe/Berlin', null],
  ])('%j is %j', (name, zone) => {
    expect(findZone(name)).toBe(zone);
  });

  test('is not looked for where it is longer than any', () => {
    const formats = vi.spyOn(Intl, 'DateTimeFormat');
    expect(findZone('a'.repeat(65))).toBeNull();
    expect(formats).not.toHaveBeenCalled();
  });
});
