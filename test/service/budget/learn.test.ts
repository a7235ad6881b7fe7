import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../src/base/duration.ts';
import type { RateReport } from '../../../src/base/errors.ts';
import type { QuotaEstimate } from '../../../src/service/budget/estimate.ts';
import { learnFromAnswer, learnRefusal } from '../../../src/service/budget/learn.ts';
import type { Counts, Permit } from '../../../src/service/budget/ledger/ledger-store.ts';
import { boundOf, countsOf, estimateOf, NOW, permitOf } from './examples.ts';

/** A healthy answer: 600 of 720 left, until a reset in half an hour. */
function rateOf(known: Partial<RateReport> & { readonly resetIn?: number } = {}): RateReport {
  const { resetIn = 1800, ...rest } = known;
  return {
    limit: 720,
    windowSeconds: 3600,
    remaining: 600,
    reset: NOW / 1000 + resetIn,
    date: NOW,
    retryAfter: null,
    ...rest,
  };
}

interface Heard {
  readonly estimate?: Partial<QuotaEstimate>;
  readonly rate?: RateReport | null;
  readonly permit?: Partial<Permit>;
  readonly counts?: Partial<Counts>;
}

function heard({ estimate, rate = rateOf(), permit, counts }: Heard): QuotaEstimate {
  return learnFromAnswer(estimateOf(estimate), { permit: permitOf(permit), rate }, countsOf(counts), NOW);
}

function refused({ estimate, rate = null, permit, counts }: Heard): QuotaEstimate {
  return learnRefusal(estimateOf(estimate), { permit: permitOf(permit), rate }, countsOf(counts), NOW);
}

describe('what the headers of an answer bound', () => {
  test('is Remaining until the reset, for the window that began one window before it', () => {
    const { bound } = heard({ counts: { interactive: 50, background: 20, inFlight: 5 } });
    expect(bound).toEqual({
      remaining: 600,
      permit: 2,
      takenAt: NOW - 100,
      at: NOW,
      // Both Reset and Date are whole seconds.
      until: NOW + 1_801_000,
      since: NOW + 1_801_000 - HOUR - 3000,
      counted: 65,
      check: null,
    });
  });

  test.each<[string, Partial<RateReport>]>([
    ['no Reset', { reset: null }],
    ['a Reset three hours before its Date', { reset: NOW / 1000 - 10_800 }],
    ['a Reset without a Date', { date: null }],
    ['a Reset after more than a window', { reset: NOW / 1000 + 3602 }],
  ])('holds for a twelfth of the window where there is %s', (_what, rate) => {
    expect(heard({ rate: rateOf(rate) }).bound).toMatchObject({ until: NOW + 5 * MINUTE, since: null });
  });

  test.each<[string, number | null]>([
    ['absent', null],
    ['negative', -1],
    ['more than the limit', 721],
  ])('is nothing for now where Remaining is %s and nothing was known', (_what, remaining) => {
    const { bound, otherUsage, peak } = heard({
      estimate: { bound: null, otherUsage: { amount: 7, at: NOW } },
      rate: rateOf({ remaining }),
    });
    expect(bound).toMatchObject({ remaining: null, until: NOW + 1_801_000 });
    expect(otherUsage.amount).toBe(7);
    expect(peak).toBeNull();
  });

  test('of an answer without headers is nothing, for a twelfth of the window', () => {
    const { bound } = heard({ estimate: { bound: null }, rate: null });
    expect(bound).toMatchObject({ remaining: null, until: NOW + 5 * MINUTE, since: null });
  });

  test('is not undone by an answer that says nothing', () => {
    const bound = boundOf({ remaining: 9 });
    expect(heard({ estimate: { bound }, rate: null }).bound).toBe(bound);
    expect(heard({ estimate: { bound }, rate: rateOf({ remaining: null }) }).bound).toBe(bound);
  });

  test('is not undone by the answer to an earlier request that was overtaken', () => {
    const bound = boundOf({ permit: 3 });
    expect(heard({ estimate: { bound }, permit: { id: 2 } }).bound).toBe(bound);
    expect(heard({ estimate: { bound }, permit: { id: 4 } }).bound?.permit).toBe(4);
  });

  test('of an earlier request is taken where the later bound has run out', () => {
    const bound = boundOf({ permit: 3, until: NOW });
    expect(heard({ estimate: { bound }, permit: { id: 2 } }).bound?.permit).toBe(2);
  });

  test('counts nothing of ours below zero', () => {
    expect(heard({ counts: { interactive: 1, inFlight: 3 } }).bound?.counted).toBe(0);
  });
});

