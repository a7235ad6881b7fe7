import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { type ClockReading, openDurableClock } from '../../../src/service/budget/ledger/durable-clock.ts';

const START = 1_790_000_000_000;
const HOUR = 3_600_000;

/** The machine's two clocks, each put where the test wants it. */
function machine(wall: number, monotonic: number): Clock & { wall: number; mono: number } {
  const clocks = { wall, mono: monotonic };
  return Object.assign(clocks, {
    now: () => clocks.wall,
    monotonic: () => clocks.mono,
    after: () => () => {},
  });
}

const stored: ClockReading = { time: START + 500, wall: START, monotonic: 70_000, boot: 'one' };

describe('after a restart of the process', () => {
  test.each([
    { what: 'both clocks agree', wall: 60_000, monotonic: 60_000, boot: 'one', passed: 60_000 },
    { what: 'the wall clock was put back', wall: -HOUR, monotonic: 60_000, boot: 'one', passed: 60_000 },
    { what: 'the wall clock was put forward', wall: HOUR, monotonic: 60_000, boot: 'one', passed: 60_000 },
    {
      what: 'no time has passed, whatever the wall clock says',
      wall: HOUR,
      monotonic: 0,
      boot: 'one',
      passed: 0,
    },
    {
      what: 'the machine was restarted, up for longer and put back',
      wall: 5,
      monotonic: 9,
      boot: 'two',
      passed: 5,
    },
    { what: 'the machine was restarted', wall: HOUR, monotonic: -60_000, boot: 'two', passed: HOUR },
    {
      what: 'the machine was restarted and is up for longer',
      wall: HOUR,
      monotonic: 9,
      boot: 'two',
      passed: 9,
    },
    { what: 'it came up in the past', wall: -HOUR, monotonic: -60_000, boot: 'two', passed: 0 },
    { what: 'nothing tells starts apart', wall: HOUR, monotonic: 60_000, boot: null, passed: 60_000 },
    { what: 'nothing tells starts apart, put back', wall: -HOUR, monotonic: 60_000, boot: null, passed: 0 },
  ])('$passed ms have passed where $what', ({ wall, monotonic, boot, passed }) => {
    const clock = machine(START + wall, 70_000 + monotonic);
    expect(openDurableClock(clock, boot).now(stored)).toBe(stored.time + passed);
  });

  test('boots without an id then are not distinguished now', () => {
    const clock = machine(START + 1000, 70_000 + HOUR);
    expect(openDurableClock(clock, null).now({ ...stored, boot: null })).toBe(stored.time + 1000);
  });
});

describe('while the process runs', () => {
  test('begins with the wall clock', () => {
    expect(openDurableClock(machine(START, 5), 'one').now(null)).toBe(START);
  });

  test.each([-5 * HOUR, 5 * HOUR])('a step of the wall clock by %d ms changes nothing', (step) => {
    const clock = machine(START, 5);
    const durable = openDurableClock(clock, 'one');
    durable.now(null);
    clock.wall += step + 1000;
    clock.mono += 1000;
    expect(durable.now(null)).toBe(START + 1000);
  });

  test('never reports an earlier time than another process has written', () => {
    const clock = machine(START, 5);
    const durable = openDurableClock(clock, 'one');
    durable.now(null);
    expect(durable.now({ ...stored, time: START + 700 })).toBe(START + 700);
    clock.mono += 100;
    expect(durable.now({ ...stored, time: START + 700 })).toBe(START + 800);
    expect(durable.now({ ...stored, time: START })).toBe(START + 800);
  });

  test('reports a time together with what the clocks said', () => {
    const clock = machine(START, 5);
    expect(openDurableClock(clock, 'one').reading(START + 9)).toEqual({
      time: START + 9,
      wall: START,
      monotonic: 5,
      boot: 'one',
    });
  });
});
