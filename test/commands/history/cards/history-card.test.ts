import { describe, expect, test } from 'vitest';
import { type HistoryView, historyCard } from '../../../../commands/history/cards/history-card.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/base/duration.ts';
import { languages } from '../../../../src/base/languages.ts';
import { places, type Span, spans, stretchOf } from '../../../../src/cards/history/span.ts';
import { Chart, type LineChart } from '../../../../src/pictures/chart.ts';
import { breaches } from '../../../support/embed-limits.ts';
import { strayMarkup } from '../../../support/markup.ts';
import { countsOf, usual } from '../../../support/past.ts';
import { createTranslators } from '../../../support/translators.ts';

/** A Saturday evening. */
const NOW = Date.parse('2026-11-21T20:00:00Z');

const noZone = { name: 'UTC', by: null } as const;

const translatorFor = createTranslators();
const t = translatorFor('en-GB');

function viewOf(span: Span, change: Partial<HistoryView> = {}): HistoryView {
  return {
    where: 'all',
    span,
    zone: { name: 'Europe/Berlin', by: 'person' },
    unseen: [],
    now: NOW,
    ...change,
  };
}

type Card = ReturnType<typeof historyCard>;

function textOf({ embeds: [embed] }: Card): string {
  const fields = (embed.fields ?? []).map(({ name, value }) => `${name}\n${value}`);
  return [embed.title, embed.description, ...fields].join('\n');
}

function linesOf(card: Card): LineChart {
  const chart = card.picture?.chart;
  if (chart?.kind !== 'lines') throw new Error('no line chart');
  return chart;
}

const seconds = (at: number): number => at / 1000;

describe('the last 24 hours', () => {
  const stretch = stretchOf('day', NOW);
  const outage = { from: NOW - 10 * HOUR, to: NOW - 7 * HOUR };
  const restart = { from: NOW - 3 * HOUR, to: NOW - 3 * HOUR + 20 * MINUTE };
  const counts = countsOf(stretch, {
    drivers: (at) => (at === NOW - HOUR ? 180 : usual(at)),
    without: [outage, restart],
  });
  const card = historyCard(counts, viewOf('day'), t);
  const text = textOf(card);

  test('show the peak with its time, the average, the newest number and its age', () => {
    expect(text).toContain('Drivers · all servers · 24 hours');
    expect(text).toContain(`**Now** ${usual(NOW - 10 * MINUTE)} · **Peak** 181 (20:00) · `);
    const known = counts.points.map(({ drivers }) => drivers);
    const average = known.reduce((sum, each) => sum + each, 0) / known.length;
    expect(text).toContain(`**Average** ${Math.round(average)}`);
    expect(text).toContain(`As of <t:${seconds(NOW)}:R>`);
    expect(text).toMatch(/\*\*Average police\*\* \d\n/);
    expect(text).not.toContain('Busiest day');
  });

  test('show what is missing, and when the longest gap was', () => {
    expect(text).toMatch(/No data for 3\u00a0h\u00a020 in 2 gaps; the longest from 11:00 to 14:00/);
    expect(text).not.toContain('I have data since');
  });

  test('name no minute for a gap that is shorter than a step: it may be anywhere in it', () => {
    const gap = (minutes: number) => ({ from: NOW - 20 * HOUR, to: NOW - 20 * HOUR + minutes * MINUTE });
    const said = (minutes: number) =>
      textOf(historyCard({ ...counts, step: 10 * MINUTE, holes: [gap(minutes)] }, viewOf('week'), t));
    expect(said(9)).toContain('No data for 9\u00a0min of this period.');
    expect(said(10)).toMatch(/No data for 10\u00a0min: from Sat,? 21 Nov,? 0?1:00 to Sat,? 21 Nov,? 0?1:10/);
  });

  test('show the course in words, hours in the reader’s zone', () => {
    expect(text).toContain('Every four hours (average)');
    // 20:00 in London is 21:00 in Berlin.
    expect(text).toMatch(/▰▱* 21:00–00:00 · \*\*\d+\*\*, peak \d+/);
    expect(text).toMatch(/▰+▱* 20:00–21:00 · \*\*/);
  });

  test('figures stand beside the picture; the course is in words only without a picture', () => {
    const [embed] = card.picture?.embeds ?? [];
    expect(embed?.title).toBe('Drivers · all servers · 24 hours');
    expect(embed?.description).toBe(`${card.embeds[0].description}\n-# As of <t:${seconds(NOW)}:R>`);
    expect(JSON.stringify(embed)).not.toContain('▰');
    expect(text).toContain('▰');
  });

  test('are drawn with the gaps as gaps, police as a second line, and the peak marked', () => {
    const { series, across, up, peak } = linesOf(card);
    expect(series.map(({ label, values }) => [label, values.length])).toEqual([
      ['Drivers', 144],
      ['Police', 144],
    ]);
    const gaps = series[0].values.flatMap((value, index) => (value === null ? [index] : []));
    // Ten hours before the end are 84 steps after the beginning; three hours are 18 steps.
    expect(gaps).toEqual([...Array.from({ length: 18 }, (_, index) => 84 + index), 126, 127]);
    expect(series[1]?.values.map((value) => value === null)).toEqual(
      series[0].values.map((value) => value === null),
    );
    expect(across.map(({ label }) => label)).toEqual(['00:00', '06:00', '12:00', '18:00']);
    expect(across[0]?.at).toBeCloseTo(3 / 24);
    expect(up.at(-1)).toEqual({ at: 200, label: '200' });
    expect(peak).toEqual({ index: 138, value: 181, label: '181' });
  });

  test('have the facts as alt text', () => {
    expect(card.picture?.alt).toMatch(
      /^Line chart\. Drivers · all servers · 24 hours\. Peak 181 \(Sat,? 21 Nov,? 20:00\), average \d+\. No data for 3\u00a0h\u00a020\.$/,
    );
  });
});