describe('an answer', () => {
  test('ends the probe that it belongs to, and no other', () => {
    const probe = { permit: 2, until: NOW + 5000 };
    expect(heard({ estimate: { probe } }).probe).toBeNull();
    expect(heard({ estimate: { probe }, permit: { id: 4 } }).probe).toBe(probe);
  });

  test('ends a row of refusals and keeps their count', () => {
    const after = heard({ estimate: { refusals: 5, refusedInRow: 2 } });
    expect(after).toMatchObject({ refusals: 5, refusedInRow: 0 });
  });
});

describe('the highest Remaining', () => {
  test.each([
    { what: 'is remembered', before: null, remaining: 600, after: 600 },
    { what: 'rises', before: { remaining: 500, at: NOW - 1 }, remaining: 600, after: 600 },
    { what: 'does not fall', before: { remaining: 650, at: NOW - 24 * HOUR }, remaining: 600, after: 650 },
    {
      what: 'falls after a day',
      before: { remaining: 650, at: NOW - 24 * HOUR - 1 },
      remaining: 600,
      after: 600,
    },
  ])('$what', ({ before, remaining, after }) => {
    expect(heard({ estimate: { peak: before }, rate: rateOf({ remaining }) }).peak?.remaining).toBe(after);
  });

  test('is dated again whenever it is reached', () => {
    const peak = { remaining: 600, at: NOW - HOUR };
    expect(heard({ estimate: { peak } }).peak).toEqual({ remaining: 600, at: NOW });
  });
});

describe('what others use', () => {
  test.each([
    { what: 'is what is missing beyond our own', peak: 719, remaining: 600, sinceReset: 20, expected: 100 },
    {
      what: 'is nothing where all that is missing is ours',
      peak: 719,
      remaining: 600,
      sinceReset: 120,
      expected: 0,
    },
    { what: 'is never less than nothing', peak: 719, remaining: 700, sinceReset: 50, expected: 0 },
    {
      what: 'is judged by the burst of a small bucket',
      peak: 59,
      remaining: 30,
      sinceReset: 10,
      expected: 20,
    },
  ])('$what', ({ peak, remaining, sinceReset, expected }) => {
    const after = heard({
      estimate: { peak: { remaining: peak, at: NOW }, bound: boundOf({ remaining: peak }) },
      rate: rateOf({ remaining }),
      counts: { sinceReset },
    });
    expect(after.otherUsage).toEqual({ amount: expected, at: NOW });
  });

  test('is not lowered by a window in which less was seen: it fades over time', () => {
    const otherUsage = { amount: 100, at: NOW };
    expect(
      heard({ estimate: { otherUsage, peak: { remaining: 719, at: NOW } }, counts: { sinceReset: 120 } })
        .otherUsage,
    ).toBe(otherUsage);
  });
});

