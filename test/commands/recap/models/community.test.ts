/** The figures of the community's week and month. */
import { describe, expect, test } from 'vitest';
import { communityCard } from '../../../../commands/recap/cards/community-card.ts';
import { communityFacts } from '../../../../commands/recap/models/community.ts';
import { type PostKind, postPeriods } from '../../../../commands/recap/models/post-time.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/base/duration.ts';
import { dayOf, hourOf, wallTime } from '../../../../src/base/zone.ts';
import type { Stretch, TopRow } from '../../../../src/community/history/history.ts';
import { noHistory } from '../../../support/no-history.ts';
import { countsOf } from '../../../support/past.ts';
import { createTranslators } from '../../../support/translators.ts';

const BERLIN = 'Europe/Berlin';
const t = createTranslators()('en-GB');

const rows = (...drivers: readonly (readonly [string, number])[]): readonly TopRow[] =>
  drivers.map(([driver, hours], index) => ({ rank: index + 1, driver, value: hours * HOUR, read: null }));

interface Past {
  readonly zone?: string;
  readonly at?: number;
  readonly holes?: readonly Stretch[];
  /** Since when anything is known. */
  readonly since?: number;
  readonly named?: boolean;
  readonly drivers?: (at: number) => number;
}

/** The facts of the period in which `at` is, by default of March 2026 and of its first whole week. */
function factsOf(kind: PostKind, changes: Past = {}) {
  const { zone = BERLIN, at = Date.UTC(2026, 2, 4), holes = [], since = 0, named = true } = changes;
  const { drivers = () => 5 } = changes;
  const number = postPeriods[kind].numberAt(zone, at);
  const now = postPeriods[kind].startOf(number + 1, zone, 12);
  return communityFacts(
    {
      ...noHistory.history,
      counts: async (_place, span) =>
        countsOf({ ...span, from: Math.max(span.from, since) }, { without: holes, drivers }),
      // Before the period, zoë and k3nny were there; new_face was not.
      playtime: async ({ to }) =>
        named ? rows(['k3nny', 12], ['new_face', 3], ['*zoë*', to > now - HOUR ? 2.5 : 2]) : [],
      top: async () => ({
        ...{ since, until: null, holes: [], from: 0 },
        rows: named ? rows(['k3nny', 500], ['*zoë*', 90], ['new_face', 3]) : [],
      }),
    },
    { kind, number, zone, utcWeek: 0 },
    now,
  );
}

const cardOf = async (kind: PostKind, changes: Past = {}) =>
  communityCard(await factsOf(kind, changes), (driver) => (driver === 'k3nny' ? '^1Ken^7ny' : null), t);

async function linesOf(kind: PostKind, changes: Past = {}): Promise<readonly string[]> {
  const [{ title = '', description = '', fields = [] }] = (await cardOf(kind, changes)).embeds;
  const text = [title, description, ...fields.flatMap(({ name, value }) => [name, value])].join('\n');
  return text.replaceAll('\u2009', ' ').replaceAll('\\', '').split('\n');
}

