import { describe, expect, test } from 'vitest';
import { busyCard } from '../../../../commands/history/cards/busy-card.ts';
import { languages } from '../../../../src/base/languages.ts';
import { Chart, type HeatMap } from '../../../../src/pictures/chart.ts';
import { breaches } from '../../../support/embed-limits.ts';
import { strayMarkup } from '../../../support/markup.ts';
import { weekOf } from '../../../support/past.ts';
import { createTranslators } from '../../../support/translators.ts';

/** Wednesday, 20:30 in Berlin. */
const NOW = Date.parse('2026-11-18T19:30:00Z');
const HOUR = 60 * 60_000;
const translatorFor = createTranslators();
const t = translatorFor('en-GB');
const view = { where: 'all', zone: { name: 'Europe/Berlin', by: 'person' }, unseen: [], now: NOW } as const;

/** Most on Saturday at 21:00, fewest on Tuesday at 5:00; nothing is known of Monday from 2:00 to 4:00. */
const week = weekOf((day, hour) => {
  if (day === 0 && (hour === 2 || hour === 3)) return null;
  if (day === 1 && hour === 5) return 2;
  const evening = 80 - 6 * Math.abs(hour - 21);
  return Math.max(10, evening) + (day === 5 ? 40 : 0);
});

type Card = ReturnType<typeof busyCard>;

function textOf({ embeds: [embed] }: Card): string {
  const fields = (embed.fields ?? []).map(({ name, value }) => `${name}\n${value}`);
  return [embed.title, embed.description, ...fields].join('\n');
}

function mapOf(card: Card): HeatMap {
  const chart = card.picture?.chart;
  if (chart?.kind !== 'heat-map') throw new Error('no heat map');
  return chart;
}

test('the card shows the best time of tonight and each day, and the extreme hours', () => {
  const text = textOf(busyCard(week, view, t));
  expect(text).toContain('Busy hours · all servers');
  // In the zone that the note names, like all the others.
  expect(text).toContain('**Best tonight** 20:00–23:00, about 80 drivers');
  expect(text).toContain('**Busiest** Saturday 21:00, about 120 drivers');
  expect(text).toContain('**Quietest** Tuesday 05:00, about 2 drivers');
  expect(text).toContain('Average of up to 8 weeks; I have data since <t:0:d>.');
  expect(text).toMatch(/▰{10} Sat 19:00–00:00 · \*\*120\*\*/);
  expect(text).toMatch(/▰{7}▱{3} Mon 20:00–23:00 · \*\*80\*\*/);
  expect(text).toContain('Time zone: `Europe/Berlin`.');
});

test('the picture has a row a day and a cell an hour, with gaps, and tonight framed', () => {
  const { rows, across, scale, framed } = mapOf(busyCard(week, view, t));
  expect(rows.map(({ label }) => label)).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
  expect(rows.every(({ cells }) => cells.length === 24)).toBe(true);
  expect(rows[0]?.cells.flatMap((cell, hour) => (cell === null ? [hour] : []))).toEqual([2, 3]);
  expect(rows[5]?.cells[21]).toBe(1);
  expect(rows[1]?.cells[5]).toBe(0.02);
  expect(across.map(({ label }) => label)).toEqual(['00:00', '06:00', '12:00', '18:00']);
  expect(scale).toEqual({ low: '0', high: '120 drivers' });
  expect(framed?.cells).toEqual([20, 21, 22].map((column) => ({ row: 2, column })));
});

test('the alt text has the same facts', () => {
  expect(busyCard(week, view, t).picture?.alt).toBe(
    'Heat map by weekday and hour (Europe/Berlin). Busy hours · all servers. Busiest: Saturday 21:00, about 120 drivers. Quietest: Tuesday 05:00, about 2 drivers. Best tonight: 20:00–23:00, about 80 drivers.',
  );
});