describe('a Remaining of next to nothing, out of the blue', () => {
  const much = { bound: boundOf({ remaining: 700 }), peak: { remaining: 719, at: NOW } };
  const doubted = (known: Partial<NonNullable<QuotaEstimate['bound']>> = {}) =>
    boundOf({ remaining: 0, at: NOW - 1000, check: { at: NOW + 50_000, afterReset: false }, ...known });

  test.each<{ what: string; bound: QuotaEstimate['bound']; remaining: number; refusedInRow?: number }>([
    { what: 'the last answer left much', bound: boundOf({ remaining: 700 }), remaining: 0 },
    { what: 'no answer of this window is known', bound: null, remaining: 0 },
    {
      what: 'the window of the last answer is over',
      bound: boundOf({ remaining: 0, until: NOW }),
      remaining: 0,
    },
    { what: 'the last answer did not say', bound: boundOf({ remaining: null }), remaining: 0 },
    { what: 'nothing is left for pollers alone', bound: null, remaining: 123 },
  ])('is checked after a minute and blames nobody if $what', ({ bound, remaining }) => {
    const after = heard({ estimate: { ...much, bound }, rate: rateOf({ remaining, resetIn: 3540 }) });
    expect(after.bound).toMatchObject({ remaining, until: NOW + 3_541_000, check: { at: NOW + MINUTE } });
    expect(after.otherUsage.amount).toBe(0);
  });

  test.each<{ what: string; bound: QuotaEstimate['bound']; remaining: number; refusedInRow?: number }>([
    { what: 'the check says the same', bound: doubted(), remaining: 0 },
    { what: 'the last answer left little too', bound: boundOf({ remaining: 110 }), remaining: 0 },
    { what: 'much is left all the same', bound: boundOf({ remaining: 700 }), remaining: 121 },
    { what: 'a first answer leaves requests for pollers', bound: null, remaining: 124 },
    { what: 'the answer before was a refusal', bound: null, remaining: 0, refusedInRow: 1 },
    {
      what: 'the last answer said so and its window ended before the check',
      bound: doubted({ until: NOW - 1 }),
      remaining: 0,
    },
  ])('is believed until the reset if $what', ({ bound, remaining, refusedInRow = 0 }) => {
    const after = heard({
      estimate: { ...much, bound, refusedInRow },
      rate: rateOf({ remaining, resetIn: 3540 }),
    });
    expect(after.bound).toMatchObject({ until: NOW + 3_541_000, check: null });
  });

  test('is not confirmed by a request that was sent before it was known', () => {
    const bound = doubted({ at: NOW - 50 });
    const after = heard({ estimate: { ...much, bound }, rate: rateOf({ remaining: 0, resetIn: 3540 }) });
    expect(after.bound?.check).toEqual({ at: NOW + 50_000, afterReset: false });
  });

  test('is not undone by an answer without Remaining, unless that answers the check', () => {
    const bound = doubted();
    expect(heard({ estimate: { bound }, rate: null }).bound).toBe(bound);
    const probe = { permit: 2, until: NOW + 5000 };
    expect(heard({ estimate: { bound, probe }, rate: null }).bound).toMatchObject({
      remaining: null,
      check: null,
    });
  });

  test.each([
    { before: 'after a reset', ended: boundOf({ until: NOW }), slides: true },
    { before: 'when nothing was known', ended: null, slides: false },
  ])('tells a sliding window only once it is confirmed, $before', ({ ended, slides }) => {
    const rate = rateOf({ remaining: 0, resetIn: 3540 });
    const first = heard({ estimate: { ...much, bound: ended }, rate });
    expect(first.slides).toBe(false);
    const check = { permit: permitOf({ id: 3, takenAt: NOW + MINUTE }), rate };
    expect(learnFromAnswer(first, check, countsOf(), NOW + MINUTE).slides).toBe(slides);
  });

  test.each([
    { what: 'for its Retry-After', rate: rateOf({ remaining: 0, retryAfter: 3000 }), closedMs: 3_000_000 },
    { what: 'until the reset of the answer, if it does not say', rate: null, closedMs: 1_800_000 },
  ])('is believed if its check is refused: everything stops $what', ({ rate, closedMs }) => {
    const probe = { permit: 2, until: NOW + 5000 };
    const after = refused({ estimate: { bound: doubted(), probe }, rate });
    expect(after).toMatchObject({ closedUntil: NOW + closedMs, refusedInRow: 2 });
  });
});

describe('whether the window slides', () => {
  const ended = boundOf({ until: NOW });
  test.each([
    { what: 'little is left after a reset', bound: ended, remaining: 359, before: false, after: true },
    { what: 'half is left after a reset', bound: ended, remaining: 360, before: true, after: false },
    { what: 'no reset lies between', bound: boundOf(), remaining: 10, before: false, after: false },
    { what: 'nothing was known before', bound: null, remaining: 200, before: false, after: false },
    {
      what: 'the bound before had no reset',
      bound: boundOf({ until: NOW, since: null }),
      remaining: 10,
      before: false,
      after: false,
    },
  ])('is $after where $what', ({ bound, remaining, before, after }) => {
    const estimate = { bound, slides: before };
    expect(heard({ estimate, rate: rateOf({ remaining }) }).slides).toBe(after);
  });
});

