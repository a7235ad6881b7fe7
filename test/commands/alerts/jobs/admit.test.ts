import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admitAlerts, isSilent } from '../../../../commands/alerts/jobs/admit.ts';
import {
  type AlertRule,
  findSayable,
  newWatchState,
  observeReading,
  withoutPending,
} from '../../../../commands/alerts/models/observe.ts';
import type { Watch } from '../../../../commands/alerts/models/watch.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/base/duration.ts';
import { channelWatch, directWatch } from '../support/watches.ts';

/** Noon in London, where the watches are. */
const NOON = Date.UTC(2026, 2, 5, 12);

/** After an alert the same watch stays silent. */
const COOLDOWN = 40 * MINUTE;
const SNOOZE = 8 * HOUR;

const admit = (waiting: readonly Watch[], earlier: Parameters<typeof admitAlerts>[1], now: number) =>
  admitAlerts(
    waiting.map((watch) => ({ watch, due: [], since: now })),
    earlier,
    now,
  ).admitted.map(({ watch }) => watch);
const sent = (at: number, ...watches: string[]) => ({ at, watches });

describe('what may be sent', () => {
  const one = directWatch('aaaaaa');
  const two = directWatch('bbbbbb');

  test('goes together to one place, and to no other', () => {
    expect(admit([one, two, channelWatch('cccccc')], [], NOON)).toEqual([one, two]);
    expect(admit([], [], NOON)).toEqual([]);
  });

  test('is not what was said less than 40 minutes ago', () => {
    expect(admit([one, two], [sent(NOON - COOLDOWN + 1, 'aaaaaa')], NOON)).toEqual([two]);
    expect(admit([one, two], [sent(NOON - COOLDOWN, 'aaaaaa')], NOON)).toEqual([one, two]);
  });

  test.each([
    ['a person', one, 6],
    ['a channel', channelWatch('cccccc'), 12],
  ])('is nothing once %s has had their messages of 24 hours', (_whose, watch, most) => {
    const times = Array.from({ length: most }, (_, index) => sent(NOON - DAY + 1 + index * HOUR, 'zzzzzz'));
    expect(admit([watch], times, NOON)).toEqual([]);
    expect(admit([watch], times, NOON + 1)).toEqual([watch]);
  });

  test('is silenced by messages from an hour ahead, but not from a month ahead', () => {
    const ahead = (ms: number) => Array.from({ length: 6 }, (_, index) => sent(NOON + ms + index, 'aaaaaa'));
    expect(admit([one, two], ahead(30 * DAY), NOON)).toEqual([one, two]);
    expect(admit([one, two], ahead(HOUR), NOON)).toEqual([]);
    expect(admit([one, two], ahead(10 * MINUTE).slice(1), NOON)).toEqual([two]);
  });

  test('speaks of as many watches as fit into its buttons', () => {
    const many = Array.from({ length: 20 }, (_, index) =>
      directWatch(`aaaa${String(index).padStart(2, '0')}`),
    );
    expect(admit(many, [], NOON)).toEqual(many.slice(0, 10));
  });
});

describe('a watch is silent', () => {
  const local = (hour: number, minute = 0): number => Date.UTC(2026, 2, 5, hour, minute);

  test.each([
    [22, 59, false],
    [23, 0, true],
    [3, 0, true],
    [7, 59, true],
    [8, 0, false],
  ])('by its own clock at %i:%i: %s', (hour, minute, silent) => {
    expect(isSilent(directWatch('aaaaaa'), local(hour, minute))).toBe(silent);
    expect(isSilent(directWatch('aaaaaa', { zone: 'Europe/Istanbul' }), local(hour - 3, minute))).toBe(
      silent,
    );
    expect(isSilent(directWatch('aaaaaa', { atNight: true }), local(hour, minute))).toBe(false);
  });

  test('while it is snoozed or paused', () => {
    const snoozed = directWatch('aaaaaa', { snoozedUntil: NOON + SNOOZE });
    expect([NOON, NOON + SNOOZE - 1, NOON + SNOOZE].map((now) => isSilent(snoozed, now))).toEqual([
      true,
      true,
      false,
    ]);
    const paused = directWatch('aaaaaa', { paused: { why: 'closed', since: NOON } });
    expect(isSilent(paused, NOON + DAY)).toBe(true);
  });
});

test('no run of readings sends more than is allowed, nor anything on a single reading', () => {
  const rules: readonly AlertRule[] = [
    { gap: 10 * MINUTE, away: 0, patience: MINUTE },
    { gap: 10 * MINUTE, away: 10 * MINUTE, patience: MINUTE },
    { gap: Number.POSITIVE_INFINITY, away: 0, patience: Number.POSITIVE_INFINITY },
  ];
  const met = fc.array(fc.boolean(), { minLength: rules.length, maxLength: rules.length });
  const step = fc.record({ wait: fc.integer({ min: 1, max: 90 }), met });
  fc.assert(
    fc.property(fc.array(step, { minLength: 50, maxLength: 400 }), (steps) => {
      let now = NOON;
      const watched = rules.map((rule, index) => ({
        rule,
        watch: directWatch(`aaaaa${index}`),
        state: newWatchState,
        readings: [] as boolean[],
      }));
      const history: { readonly at: number; readonly watches: readonly string[] }[] = [];
      for (const one of steps) {
        now += one.wait * MINUTE;
        for (const [index, each] of watched.entries()) {
          each.readings.push(one.met[index] === true);
          const reading = { at: now, scope: '', met: one.met[index] === true ? ['x'] : [] };
          each.state = observeReading(each.state, reading, each.rule);
        }
        const waiting = watched.filter(({ state, rule }) => findSayable(state, now, rule).length > 0);
        const admitted = admit(
          waiting.map(({ watch }) => watch),
          history,
          now,
        );
        for (const each of watched) {
          const isSaid = admitted.includes(each.watch);
          each.state = withoutPending(each.state, isSaid ? ['x'] : [], now + 1, each.rule);
          if (!isSaid) continue;
          expect(each.readings.slice(-2)).toEqual([true, true]);
          const last = history.findLast(({ watches }) => watches.includes(each.watch.id));
          expect(now - (last?.at ?? 0)).toBeGreaterThanOrEqual(COOLDOWN);
          expect(isSilent(each.watch, now)).toBe(false);
        }
        if (admitted.length > 0) history.push(sent(now, ...admitted.map(({ id }) => id)));
      }
      for (const { at } of history)
        expect(history.filter((one) => at - one.at < DAY && one.at <= at).length).toBeLessThanOrEqual(6);
    }),
    { numRuns: 100 },
  );
});
