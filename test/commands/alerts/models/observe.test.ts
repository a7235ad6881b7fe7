import { describe, expect, test } from 'vitest';
import {
  type AlertRule,
  initialState,
  newWatchState,
  observeReading,
  type WatchState,
} from '../../../../commands/alerts/models/observe.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 5, 12);
const minute = (index: number): number => START + index * MINUTE;
const passing: AlertRule = { gap: 3 * MINUTE, away: 0, patience: MINUTE };
const driver: AlertRule = { ...passing, away: 10 * MINUTE };
const lasting: AlertRule = { gap: Number.POSITIVE_INFINITY, away: 0, patience: Number.POSITIVE_INFINITY };

/** One reading a minute, from `start`: each `+` meets the condition, each `-` does not, a blank is no reading. */
function read(
  pattern: string,
  rule: AlertRule,
  state: WatchState = newWatchState,
  start = 0,
  scope = 'a',
): WatchState {
  return [...pattern].reduce(
    (before, sign, index) =>
      sign === ' '
        ? before
        : observeReading(before, { at: minute(start + index), scope, met: sign === '+' ? ['x'] : [] }, rule),
    state,
  );
}

/** In which minute each alert becomes pending. */
function alerts(pattern: string, rule: AlertRule, state?: WatchState): readonly number[] {
  return [...pattern].flatMap((_, index) => {
    const since = minute(index);
    const after = read(pattern.slice(0, index + 1), rule, state);
    return after.pending.some((one) => one.since === since) ? [index] : [];
  });
}

describe('a condition', () => {
  test.each([
    ['that one reading meets is no news', '--+-+-+--', []],
    ['that holds is news once, at the second reading that meets it', '--+++++++', [3]],
    ['that one reading does not meet still holds', '--++-++', [3]],
    ['that holds from the beginning is no news', '++++', []],
    ['met while nobody looked is no news', '--    ++', []],
    ['is news after a short gap', '--  ++', [5]],
    ['is news after a gap once it begins anew', '--    ++--++', [11]],
  ])('%s', (_what, pattern, expected) => {
    expect(alerts(pattern, passing)).toEqual(expected);
  });

  test('that its maker has been told of is no news, and the next time it is', () => {
    const told = initialState({ met: ['x'] }, minute(-1));
    expect(alerts('+++', passing, told)).toEqual([]);
    expect(alerts('+--++', passing, told)).toEqual([4]);
  });

  test('that was not met when the watch was made is news at once', () => {
    const told = initialState({ met: [] }, minute(-1));
    expect(alerts('++', passing, told)).toEqual([1]);
    expect(alerts('++', driver, told)).toEqual([1]);
  });

  test('that its maker has been told of is bound to where it has been read since', () => {
    const since = read('--', passing, initialState({ met: [] }, minute(-1)));
    expect(read('++', passing, since, 2, 'b').pending).toEqual([]);
    expect(read('++', passing, since, 2, 'a').pending).toEqual([{ name: 'x', since: minute(3) }]);
  });

  test('read elsewhere starts over', () => {
    const before = read('--', passing);
    expect(read('++', passing, before, 2, 'b').pending).toEqual([]);
    expect(read('++', passing, before, 2, 'a').pending).toEqual([{ name: 'x', since: minute(3) }]);
  });
});

describe('a driver', () => {
  const off = (minutes: number): string => '-'.repeat(minutes);

  test.each([
    ['who was away for ten minutes comes on', `++${off(10)}++`, [13]],
    ['who was away for nine minutes has been on', `++${off(9)}++`, []],
    ['who is seen first has not come on', `${off(9)}++`, []],
    ['who was not there for ten minutes comes on', `${off(10)}++`, [11]],
    ['who reconnects twice has been on', `++${off(9)}++${off(9)}++`, []],
  ])('%s', (_what, pattern, expected) => {
    expect(alerts(pattern, driver)).toEqual(expected);
  });
});

describe('data that stands still', () => {
  test('is no second reading', () => {
    const once = observeReading(read('--', passing), { at: minute(2), scope: 'a', met: ['x'] }, passing);
    expect(observeReading(once, { at: minute(2), scope: 'a', met: ['x'] }, passing)).toBe(once);
    expect(observeReading(once, { at: minute(1), scope: 'a', met: ['x'] }, passing)).toBe(once);
  });
});

describe('several conditions of one watch', () => {
  test('are news one by one, and wait as long as they are true', () => {
    const at = (index: number, ...met: string[]) => ({ at: minute(index), scope: 'a', met });
    let state = [at(0), at(1), at(2, 'a'), at(3, 'a', 'b'), at(4, 'a', 'b')].reduce(
      (before, reading) => observeReading(before, reading, lasting),
      newWatchState,
    );
    expect(state.pending.map(({ name }) => name)).toEqual(['a', 'b']);
    state = [at(5, 'b'), at(6, 'b')].reduce(
      (before, reading) => observeReading(before, reading, lasting),
      state,
    );
    expect(state.pending.map(({ name }) => name)).toEqual(['b']);
  });

  test('are bounded', () => {
    const met = Array.from({ length: 500 }, (_, index) => `car ${index}`);
    const state = [0, 1, 2].reduce(
      (before, index) => observeReading(before, { at: minute(index), scope: '', met }, lasting),
      newWatchState,
    );
    expect(JSON.stringify(state).length).toBeLessThan(5000);
  });
});