describe('a refusal', () => {
  const silentFor = (retryAfter: number) => rateOf({ remaining: 0, retryAfter });

  test.each([
    { what: 'what Retry-After says', rate: silentFor(40), closedMs: 40_000 },
    { what: 'a minute, where Retry-After says an hour', rate: silentFor(3600), closedMs: MINUTE },
    {
      what: 'a minute, where the reset is later',
      rate: rateOf({ remaining: 0, resetIn: 300 }),
      closedMs: MINUTE,
    },
    { what: 'a minute, where nothing is said', rate: null, closedMs: MINUTE },
    {
      what: 'a minute, where its own Remaining denies it',
      rate: rateOf({ remaining: 700, retryAfter: 3540 }),
      closedMs: MINUTE,
    },
  ])('by itself stops everything for $what', ({ rate, closedMs }) => {
    const after = refused({ rate });
    expect(after.closedUntil).toBe(NOW + closedMs);
    expect(after.bound).toMatchObject({ remaining: 0, until: NOW + closedMs, since: null });
  });

  test.each([
    { what: 'what Retry-After says', rate: silentFor(3600), closedMs: HOUR },
    {
      what: 'what Retry-After says, although Remaining denies it',
      rate: rateOf({ remaining: 700, retryAfter: 3540 }),
      closedMs: 3_540_000,
    },
    { what: 'the reset', rate: rateOf({ remaining: 0, resetIn: 300 }), closedMs: 301_000 },
    {
      what: 'a minute, where the window of that reset is not spent',
      rate: rateOf({ remaining: 700, resetIn: 300 }),
      closedMs: MINUTE,
    },
  ])('of the request after the pause stops everything for $what', ({ rate, closedMs }) => {
    const first = { refusedInRow: 1, closedUntil: NOW - 200 };
    expect(refused({ estimate: first, rate }).closedUntil).toBe(NOW + closedMs);
  });

  test('of a request that was under way when the pause began is no second witness', () => {
    const paused = { refusedInRow: 1, closedUntil: NOW + 59_000 };
    expect(refused({ estimate: paused, rate: silentFor(3600) })).toMatchObject({
      closedUntil: NOW + MINUTE,
      refusedInRow: 1,
      refusals: 1,
    });
    // Its answer may take longer than a short pause.
    const over = { refusedInRow: 1, closedUntil: NOW - 50 };
    expect(refused({ estimate: over, rate: silentFor(3600) }).closedUntil).toBe(NOW + MINUTE);
  });

  test('with a shorter Retry-After than one before it does not open sooner', () => {
    const before = { closedUntil: NOW + 600_000 };
    const after = refused({ estimate: before, rate: rateOf({ retryAfter: 2 }) });
    expect(after.closedUntil).toBe(NOW + 600_000);
    expect(after.bound?.until).toBe(NOW + 600_000);
  });

  test('with a longer one opens later', () => {
    const before = { closedUntil: NOW + 10_000 };
    expect(refused({ estimate: before, rate: silentFor(40) }).closedUntil).toBe(NOW + 40_000);
  });

  test('is counted, in a row only where it did not come while everything was stopped', () => {
    expect(refused({ estimate: { refusals: 4, refusedInRow: 1 } })).toMatchObject({
      refusals: 5,
      refusedInRow: 2,
    });
    // Its permit was taken 100 ms ago.
    const paused = { refusals: 4, refusedInRow: 1 };
    expect(refused({ estimate: { ...paused, closedUntil: NOW - 100 } }).refusedInRow).toBe(2);
    expect(refused({ estimate: { ...paused, closedUntil: NOW - 99 } })).toMatchObject({
      refusals: 5,
      refusedInRow: 1,
    });
  });

  test('means that someone else uses the key, since we have stayed within the limit', () => {
    expect(refused({}).otherUsage).toEqual({ amount: 1, at: NOW });
    const known = { amount: 80, at: NOW };
    expect(refused({ estimate: { otherUsage: known } }).otherUsage).toBe(known);
  });

  test('belongs to its own request, with what of ours was counted by then', () => {
    const { bound } = refused({
      permit: { id: 9, takenAt: NOW - 300 },
      counts: { interactive: 40, background: 10, inFlight: 3 },
    });
    expect(bound).toMatchObject({ permit: 9, takenAt: NOW - 300, at: NOW, counted: 47 });
  });
});