describe('a card', () => {
  /** A Wednesday evening in Berlin, which begins at 17:00 UTC; a busier morning is no evening. */
  const drivers = (at: number): number => {
    const sinceWednesday = at - Date.UTC(2026, 2, 4);
    if (sinceWednesday >= 17 * HOUR && sinceWednesday < 23 * HOUR) return 25;
    return at === Date.UTC(2026, 2, 2, 10) ? 45 : 5;
  };

  test.each([
    ['week', 'Our week: 2 – 8 March', 168],
    ['month', 'Our month: March 2026', 743],
  ] as const)('of a %s has the figures, the top and the new faces', async (kind, title, hours) => {
    const driven = hours * 5 + 6 * 20 + 40 / 6;
    const lines = await linesOf(kind, { drivers });
    expect(lines.filter((line) => !line.startsWith('**Against'))).toEqual([
      title,
      `${t.duration((driven * HOUR) / 1000)} on the live servers · 3 drivers`,
      expect.stringMatching(/^Busiest evening: \*\*Wednesday,? 4 March\*\*, 25 driving on average$/),
      expect.stringMatching(/^Peak: \*\*46\*\*, Mon,? 2 Mar,? 11:00$/),
      '**Most time online**',
      '```ansi',
      expect.stringMatching(/^🥇 .*Ken.*ny +12 h$/),
      expect.stringMatching(/^🥈 .*new_face +3 h$/),
      expect.stringMatching(/^🥉 .*\*zoë\* +2 h$/),
      '```',
      'New faces',
      'new_face',
      expect.stringContaining('Europe/Berlin'),
    ]);
  });

  test('has its course as a picture, and a menu of its drivers', async () => {
    const { picture, components } = await cardOf('week', { drivers });
    expect(picture).toMatchObject({
      name: 'week',
      chart: { kind: 'lines', peak: { value: 46 } },
      alt: expect.stringMatching(/^Line chart\. Our week.*Peak 46 \(Mon/),
    });
    expect(JSON.stringify(components)).toMatch(/"value":"k3nny".*"value":"new_face"/);
  });

  test('of a period without drivers says so', async () => {
    const lines = await linesOf('week', { drivers: () => -1 });
    expect(lines[1]).toBe('No drivers in this period.');
  });

  test('of which something is missing says how much, and what is known at least', async () => {
    const hole = { from: Date.UTC(2026, 2, 3), to: Date.UTC(2026, 2, 3, 1) };
    const text = (await linesOf('week', { holes: [hole] })).join('\n');
    expect(text).toMatch(/at least[\s\S]*No data for 1\u00a0h of this period/);
    const { picture } = await cardOf('week', { holes: [hole] });
    expect(picture?.alt).toMatch(/1\u00a0h/);
    expect(picture?.chart).toMatchObject({ peak: { value: 6 } });
    const restart = { from: hole.from, to: hole.from + 10 * MINUTE - 1 };
    expect((await linesOf('week', { holes: [restart] })).join('\n')).not.toContain('at least 1');
  });

  test('without names of drivers has counts alone; the first one has no new faces', async () => {
    const counts = (await linesOf('week', { named: false })).join('\n');
    expect(counts).toContain('Peak');
    expect(counts).not.toMatch(/🥇|New faces|drivers/);
    const first = (await linesOf('week', { since: Date.UTC(2026, 2, 2) })).join('\n');
    expect(first).toContain('🥇');
    expect(first).not.toContain('New faces');
  });
});

describe('the month before', () => {
  const text = async (changes: Past) =>
    (await linesOf('month', changes)).find((line) => line.startsWith('**Against')) ?? null;

  test('is what a month is compared with, and no week', async () => {
    // February has 28 days, and March an hour less than 31.
    const drivers = (at: number): number => (at < Date.UTC(2026, 1, 28, 23) ? 10 : 5);
    const less = 28 * 24 * 10 - 743 * 5;
    expect(await text({ drivers })).toBe(`**Against the month before** ▼ ${t.duration(less * 3600)}`);
    expect((await linesOf('week', { drivers })).join('\n')).not.toContain('Against');
  });

  test('is left out where a tenth of one of the two is not known', async () => {
    const [march, february] = [Date.UTC(2026, 2, 4), Date.UTC(2026, 1, 4)];
    const hole = (from: number) => ({ holes: [{ from, to: from + 4 * DAY }] });
    expect(await text({})).not.toBeNull();
    expect(await text(hole(march))).toBeNull();
    expect(await text(hole(february))).toBeNull();
  });
});

describe('a period', () => {
  test.each([
    [16, false],
    [15, true],
  ])('of a month of which %i days are known is thin: %s', async (days, isThin) => {
    const begin = Date.UTC(2026, 1, 28, 23);
    const since = begin + (31 - days) * DAY;
    expect((await factsOf('month', { since })).isThin).toBe(isThin);
  });

  test('has no busiest evening of which hardly anything is known', async () => {
    const evening = Date.UTC(2026, 2, 4, 17);
    const drivers = (at: number): number => (at >= evening && at < evening + 6 * HOUR ? 25 : 5);
    const holes = [{ from: evening, to: evening + 5 * HOUR }];
    expect((await factsOf('week', { drivers, holes })).busiest?.drivers).toBe(5);
  });

  test('without drivers has no busiest evening', async () => {
    expect((await factsOf('week', { drivers: () => 0 })).busiest).toBeNull();
  });

  test.each([
    ['Europe/Berlin', 'over a clock change', Date.UTC(2026, 2, 26), 167],
    ['America/New_York', 'over a clock change', Date.UTC(2026, 10, 1, 12), 169],
    ['Asia/Kolkata', 'over New Year', Date.UTC(2027, 0, 1), 168],
  ])('in %s %s has the figures of its hours', async (zone, _over, at, hours) => {
    const drivers = (moment: number): number => {
      const wall = wallTime(zone, moment);
      return hourOf(wall) + (dayOf(wall) % 5);
    };
    const facts = await factsOf('week', { zone, at, drivers });
    expect(facts.span.to - facts.span.from).toBe(hours * HOUR);
    expect(wallTime(zone, facts.span.from) % DAY).toBe(0);
    let [sum, most] = [0, 0];
    const evenings: Record<number, number> = {};
    for (let moment = facts.span.from; moment < facts.span.to; moment += 10 * MINUTE) {
      const wall = wallTime(zone, moment);
      sum += drivers(moment) * 10 * MINUTE;
      most = Math.max(most, drivers(moment));
      if (hourOf(wall) >= 18) evenings[dayOf(wall)] = (evenings[dayOf(wall)] ?? 0) + drivers(moment) / 36;
    }
    expect(facts.time).toBe(sum);
    // The history counts one more at its highest than on average.
    expect(facts.most?.count).toBe(most + 1);
    expect(facts.busiest?.drivers).toBeCloseTo(Math.max(...Object.values(evenings)));
    expect(hourOf(wallTime(zone, facts.busiest?.at ?? 0))).toBe(18);
  });
});
