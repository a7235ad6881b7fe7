import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../../src/bot/operator/metrics.ts';
import type { Sample } from '../../../src/bot/operator/sample.ts';
import type { Paused } from '../../../src/cards/board/board.ts';
import { eventful, eventfulText } from './eventful.ts';
import { readMetrics } from './read-metrics.ts';
import { processSample, sample } from './samples.ts';

describe('the text for Prometheus', () => {
  test('grows with commands and endpoints alone, and no further than documented', async () => {
    const text = await eventfulText();
    const series = readMetrics(text).flatMap(({ name, series }) =>
      series.map(({ labels }) => ({ name, labels })),
    );
    /** The most series that one value of a label has. */
    const each = (name: string, label: string): number => {
      const values = series.filter((one) => one.name === name).map(({ labels }) => labels[label]);
      return Math.max(...[...Map.groupBy(values, (value) => value).values()].map(({ length }) => length));
    };
    const growing = ['pitwall_interactions_total', 'pitwall_service_calls_total'];
    const others =
      text.trimEnd().split('\n').length - series.filter(({ name }) => growing.includes(name)).length;
    const said = /at most (\d+) lines, (\d+) more for each command and (\d+) for each endpoint/.exec(
      readFileSync(new URL('../../../deploy/README.md', import.meta.url), 'utf8'),
    );
    expect(others).toBeLessThanOrEqual(Number(said?.[1]));
    expect(each('pitwall_interactions_total', 'command')).toBe(Number(said?.[2]));
    expect(each('pitwall_service_calls_total', 'endpoint')).toBe(Number(said?.[3]));
  });

  test('keeps to the conventions of Prometheus', async () => {
    const families = readMetrics(await eventfulText());
    expect(families.length).toBeGreaterThan(20);
    for (const { name, type, help, series } of families) {
      expect(name).toMatch(/^(?:pitwall|process|nodejs)(?:_[a-z]+)+$/);
      expect(help, name).toMatch(/^[A-Z].*\.$/);
      // A counter ends in _total, and nothing else does.
      expect(type, name).toMatch(/^(?:counter|gauge|histogram)$/);
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
      expect(name).not.toMatch(
        /_(?:ms|milliseconds|minutes|hours|days|kb|mb|percent|count|sum|bucket)(?:_|$)/,
      );
      // Time in seconds, memory in bytes.
      if (/_(?:age|latency|lag|time|closed|cpu|acknowledgement)_/.test(name))
        expect(name).toMatch(/_seconds/);
      if (/_(?:memory|heap)_/.test(name)) expect(name).toMatch(/_bytes$/);
      expect(series.length, name).toBeGreaterThan(0);
      for (const { labels } of series)
        for (const label of Object.keys(labels)) expect(label, name).toMatch(/^[a-z]+$/);
    }
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
  });

  test('reports the same series once', async () => {
    const lines = (await eventfulText()).split('\n').filter((line) => /^[a-z]/.test(line));
    const series = lines.map((line) => line.replace(/ [^ ]*$/, ''));
    expect(new Set(series).size).toBe(series.length);
  });
});

describe('a figure', () => {
  const value = async (name: string, labels = {}, of: Partial<Sample> = {}) => {
    const text = await createMetrics().text({ ...eventful, ...of }, processSample);
    const { series = [] } = readMetrics(text).find((family) => family.name === name) ?? {};
    return series.find((one) => JSON.stringify(one.labels) === JSON.stringify(labels))?.value;
  };

  test.each([
    ['pitwall_gateway_shards_ready', {}, 1],
    ['pitwall_service_calls_total', { endpoint: 'car', result: 'unavailable' }, 7],
    ['pitwall_cache_lookups_total', {}, 100],
    ['pitwall_cache_misses_total', {}, 30],
    ['pitwall_overview_age_seconds', {}, 30],
    ['pitwall_budget_requests', { state: 'left' }, 718],
    ['pitwall_budget_limit_requests', {}, 720],
    ['pitwall_boards', { state: 'partly-stale' }, 1],
    ['pitwall_board_age_seconds', {}, 30],
    ['pitwall_board_writes_total', { outcome: 'too-fast' }, 3],
    ['pitwall_gateway_latency_seconds', {}, 0.04],
    ['pitwall_clock_skew_seconds', {}, -600],
    ['process_resident_memory_bytes', {}, 90_000_000],
    ['process_cpu_seconds_total', {}, 2.5],
  ])('%s %j is %d', async (name, labels, expected) => {
    expect(await value(name, labels)).toBe(expected);
  });

  test('that is not known is left out, and so no alert takes it for zero', async () => {
    const unknown = {
      budget: null,
      boards: { statuses: [], writes: new Map() },
      overview: { asOf: null, isFresh: false, fault: null },
      gateway: { ...sample.gateway, latency: null },
    };
    expect(await value('pitwall_budget_limit_requests', {}, unknown)).toBeUndefined();
    expect(await value('pitwall_budget_refusals_total', {}, unknown)).toBeUndefined();
    expect(await value('pitwall_overview_age_seconds', {}, unknown)).toBeUndefined();
    expect(await value('pitwall_board_age_seconds', {}, unknown)).toBeUndefined();
    expect(await value('pitwall_gateway_latency_seconds', {}, unknown)).toBeUndefined();
  });

  test('of the parts shows what they say now, and goes when they say nothing', async () => {
    const metrics = createMetrics();
    await metrics.text(eventful, processSample);
    const text = await metrics.text({ ...sample, budget: null }, processSample);
    expect(text).not.toMatch(/^pitwall_(?:boards|budget_requests|service_calls_total)[ {]/m);
    expect(text).toMatch(/^pitwall_cache_lookups_total 0$/m);
  });

  test('of a paused board does not count as old', async () => {
    const paused: Paused = { why: 'rights', missing: [], since: 0, notified: true };
    const statuses = [{ mode: 'live' as const, paused, checked: 0 }];
    const boards = { statuses, writes: new Map() };
    expect(await value('pitwall_board_age_seconds', {}, { boards })).toBeUndefined();
    expect(await value('pitwall_boards', { state: 'paused' }, { boards })).toBe(1);
  });

  test('of boards that run is the age of the oldest', async () => {
    const ages = [50_000, 200_000, 90_000].map((age) => ({
      ...{ mode: 'live' as const, paused: null, checked: sample.now - age },
    }));
    const boards = { statuses: ages, writes: new Map() };
    expect(await value('pitwall_board_age_seconds', {}, { boards })).toBe(200);
  });
});

test('counts interactions by command and outcome, timed until Discord has the answer', async () => {
  const metrics = createMetrics();
  metrics.count({ command: 'car', outcome: 'answered', acknowledgedAfter: 90 });
  metrics.count({ command: 'car', outcome: 'answered', acknowledgedAfter: 450 });
  metrics.count({ command: 'car', outcome: 'failed', acknowledgedAfter: null });
  const text = await metrics.text(null, processSample);
  expect(text).toContain('pitwall_interactions_total{command="car",outcome="answered"} 2\n');
  expect(text).toContain('pitwall_interactions_total{command="car",outcome="failed"} 1\n');
  expect(text).toContain('pitwall_acknowledgement_seconds_bucket{le="0.1"} 1\n');
  expect(text).toContain('pitwall_acknowledgement_seconds_bucket{le="0.5"} 2\n');
  expect(text).toContain('pitwall_acknowledgement_seconds_sum 0.54\n');
  expect(text).toContain('pitwall_acknowledgement_seconds_count 2\n');
});