test('without a known zone a day has the clock of each reader, and its picture none', () => {
  const card = historyCard(countsOf(stretchOf('day', NOW)), viewOf('day', { zone: noZone }), t);
  expect(textOf(card)).toMatch(/\*\*Peak\*\* \d+ \(<t:\d+:t>\)/);
  expect(textOf(card)).toMatch(/▰+▱* <t:\d+:t>–<t:\d+:t> · /);
  expect(linesOf(card).across).toEqual([
    { at: 1 / 4, label: '18 hr ago' },
    { at: 1 / 2, label: '12 hr ago' },
    { at: 3 / 4, label: '6 hr ago' },
  ]);
  expect(card.picture?.alt).toMatch(/Peak \d+ \(.*:\d\d UTC\)/);
});

test.each(['week', 'month'] as const)(
  'without a known zone the days of a %s are of UTC, and say so',
  (span) => {
    const text = textOf(historyCard(countsOf(stretchOf(span, NOW)), viewOf(span, { zone: noZone }), t));
    expect(text).toContain('Days in UTC.');
    expect(text).toMatch(/\*\*Peak\*\* \d+ \(<t:\d+:d> <t:\d+:t>\)/);
  },
);

test('police on average says where some servers do not report it', () => {
  const counts = countsOf(stretchOf('day', NOW));
  const points = counts.points.map((point) => ({ ...point, isPolicePartly: true }));
  expect(textOf(historyCard({ ...counts, points }, viewOf('day'), t))).toMatch(
    /\*\*Average police\*\* [\d.]+ · ❔ duty partly unknown/,
  );
  expect(textOf(historyCard(counts, viewOf('day'), t))).not.toContain('unknown');
});

