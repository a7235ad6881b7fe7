import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../src/base/duration.ts';
import {
  backgroundPace,
  decideAdmission,
  leftByHeaders,
  leftForBackground,
  reservedRequests,
} from '../../../src/service/budget/admission.ts';
import type { QuotaEstimate } from '../../../src/service/budget/estimate.ts';
import type { Counts } from '../../../src/service/budget/ledger/ledger-store.ts';
import type { Priority } from '../../../src/service/endpoints.ts';
import { boundOf, NOW, snapshotOf } from './examples.ts';

const LIMIT = { requests: 720, windowMs: HOUR };
/** 720 an hour less the reserve of a sixth: one in six seconds. */
const PACE = 6000;

interface Row {
  readonly what: string;
  readonly kind?: Priority;
  readonly estimate?: Partial<QuotaEstimate>;
  readonly counts?: Partial<Counts>;
  readonly headroom?: number;
  /** `yes`, `probe`, or why not and for how many milliseconds. */
  readonly expected: 'yes' | 'probe' | readonly [reason: string, waitMs: number];
}

function decided({ kind = 'interactive', estimate, counts, headroom = 0 }: Row): Row['expected'] {
  const admission = decideAdmission(kind, snapshotOf(estimate, counts), headroom);
  if (admission.granted) return admission.probe ? 'probe' : 'yes';
  return [admission.reason, admission.retryAt - NOW];
}

const others = (amount: number, age = 0): QuotaEstimate['otherUsage'] => ({ amount, at: NOW - age });

describe('people', () => {
  test.each<Row>([
    { what: 'are let through while the window is known and not spent', expected: 'yes' },
    {
      what: 'wait while the service refuses us',
      estimate: { closedUntil: NOW + 90_000 },
      expected: ['closed', 90_000],
    },
    { what: 'pass at the moment at which the refusal ends', estimate: { closedUntil: NOW }, expected: 'yes' },
    {
      what: 'get the last permit of the limit',
      counts: { interactive: 600, background: 119, nextRelease: NOW + 5 },
      expected: 'yes',
    },
    {
      what: 'wait for the first release when both classes have spent the limit',
      counts: { interactive: 600, background: 120, nextRelease: NOW + 77 },
      expected: ['spent', 77],
    },
    {
      what: 'never spend the headroom of a store that can forget',
      counts: { interactive: 716, nextRelease: NOW + 77 },
      headroom: 4,
      expected: ['spent', 77],
    },
    {
      what: 'have one request of a key that is all headroom',
      estimate: { limit: { requests: 3, windowMs: HOUR }, bound: boundOf({ remaining: 3 }) },
      headroom: 4,
      expected: 'yes',
    },
    {
      what: 'look again at once where a release is already past',
      counts: { interactive: 720, nextRelease: NOW - 5 },
      expected: ['spent', 1],
    },
    {
      what: 'keep to a limit on trial, and look again when the trial is over',
      estimate: { trial: { limit: { requests: 100, windowMs: HOUR }, seenAt: NOW, until: NOW + 1000 } },
      counts: { interactive: 100, nextRelease: NOW + 5000 },
      expected: ['spent', 1000],
    },
    {
      what: 'do not look again sooner for a trial that is over',
      estimate: { trial: { limit: { requests: 100, windowMs: HOUR }, seenAt: NOW - 9, until: NOW - 1 } },
      counts: { interactive: 720, nextRelease: NOW + 5000 },
      expected: ['spent', 5000],
    },
    {
      what: 'leave the last three of Remaining to others',
      estimate: { bound: boundOf({ remaining: 3 }) },
      expected: ['headers', 30 * MINUTE],
    },
    { what: 'take the fourth of Remaining', estimate: { bound: boundOf({ remaining: 4 }) }, expected: 'yes' },
    {
      what: 'count what is under way against Remaining, and look again soon for its answer',
      estimate: { bound: boundOf({ remaining: 10 }) },
      counts: { uncounted: 7, inFlight: 7 },
      expected: ['headers', 250],
    },
    {
      what: 'wait out the bound where nothing is under way that could tell more',
      estimate: { bound: boundOf({ remaining: 10 }) },
      counts: { uncounted: 7 },
      expected: ['headers', 30 * MINUTE],
    },
    {
      what: 'leave a small key nothing to others: it has nothing to spare',
      estimate: { limit: { requests: 99, windowMs: HOUR }, bound: boundOf({ remaining: 1 }) },
      expected: 'yes',
    },
    {
      what: 'leave one of a hundred to others',
      estimate: { limit: { requests: 100, windowMs: HOUR }, bound: boundOf({ remaining: 1 }) },
      expected: ['headers', 30 * MINUTE],
    },
    {
      what: 'are not bound by an answer without Remaining',
      estimate: { bound: boundOf({ remaining: null }) },
      expected: 'yes',
    },
    {
      what: 'do not wait for the pace or the reserve of pollers',
      counts: { interactive: 700, background: 19, lastBackgroundAt: NOW, interactiveLately: 700 },
      expected: 'yes',
    },
  ])('$what', (row) => {
    expect(decided(row)).toEqual(row.expected);
  });
});

