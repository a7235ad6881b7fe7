import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWindow, type WindowModel, windowModels } from '../../../src/sandbox/service/window-models.ts';

/** Whether each model lets a request pass at `now`, by its definition over the moments at which others passed. */
const definitions: Record<
  WindowModel,
  (passed: readonly number[], now: number, limit: number, span: number) => boolean
> = {
  'fixed-epoch': (passed, now, limit, span) =>
    passed.filter((at) => Math.floor(at / span) === Math.floor(now / span)).length < limit,
  'fixed-first': (passed, now, limit, span) => {
    const opened = passed.reduce((start, at) => (at >= start + span ? at : start), Number.NEGATIVE_INFINITY);
    return passed.filter((at) => at >= opened && now < opened + span).length < limit;
  },
  'sliding-log': (passed, now, limit, span) => passed.filter((at) => at > now - span).length < limit,
  gcra: (passed, now, limit, span) => conforms(passed, now, limit, limit, span),
  'gcra-twelfth': (passed, now, limit, span) =>
    conforms(passed, now, Math.max(1, Math.floor(limit / 12)), limit, span),
};

/** The arrival curve: from any request on, no more than the burst and what trickled in since. */
function conforms(
  passed: readonly number[],
  now: number,
  burst: number,
  limit: number,
  span: number,
): boolean {
  return [...passed, now].every(
    (from, index, all) => (all.length - index) * span <= burst * span + (now - from) * limit,
  );
}

const cases = record({
  model: constantFrom(...windowModels),
  limit: integer({ min: 1, max: 40 }),
  span: integer({ min: 1, max: 5000 }),
  start: integer({ min: 0, max: 2_000_000_000_000 }),
  // Mostly crowded, with a pause now and then.
  gaps: array(integer({ min: -40, max: 60 }), { maxLength: 150 }),
});

function* moments(start: number, gaps: readonly number[], span: number): Generator<number> {
  let now = start;
  for (const gap of gaps) {
    now += gap > 55 ? span * (gap - 55) : Math.max(0, gap);
    yield now;
  }
}

describe('every window model', () => {
  test('lets pass exactly what its definition lets pass', () => {
    assert(
      property(cases, ({ model, limit, span, start, gaps }) => {
        const window = createWindow(model, limit, span);
        const passed: number[] = [];
        for (const now of moments(start, gaps, span)) {
          const expected = definitions[model](passed, now, limit, span);
          expect(window.take(now).allowed).toBe(expected);
          if (expected) passed.push(now);
        }
      }),
    );
  });

  test('reports how many more would pass at once, and when a refused one would', () => {
    assert(
      property(cases, ({ model, limit, span, start, gaps }) => {
        const played = (until: readonly number[]) => {
          const window = createWindow(model, limit, span);
          return { window, last: until.map((now) => window.take(now)).at(-1) };
        };
        const times = [...moments(start, [0, ...gaps], span)];
        const now = times.at(-1) ?? start;
        const { window, last } = played(times);
        const remaining = last?.remaining ?? 0;
        for (let more = 0; more < remaining; more += 1) expect(window.take(now).allowed).toBe(true);
        const refused = window.take(now);
        expect(refused).toMatchObject({ allowed: false, remaining: 0 });
        expect(refused.retryAfter).toBeGreaterThan(0);

        const filled = [...times, ...Array.from({ length: remaining }, () => now)];
        const due = now + refused.retryAfter;
        expect(played(filled).window.take(due).allowed).toBe(true);
        expect(played(filled).window.take(due - 1).allowed).toBe(false);
        expect(refused.reset).toBeGreaterThanOrEqual(due);
      }),
    );
  });

  test.each(windowModels)('%s treats a clock that steps back as one that stands still', (model) => {
    // Two at once, for a bucket of a twelfth too.
    const window = createWindow(model, model === 'gcra-twelfth' ? 24 : 2, 1000);
    window.take(5000);
    expect(window.take(1000)).toMatchObject({ allowed: true });
    expect(window.take(0)).toMatchObject({ allowed: false, remaining: 0 });
  });
});

describe('what sets the models apart, with 12 requests in 12 seconds', () => {
  const SPAN = 12_000;
  const burst = (model: WindowModel, times: readonly number[]): number => {
    const window = createWindow(model, 12, SPAN);
    return times.filter((now) => window.take(now).allowed).length;
  };
  const at = (now: number, count: number): number[] => Array.from({ length: count }, () => now);

  test('a fixed window on the epoch allows twice the limit around its border', () => {
    expect(burst('fixed-epoch', [...at(SPAN - 1, 20), ...at(SPAN, 20)])).toBe(24);
    expect(burst('fixed-first', [...at(SPAN - 1, 20), ...at(SPAN, 20)])).toBe(12);
  });

  test('a window from the first request allows it if the first comes long before', () => {
    const times = [0, ...at(SPAN - 1, 20), ...at(SPAN, 20)];
    expect(burst('fixed-first', times)).toBe(24);
    expect(burst('sliding-log', times)).toBe(13);
  });

  test('a GCRA bucket refills one by one, and the small one allows no burst', () => {
    expect(burst('gcra', [...at(0, 20), ...at(SPAN / 2, 20)])).toBe(18);
    expect(burst('gcra-twelfth', [...at(0, 20), 1000, 1500, 2000])).toBe(3);
  });

  test('states the reset as the end of a window, the oldest request, or a full bucket', () => {
    const resets = windowModels.map((model) => {
      const window = createWindow(model, 12, SPAN);
      window.take(1000);
      return [model, window.take(3000).reset];
    });
    expect(Object.fromEntries(resets)).toEqual({
      'fixed-epoch': 12_000,
      'fixed-first': 13_000,
      'sliding-log': 13_000,
      // Two requests at 1000 ms each, of which two seconds have paid the first.
      gcra: 4000,
      'gcra-twelfth': 4000,
    });
  });
});