describe('the limit', () => {
  const hourly = (requests: number) => ({ requests, windowMs: HOUR });
  const onTrial = (requests: number, known: Partial<NonNullable<QuotaEstimate['trial']>> = {}) => ({
    limit: hourly(requests),
    seenAt: NOW - 1000,
    until: NOW + 1000,
    ...known,
  });

  test.each<{
    what: string;
    estimate: Partial<QuotaEstimate>;
    stated: number;
    limit: number;
    trial: number | null;
  }>([
    { what: 'that is known stays', estimate: { limitSeenAt: NOW - 1 }, stated: 720, limit: 720, trial: null },
    {
      what: 'that was only assumed gives way to a looser one',
      estimate: {},
      stated: 900,
      limit: 900,
      trial: null,
    },
    {
      what: 'that was only assumed does not give way to a stricter one',
      estimate: {},
      stated: 600,
      limit: 720,
      trial: 600,
    },
    {
      what: 'stated within the window does not give way to a looser one',
      estimate: { limitSeenAt: NOW - HOUR },
      stated: 900,
      limit: 720,
      trial: null,
    },
    {
      what: 'not stated for longer does',
      estimate: { limitSeenAt: NOW - HOUR - 1 },
      stated: 900,
      limit: 900,
      trial: null,
    },
    {
      what: 'on trial is confirmed',
      estimate: { trial: onTrial(600) },
      stated: 600,
      limit: 600,
      trial: null,
    },
    {
      what: 'on trial is not confirmed by another',
      estimate: { trial: onTrial(600) },
      stated: 650,
      limit: 720,
      trial: 600,
    },
    {
      what: 'on trial gives way to a stricter one',
      estimate: { trial: onTrial(600) },
      stated: 500,
      limit: 720,
      trial: 500,
    },
    {
      what: 'on trial stays when the known one is stated',
      estimate: { trial: onTrial(600) },
      stated: 720,
      limit: 720,
      trial: 600,
    },
    {
      what: 'on trial is remembered for two hours',
      estimate: { trial: onTrial(600, { seenAt: NOW - 2 * HOUR }) },
      stated: 600,
      limit: 600,
      trial: null,
    },
    {
      what: 'on trial is forgotten after that',
      estimate: { trial: onTrial(600, { seenAt: NOW - 2 * HOUR - 1 }) },
      stated: 600,
      limit: 720,
      trial: 600,
    },
  ])('$what', ({ estimate, stated, limit, trial }) => {
    const after = heard({
      estimate,
      rate: rateOf({ limit: stated, remaining: 100 }),
      permit: { takenAt: NOW - 500 },
    });
    expect(after.limit.requests).toBe(limit);
    expect(after.trial?.limit.requests ?? null).toBe(trial);
  });

  test('of the same rate in a shorter window is not stricter, but a smaller number is', () => {
    const estimate = { limitSeenAt: NOW };
    const half = rateOf({ limit: 360, windowSeconds: 1800, remaining: 300 });
    expect(heard({ estimate, rate: half }).trial?.limit).toEqual({ requests: 360, windowMs: HOUR / 2 });
    const double = rateOf({ limit: 1440, windowSeconds: 7200, remaining: 300 });
    expect(heard({ estimate, rate: double }).trial).toBeNull();
  });

  test('with a higher rate is not stricter, although its number is smaller', () => {
    const estimate = { limitSeenAt: NOW };
    const perMinute = rateOf({ limit: 60, windowSeconds: 60, remaining: 50 });
    expect(heard({ estimate, rate: perMinute }).trial).toBeNull();
  });

  test('of the same number in a longer window is another one', () => {
    const estimate = { limitSeenAt: NOW };
    const slower = rateOf({ limit: 720, windowSeconds: 7200 });
    expect(heard({ estimate, rate: slower }).trial?.limit.windowMs).toBe(2 * HOUR);
  });

  test.each([HOUR, 24 * HOUR])(
    'on trial holds for a minute, whatever the known window (%d ms)',
    (windowMs) => {
      const estimate = { limit: { requests: 90_000, windowMs } };
      expect(heard({ estimate, rate: rateOf({ limit: 1 }) }).trial).toMatchObject({
        seenAt: NOW,
        until: NOW + MINUTE,
      });
    },
  );

  test.each([
    { what: 'before', takenAt: NOW - 1001, limit: 720 },
    { what: 'when', takenAt: NOW - 1000, limit: 600 },
  ])(
    'on trial is judged by a request sent $what it was stated: the limit is $limit',
    ({ takenAt, limit }) => {
      const estimate = { trial: onTrial(600) };
      expect(
        heard({ estimate, rate: rateOf({ limit: 600, remaining: 100 }), permit: { takenAt } }).limit.requests,
      ).toBe(limit);
    },
  );

  test('that is known is dated again by each answer that states it', () => {
    expect(heard({ estimate: { limitSeenAt: NOW - 9 } }).limitSeenAt).toBe(NOW);
  });

  test('that is new forgets the highest Remaining of the old one', () => {
    const estimate = { trial: onTrial(600), peak: { remaining: 719, at: NOW } };
    expect(
      heard({ estimate, rate: rateOf({ limit: 600, remaining: 100 }), permit: { takenAt: NOW - 500 } }).peak,
    ).toEqual({
      remaining: 100,
      at: NOW,
    });
  });

  test('stated by a refusal is put on trial, too, and a probe ends with it', () => {
    const after = refused({
      estimate: { probe: { permit: 2, until: NOW + 1 } },
      rate: rateOf({ limit: 600 }),
    });
    expect(after).toMatchObject({ trial: { limit: hourly(600) }, probe: null });
  });
});

test("a refusal's Remaining of 0 shows neither use by others nor a sliding window", () => {
  const peak = { remaining: 719, at: NOW };
  const ended = boundOf({ until: NOW });
  const after = refused({ estimate: { peak, bound: ended }, rate: rateOf({ remaining: 0, retryAfter: 3 }) });
  expect(after).toMatchObject({ otherUsage: { amount: 1 }, slides: false, peak });
});