describe('what others may have taken since Remaining was stated', () => {
  // 600 others in an hour are ten in a minute, 4 × √10 more where they come together, and three on their way.
  test.each([
    { left: 27, age: MINUTE, amount: 600, expected: 'yes' },
    { left: 26, age: MINUTE, amount: 600, expected: ['headers', 29 * MINUTE] },
    { left: 4, age: 0, amount: 600, expected: 'yes' },
    { left: 3, age: 0, amount: 600, expected: ['headers', 30 * MINUTE] },
    { left: 4, age: MINUTE, amount: 0, expected: 'yes' },
  ] as const)('$left left $age ms ago, $amount others: $expected', ({ left, age, amount, expected }) => {
    const bound = boundOf({ remaining: left, at: NOW - age, until: NOW - age + 30 * MINUTE });
    expect(decided({ what: '', estimate: { bound, otherUsage: others(amount) }, expected })).toEqual(
      expected,
    );
  });

  test('is taken off what the headers leave', () => {
    const bound = boundOf({ remaining: 100, at: NOW - MINUTE });
    const left = leftByHeaders(snapshotOf({ bound, otherUsage: others(600) }, { uncounted: 5 }));
    expect(left).toBe(100 - 5 - 26);
  });

  test.each([
    ['nothing is known of the window', null],
    ['the bound has run out', boundOf({ until: NOW })],
    ['the answer did not say', boundOf({ remaining: null })],
  ])('nothing bounds when %s', (_what, bound) => {
    expect(leftByHeaders(snapshotOf({ bound }))).toBeNull();
  });
});

describe('pollers', () => {
  test.each<Row>([
    { what: 'are let through when permits are left and nobody asked lately', expected: 'yes' },
    {
      what: 'come no closer together than their pace',
      counts: { lastBackgroundAt: NOW - 5000 },
      expected: ['pace', 1000],
    },
    { what: 'come at their pace', counts: { lastBackgroundAt: NOW - PACE }, expected: 'yes' },
    {
      what: 'leave the reserve to people',
      counts: { interactive: 600, nextRelease: NOW + HOUR / 2 },
      expected: ['reserve', HOUR / 2],
    },
    {
      what: 'look again after a turn where the release that they wait for comes sooner',
      counts: { interactive: 600, nextRelease: NOW + 10 },
      expected: ['reserve', PACE],
    },
    { what: 'take what is above the reserve', counts: { interactive: 599 }, expected: 'yes' },
    {
      what: 'leave permits for as many people as have asked in the last window',
      counts: { background: 300, interactiveLately: 300, nextBackgroundRelease: NOW + HOUR },
      expected: ['reserve', HOUR],
    },
    {
      what: 'take their share beside those people',
      counts: { background: 299, interactiveLately: 300 },
      expected: 'yes',
    },
    {
      what: 'leave permits for four times the people of the last quarter, when these are more',
      counts: { background: 200, interactiveLately: 300, interactiveQuarter: 100 },
      expected: ['reserve', PACE],
    },
    {
      what: 'leave permits for others with the same key',
      estimate: { otherUsage: others(300) },
      counts: { background: 300 },
      expected: ['reserve', PACE],
    },
    {
      what: 'leave permits for half of those others after half a window',
      estimate: { otherUsage: others(300, HOUR / 2) },
      counts: { background: 300 },
      expected: 'yes',
    },
    {
      what: 'leave the headroom, too',
      counts: { background: 596 },
      headroom: 4,
      expected: ['reserve', PACE],
    },
    {
      what: 'leave the reserve of Remaining',
      kind: 'background',
      estimate: { bound: boundOf({ remaining: 123 }) },
      expected: ['headers', 30 * MINUTE],
    },
    {
      what: 'take what is above the reserve of Remaining',
      estimate: { bound: boundOf({ remaining: 124 }) },
      expected: 'yes',
    },
    {
      what: 'leave half of a burst that is smaller than the reserve',
      estimate: { peak: { remaining: 60, at: NOW }, bound: boundOf({ remaining: 33 }) },
      expected: ['headers', 30 * MINUTE],
    },
    {
      what: 'take the other half of it',
      estimate: { peak: { remaining: 60, at: NOW }, bound: boundOf({ remaining: 34 }) },
      expected: 'yes',
    },
  ])('$what', (row) => {
    expect(decided({ kind: 'background', ...row })).toEqual(row.expected);
  });
});