describe('tonight', () => {
  const steady = weekOf((day, hour) => day * 24 + hour);
  const utc = { ...view, zone: { name: 'UTC', by: 'person' } } as const;
  const framedAt = (averages: Parameters<typeof busyCard>[0], at: string) =>
    mapOf(busyCard(averages, { ...utc, now: Date.parse(`${at}Z`) }, t)).framed?.cells;

  test.each([
    ['in the morning, begins at 17:00 and reaches into the night', '2026-11-18T09:00:00', 3, 3],
    ['in the evening, has only the hours that are left', '2026-11-18T23:10:00', 3, 3],
    ['after midnight, is the night under way', '2026-11-18T01:00:00', 2, 3],
    ['on Sunday, reaches into Monday', '2026-11-22T23:30:00', 6, 23],
    ['with half an hour left of it, is still this night', '2026-11-18T03:30:00', 2, 3],
    ['nearly over, is the next evening', '2026-11-18T03:47:00', 3, 3],
  ])('%s', (_what, now, row, column) => {
    expect(framedAt(steady, now)?.at(-1)).toEqual({ row, column });
  });

  test('leaves out the hour that is nearly over', () => {
    const falling = weekOf((_day, hour) => 24 - hour);
    const first = (now: string) => framedAt(falling, now)?.[0];
    expect(first('2026-11-18T01:30:00')).toEqual({ row: 2, column: 1 });
    expect(first('2026-11-18T01:31:00')).toEqual({ row: 2, column: 2 });
    const late = weekOf((_day, hour) => (hour === 23 ? 50 : 1));
    expect(framedAt(late, '2026-11-18T23:45:00')?.[0]).toEqual({ row: 3, column: 0 });
  });

  test('is not reported where nothing is known of it', () => {
    const mornings = weekOf((_day, hour) => (hour < 12 && hour > 4 ? 5 : null));
    expect(framedAt(mornings, '2026-11-18T20:00:00')).toBeUndefined();
    expect(textOf(busyCard(mornings, view, t))).not.toContain('Best tonight');
  });

  test('a stretch over midnight is framed on both days', () => {
    const late = weekOf((day, hour) => ((day === 2 && hour === 23) || (day === 3 && hour === 0) ? 50 : 1));
    const card = busyCard(late, view, t);
    expect(textOf(card)).toContain('**Best tonight** 23:00–01:00');
    expect(mapOf(card).framed?.cells).toEqual([
      { row: 2, column: 23 },
      { row: 3, column: 0 },
    ]);
  });

  test('beside the picture the days of the week are not written out', () => {
    const [embed] = busyCard(week, view, t).picture?.embeds ?? [];
    expect(embed?.description).toContain('**Best tonight**');
    expect(JSON.stringify(embed)).not.toContain('▰');
  });

  test('what is best depends on the reader’s zone', () => {
    const zone = { name: 'Asia/Tokyo', by: 'person' } as const;
    // Thursday, 4:30 in Tokyo: the next evening is Thursday's.
    expect(mapOf(busyCard(week, { ...view, zone }, t)).framed?.cells[0]).toMatchObject({ row: 3 });
  });
});

test('no hour is the best before there is data for as many as a day has', () => {
  const watched = (hours: number) => weekOf((day, hour) => (day * 24 + hour < hours ? hour : null));
  const early = busyCard(watched(23), view, t);
  expect(early.picture).toBeUndefined();
  expect(textOf(early)).toContain('Too early to tell: I need data for at least 24 hours of the week.');
  expect(textOf(early)).not.toContain('Best');
  expect(textOf(busyCard(watched(24), view, t))).toContain('**Busiest** Monday 23:00');
});

test('an empty week is reported as such', () => {
  const card = busyCard({ ...weekOf(() => null), since: null }, view, t);
  expect(card.picture).toBeUndefined();
  expect(textOf(card)).toContain('I have no data for this period.');
  expect(
    textOf(
      busyCard(
        weekOf(() => 0),
        view,
        t,
      ),
    ),
  ).toContain('about 0 drivers');
});

test('the hour under way does not make the card one of the future', () => {
  const now = Date.parse('2026-11-18T19:30:00Z');
  const card = busyCard({ ...week, until: now + 30 * 60_000 }, { ...view, now }, t);
  expect(textOf(card)).toContain(`As of <t:${now / 1000}:R>`);
});

test('one more week of the hour under way does not count', () => {
  const known = weekOf(() => 3);
  const days = known.days.map((hours, day) =>
    hours.map((hour, at) => (day === 2 && at === 20 ? { drivers: 3, weeks: 9 } : hour)),
  );
  expect(textOf(busyCard({ ...known, days }, view, t))).toContain('up to 8 weeks');
});

test('ten days are more than one week, although most hours were there once', () => {
  const days = weekOf(() => 3).days.map((hours, day) =>
    hours.map((hour) => hour && { ...hour, weeks: day < 3 ? 2 : 1 }),
  );
  const text = textOf(busyCard({ ...weekOf(() => 3), days }, view, t));
  expect(text).toContain('up to 2 weeks');
  expect(text).not.toContain('one week only');
});

test('time without data is counted', () => {
  const holes = [
    { from: NOW - 2 * HOUR, to: NOW - HOUR },
    { from: NOW - HOUR / 2, to: NOW - HOUR / 4 },
  ];
  expect(textOf(busyCard({ ...week, holes }, view, t))).toContain(
    'No data for 1\u00a0h\u00a015 of this period',
  );
  expect(textOf(busyCard(week, view, t))).not.toContain('No data');
  const days = [{ from: NOW - 75 * HOUR, to: NOW - HOUR }];
  expect(textOf(busyCard({ ...week, holes: days }, view, t))).toContain('No data for 3 days.');
});

test('averages of a single week say so', () => {
  expect(
    textOf(
      busyCard(
        weekOf(() => 3, { weeks: 1 }),
        view,
        t,
      ),
    ),
  ).toContain('From one week only');
});

test.each(languages)('in %s the card is sound, and its chart can be drawn', (language) => {
  for (const where of ['all', 'one'] as const) {
    const card = busyCard(week, { ...view, where }, translatorFor(language));
    expect(breaches(card)).toEqual([]);
    expect(strayMarkup(card.embeds[0])).toEqual([]);
    expect(textOf(card)).not.toMatch(/\b(null|NaN|undefined|Infinity)\b|\[object|Invalid Date/);
    expect(Chart.safeParse(card.picture?.chart).success).toBe(true);
    expect(card.picture?.alt.length).toBeLessThan(1024);
  }
});