test('a week shows its busiest day, and draws its days', () => {
  const stretch = stretchOf('week', NOW);
  const wednesday = Date.parse('2026-11-18T00:00:00+01:00');
  const drivers = (at: number) => usual(at) + (at >= wednesday && at < wednesday + DAY ? 30 : 0);
  const card = historyCard(countsOf(stretch, { drivers }), viewOf('week'), t);
  expect(textOf(card)).toMatch(/\*\*Busiest day\*\* Wednesday,? 18 November \(average\u00a090\)/);
  expect(textOf(card)).toMatch(/Wed,? 18 Nov · \*\*90\*\*, peak \d+/);
  // The busiest part fills its bar, and no other one does.
  const bars = textOf(card).match(/[▰▱]{5,}/g) ?? [];
  expect(bars.filter((bar) => !bar.includes('▱'))).toHaveLength(1);
  // A line where a day begins, its name below its middle.
  const [sunday] = linesOf(card).across;
  expect(sunday?.at).toBeCloseTo(3 / (7 * 24));
  expect(sunday?.labelAt).toBeCloseTo((3 + 12) / (7 * 24));
  expect(linesOf(card).across.map(({ label }) => label)).toEqual([
    ...['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  ]);
});

test('days with few data say how many, and bars show the highest average', () => {
  const text = textOf(historyCard(countsOf(stretchOf('week', NOW)), viewOf('week'), t));
  // The span begins on Saturday at 21:00 in Berlin.
  expect(text).toMatch(/Sat,? 14 Nov · \*\*\d+\*\*, peak \d+ \(3\u00a0h of data\)/);
  expect(text).toMatch(/Sun,? 15 Nov · \*\*\d+\*\*, peak \d+$/m);
  expect(text).toMatch(/^▰{10} /m);
});

test('a part begins where readings do', () => {
  const counts = countsOf({ from: NOW - 3 * MINUTE, to: NOW }, { step: MINUTE });
  expect(textOf(historyCard(counts, viewOf('day'), t))).toMatch(/ 20:57–21:00 · /);
});

test('a step of which little is known counts for as little', () => {
  const counts = countsOf(stretchOf('day', NOW), { drivers: () => 2 });
  const points = counts.points.map((point, index) =>
    index % 2 === 0 ? { ...point, known: MINUTE, drivers: 13 } : point,
  );
  expect(textOf(historyCard({ ...counts, points }, viewOf('day'), t))).toContain('**Average** 3\n');
});

test('a day of which too little is known is not the busiest', () => {
  const stretch = stretchOf('week', NOW);
  const tuesday = Date.parse('2026-11-17T00:00:00+01:00');
  const isTuesday = (at: number) => at >= tuesday && at < tuesday + DAY;
  const counts = countsOf(stretch, {
    drivers: (at) => (isTuesday(at) ? 200 : usual(at)),
    without: [{ from: tuesday + 6 * HOUR, to: tuesday + DAY }],
  });
  expect(textOf(historyCard(counts, viewOf('week'), t))).not.toMatch(/Busiest day\*\* Tuesday/);
});

test('what began within the span is shown, and drawn as a gap before', () => {
  const begun = NOW - 5 * DAY;
  const card = historyCard(countsOf({ from: begun, to: NOW }), viewOf('month'), t);
  expect(textOf(card)).toMatch(/I have data since Mon,? 16 Nov,? 21:00\./);
  const { values } = linesOf(card).series[0];
  expect(values.findIndex((value) => value !== null)).toBe(150);
});

test('without readings there is no picture, and the text says so', () => {
  const card = historyCard(
    { points: [], latest: null, holes: [], step: MINUTE, since: null, until: null },
    viewOf('day'),
    t,
  );
  expect(card.picture).toBeUndefined();
  expect(textOf(card)).toContain('I have no data for this period.');
});

test('where no reading has police, there is one line, and no mention of them', () => {
  const card = historyCard(countsOf(stretchOf('day', NOW), { police: null }), viewOf('day'), t);
  expect(linesOf(card).series).toHaveLength(1);
  expect(textOf(card)).not.toContain('Police');
});

test('a step under way does not make the card one of the future', () => {
  const now = NOW + 3 * MINUTE;
  const card = historyCard(countsOf({ from: NOW - DAY, to: NOW + MINUTE }), viewOf('day', { now }), t);
  expect(textOf(card)).toContain(`As of <t:${seconds(now)}:R>`);
});

/** Nobody on average, and so many at once. */
function peaking(most: number) {
  const counts = countsOf(stretchOf('day', NOW), { drivers: () => 0 });
  const points = counts.points.map((point) => ({ ...point, most }));
  return historyCard({ ...counts, points }, viewOf('day'), t);
}

test('an empty server is drawn as such', () => {
  const card = peaking(0);
  expect(textOf(card)).toContain('**Peak** 0');
});

test.each([
  [0, [0, 1, 2]],
  [3, [0, 1, 2, 3]],
  [4, [0, 1, 2, 3, 4]],
  [7, [0, 2, 4, 6, 8]],
  [20, [0, 5, 10, 15, 20]],
  [41, [0, 20, 40, 60]],
  [143, [0, 50, 100, 150]],
  [999, [0, 500, 1000]],
  [40_000, [0, 10_000, 20_000, 30_000, 40_000]],
])('up to %d, the value axis has round numbers, few of them', (highest, values) => {
  expect(linesOf(peaking(highest)).up.map(({ at }) => at)).toEqual(values);
});

test('on the day when clocks are set back, hours are shown as clocks show them', () => {
  const now = Date.parse('2026-10-25T12:00:00Z');
  const card = historyCard(countsOf(stretchOf('day', now)), viewOf('day', { now }), t);
  const ticks = linesOf(card).across;
  expect(ticks.map(({ label }) => label)).toEqual(['18:00', '00:00', '06:00', '12:00']);
  // Seven hours lie between midnight and six.
  expect(((ticks[2]?.at ?? 0) - (ticks[1]?.at ?? 0)) * 24).toBeCloseTo(7);
});

describe.each(languages)('in %s', (language) => {
  test.each(spans)('the card of a %s is sound, and its chart can be drawn', (span) => {
    const stretch = stretchOf(span, NOW);
    const without = [1, 2, 3].map((hour) => ({ from: NOW - hour * 5 * HOUR, to: NOW - hour * 4 * HOUR }));
    for (const where of places) {
      const zone = { name: 'America/New_York', by: 'guild' } as const;
      const card = historyCard(
        countsOf(stretch, { without }),
        viewOf(span, { where, zone }),
        translatorFor(language),
      );
      expect(breaches(card)).toEqual([]);
      expect(strayMarkup(card.embeds[0])).toEqual([]);
      expect(textOf(card)).not.toMatch(/\b(null|NaN|undefined|Infinity)\b|\[object|Invalid Date/);
      expect(Chart.safeParse(card.picture?.chart).success).toBe(true);
      expect(card.picture?.alt.length).toBeLessThan(1024);
    }
  });
});