describe('a window of which nothing is known', () => {
  const over = boundOf({ at: NOW - MINUTE, until: NOW - 1, remaining: 0, counted: 700 });

  test.each<Row>([
    { what: 'is asked for by one request', estimate: { bound: null }, expected: 'probe' },
    { what: 'is asked for by one request after its reset', estimate: { bound: over }, expected: 'probe' },
    {
      what: 'lets others wait for that request, looking again soon',
      estimate: { bound: null, probe: { permit: 1, until: NOW + 5000 } },
      expected: ['probe', 250],
    },
    {
      what: 'lets them wait no longer than it can be under way',
      estimate: { bound: null, probe: { permit: 1, until: NOW + 100 } },
      expected: ['probe', 100],
    },
    {
      what: 'is asked for by another where the process that asked has died',
      estimate: { bound: null, probe: { permit: 1, until: NOW } },
      expected: 'probe',
    },
    {
      what: 'with others on the key waits until enough of our own requests have left it',
      estimate: { bound: over, otherUsage: others(200), slides: true },
      counts: { interactive: 698, nextRelease: NOW + 4000 },
      expected: ['headers', 4000],
    },
    {
      what: 'waits while no more of our own have left it than others may take',
      estimate: { bound: over, otherUsage: others(200), slides: true },
      counts: { interactive: 600, background: 97, nextRelease: NOW + 4000 },
      expected: ['headers', 4000],
    },
    {
      what: 'is asked for once they have',
      estimate: { bound: over, otherUsage: others(200), slides: true },
      counts: { interactive: 600, background: 96, nextRelease: NOW + 4000 },
      expected: 'probe',
    },
    {
      what: 'that slides, with nothing of our own to leave it, is asked for after a twelfth',
      estimate: { bound: { ...over, counted: 0 }, otherUsage: others(200), slides: true },
      expected: ['headers', 5 * MINUTE - 1],
    },
    {
      what: 'that is not known to slide is waited for no longer than a thirtieth',
      estimate: { bound: over, otherUsage: others(200) },
      counts: { interactive: 700, nextRelease: NOW + HOUR },
      expected: ['headers', 2 * MINUTE - 1],
    },
    {
      what: 'that is not known to slide is asked for sooner where our own leave it sooner',
      estimate: { bound: over, otherUsage: others(200) },
      counts: { interactive: 700, nextRelease: NOW + 3000 },
      expected: ['headers', 3000],
    },
    {
      what: 'is asked for when a first refusal says so, where it is not known to slide',
      estimate: { bound: over, otherUsage: others(200), refusedInRow: 1 },
      counts: { interactive: 700, nextRelease: NOW + 3000 },
      expected: 'probe',
    },
    {
      what: 'is waited for after a second refusal: what the first one said was wrong',
      estimate: { bound: over, otherUsage: others(200), refusedInRow: 2 },
      counts: { interactive: 700, nextRelease: NOW + 3000 },
      expected: ['headers', 3000],
    },
    {
      what: 'that slides is waited for after the first',
      estimate: { bound: over, otherUsage: others(200), refusedInRow: 1, slides: true },
      counts: { interactive: 700, nextRelease: NOW + 3000 },
      expected: ['headers', 3000],
    },
    {
      what: 'is asked for at once where more was left than others can have taken',
      estimate: { bound: { ...over, remaining: 100 }, otherUsage: others(200) },
      counts: { interactive: 700, nextRelease: NOW + 3000 },
      expected: 'probe',
    },
    {
      what: 'is asked for at once where the last answer did not say what was left',
      estimate: { bound: { ...over, remaining: null }, otherUsage: others(200) },
      counts: { interactive: 700, nextRelease: NOW + 3000 },
      expected: 'probe',
    },
    {
      what: 'is asked for at once where nobody else uses the key',
      estimate: { bound: over },
      counts: { interactive: 700, nextRelease: NOW + 3000 },
      expected: 'probe',
    },
  ])('$what', (row) => {
    expect(decided(row)).toEqual(row.expected);
  });
});

test('reserves a sixth of the limit for people; pollers share the rest evenly', () => {
  expect(reservedRequests(LIMIT)).toBe(120);
  expect(backgroundPace(LIMIT)).toBe(PACE);
});

test('the background could send what both classes leave above the reserve', () => {
  const counts = { interactive: 400, interactiveLately: 0, interactiveQuarter: 0, background: 150 };
  expect(leftForBackground(snapshotOf({ bound: null }, counts), 0)).toBe(720 - 120 - 400 - 150);
});
