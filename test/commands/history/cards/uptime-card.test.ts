import { expect, test } from 'vitest';
import { uptimeCard } from '../../../../commands/history/cards/uptime-card.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/base/duration.ts';
import { languages } from '../../../../src/base/languages.ts';
import type { Uptime } from '../../../../src/community/history/history.ts';
import { Chart } from '../../../../src/pictures/chart.ts';
import { breaches } from '../../../support/embed-limits.ts';
import { createTranslators } from '../../../support/translators.ts';

const NOW = Date.parse('2026-11-21T20:00:00Z');
const translatorFor = createTranslators();
const t = translatorFor('en-GB');

const at = (ago: number): number => NOW - ago;
const view: Parameters<typeof uptimeCard>[1] = {
  server: 'one',
  span: 'week',
  zone: { name: 'Europe/Berlin', by: 'person' },
  now: NOW,
};

/** Of the last seven days six are known, with outages of an hour, of at most 22 minutes, and one under way. */
const uptime: Uptime = {
  runs: [
    { from: at(30 * DAY), to: at(6 * DAY), isUp: true },
    { from: at(6 * DAY), to: at(6 * DAY - HOUR), isUp: false },
    { from: at(6 * DAY - HOUR), to: at(4 * DAY), isUp: true },
    { from: at(3 * DAY), to: at(3 * DAY - 10 * MINUTE), isUp: false },
    { from: at(3 * DAY - 22 * MINUTE), to: at(5 * MINUTE), isUp: true },
    { from: at(5 * MINUTE), to: NOW, isUp: false },
  ],
  outages: [
    { from: at(20 * DAY), until: at(19 * DAY), to: at(19 * DAY) },
    { from: at(6 * DAY), until: at(6 * DAY - HOUR), to: at(6 * DAY - HOUR) },
    { from: at(3 * DAY), until: at(3 * DAY - 10 * MINUTE), to: at(3 * DAY - 22 * MINUTE) },
    { from: at(5 * MINUTE), until: NOW, to: null },
  ],
};

const textOf = ({ embeds: [embed] }: ReturnType<typeof uptimeCard>): string =>
  [
    embed.title,
    embed.description,
    ...(embed.fields ?? []).map(({ name, value }) => `${name}\n${value}`),
  ].join('\n');

test('the share is of the known time, and what is not known is named', () => {
  const text = textOf(uptimeCard(uptime, view, t));
  const known = 6 * DAY - 12 * MINUTE;
  const share = ((known - HOUR - 10 * MINUTE - 5 * MINUTE) / known) * 100;
  expect(text).toContain('Uptime · One · 7 days');
  expect(text).toContain(`Up **${share.toFixed(1)}%** of the 144\u00a0h I have data for`);
  expect(text).toContain('No data for 24\u00a0h\u00a012; not counted');
});

test('a server that was down for most of the time is no green one', () => {
  const dotOf = (isUp: boolean) =>
    /[🟢🔴]/u.exec(
      textOf(uptimeCard({ ...uptime, runs: [{ from: view.now - DAY, to: view.now, isUp }] }, view, t)),
    )?.[0];
  expect([dotOf(true), dotOf(false)]).toEqual(['🟢', '🔴']);
});

test('a server with data for less than a twentieth of the time is not green', () => {
  const known = (ago: number) =>
    textOf(uptimeCard({ runs: [{ from: at(ago), to: NOW, isUp: true }], outages: [] }, view, t));
  expect(known(16 * MINUTE)).toContain('❔ Up **100%** of the 16 min I have data for');
  expect(known(8 * HOUR)).not.toContain('🟢');
  expect(known(9 * HOUR)).toContain('🟢');
});

test('its age is the time of the last reading, not of the question', () => {
  const runs = [{ from: at(6 * DAY), to: at(2 * HOUR), isUp: true }];
  const text = textOf(uptimeCard({ runs, outages: [] }, view, t));
  expect(text).toContain(`<t:${at(2 * HOUR) / 1000}:R>`);
  expect(text).not.toContain(`<t:${NOW / 1000}:R>`);
});

test('the last outages stand newest first with their lengths, and no older ones', () => {
  const lines = textOf(uptimeCard(uptime, view, t)).split('\n');
  const from = lines.findIndex((line) => line.includes('Last outages')) + 1;
  expect(lines.slice(from, from + 3).map((line) => line.replace(/<t:\d+:f>/, 'then'))).toEqual([
    'then · 5\u00a0min so far',
    'then · at most 22\u00a0min',
    'then · 1\u00a0h',
  ]);
  const many = Array.from({ length: 30 }, (_, index) => ({
    from: at(6 * DAY - index * HOUR),
    until: at(0),
    to: at(0),
  }));
  expect(textOf(uptimeCard({ ...uptime, outages: many }, view, t)).match(/<t:\d+:f>/g)).toHaveLength(10);
});

test('at most is never less than an outage may have lasted, and so far never more', () => {
  const outage = (ms: number, to: 'unsure' | 'open') => {
    const from = at(2 * DAY);
    const end = to === 'open' ? { until: from + ms, to: null } : { until: from, to: from + ms };
    return textOf(uptimeCard({ ...uptime, outages: [{ from, ...end }] }, view, t));
  };
  expect(outage(20.1 * MINUTE, 'unsure')).toContain('at most 21\u00a0min');
  expect(outage(20.9 * MINUTE, 'open')).toContain('20\u00a0min so far');
});

test('a bar is a day in the reader’s zone, with what is not known left open', () => {
  const chart = uptimeCard(uptime, view, t).picture?.chart;
  if (chart?.kind !== 'bars') throw new Error('no bars');
  expect(chart.bars).toHaveLength(8);
  expect(chart.bars.map(({ up, down }) => Math.round((up + down) * 100))).toEqual(
    [100, 100, 100, 13, 88, 99, 100, 100].map(() => expect.any(Number)),
  );
  expect(chart.bars.some(({ up, down }) => up + down < 0.9)).toBe(true);
  expect(chart.bars[0]).toEqual({ up: 1, down: 0 });
});

test('nothing that is not whole reads 100%, and without data there is no picture', () => {
  const nearly = {
    runs: [
      { from: at(7 * DAY), to: at(1000), isUp: true },
      { from: at(1000), to: NOW, isUp: false },
    ],
    outages: [],
  };
  expect(textOf(uptimeCard(nearly, view, t))).toContain('**99.9%**');
  const none = uptimeCard({ runs: [], outages: [] }, view, t);
  expect(textOf(none)).toContain('no data for this period');
  expect(none.picture).toBeUndefined();
});

test.each(languages)('in %s every span fits, and the chart is one that can be drawn', (locale) => {
  for (const span of ['week', 'month', 'year'] as const)
    for (const server of ['training', null]) {
      const card = uptimeCard(uptime, { ...view, span, server }, translatorFor(locale));
      expect(breaches(card)).toEqual([]);
      expect(Chart.safeParse(card.picture?.chart).error).toBeUndefined();
      expect(card.picture?.alt.length).toBeLessThan(1024);
    }
});
