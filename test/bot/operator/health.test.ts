import { describe, expect, test } from 'vitest';
import { judgeLiveness, judgeReadiness } from '../../../src/bot/operator/health.ts';
import type { Sample } from '../../../src/bot/operator/sample.ts';
import { sample } from './samples.ts';

const MINUTE = 60_000;

function failing({ checks }: ReturnType<typeof judgeLiveness>): readonly string[] {
  return Object.entries(checks).flatMap(([name, { ok }]) => (ok ? [] : [name]));
}

/** What is wrong, and which checks of liveness and of readiness fail for it. */
const troubles: readonly (readonly [string, Partial<Sample>, readonly string[], readonly string[]])[] = [
  ['nothing', {}, [], []],
  ['logged out', { gateway: { ...sample.gateway, ready: 0 } }, ['gateway'], ['gateway']],
  ['one of its connections lost', { gateway: { ...sample.gateway, shards: 3 } }, ['gateway'], ['gateway']],
  ['never logged in', { gateway: { ...sample.gateway, shards: 0, ready: 0 } }, ['gateway'], ['gateway']],
  ['polling stopped', { sincePolled: 10 * MINUTE }, ['polling'], ['polling']],
  [
    'the data service down',
    { overview: { asOf: sample.now - 30 * MINUTE, isFresh: false, fault: 'unavailable' } },
    [],
    [],
  ],
  ['no data ever', { overview: { asOf: null, isFresh: false, fault: null } }, [], []],
  ['the store away', { budget: null }, [], ['store']],
  [
    'a store that takes nothing new',
    { store: { writes: 'the disk of the store is full', history: null } },
    [],
    ['store'],
  ],
  ['no history', { store: { writes: null, history: 'it is damaged' } }, [], []],
];

describe.each(troubles)('with %s', (_what, change, ofLiveness, ofReadiness) => {
  const now = { ...sample, ...change };

  test('liveness fails only for what a restart can fix', () => {
    expect(failing(judgeLiveness(now, 0))).toEqual(ofLiveness);
    expect(judgeLiveness(now, 0).status).toBe(ofLiveness.length === 0 ? 'ok' : 'failing');
  });

  test('readiness fails for what another process could do better', () => {
    expect(failing(judgeReadiness(now, 0)).filter((name) => name !== 'data')).toEqual(ofReadiness);
    expect(judgeReadiness(now, 0).status).toBe(ofReadiness.length === 0 ? 'ok' : 'failing');
  });
});

test('an event loop that is a second late makes replies miss their time', () => {
  expect(failing(judgeLiveness(sample, 999))).toEqual([]);
  expect(failing(judgeLiveness(sample, 1000))).toEqual(['event-loop']);
  expect(failing(judgeReadiness(sample, 1000))).toEqual(['event-loop']);
});

test('a bot that is starting is neither alive nor ready', () => {
  for (const judge of [judgeLiveness, judgeReadiness]) expect(failing(judge(null, 0))).toEqual(['start']);
});

test('the words say why nothing can be stored, and why there is no history', () => {
  const { checks } = judgeReadiness(
    { ...sample, store: { writes: 'the disk is full', history: 'it is damaged' } },
    0,
  );
  expect(checks['store']?.detail).toBe('takes nothing new: the disk is full; without history: it is damaged');
});

test('the words give the figures', () => {
  const { checks } = judgeReadiness(
    { ...sample, overview: { asOf: sample.now - 420_000, isFresh: false, fault: 'unavailable' } },
    12.4,
  );
  expect(Object.values(checks).map(({ detail }) => detail)).toEqual([
    '1 of 1 connections logged in',
    'late by 12 ms in two spans of ten seconds in a row',
    'data service polled 4 s ago',
    'answers',
    'newest answer 420 s old; the last call failed: unavailable',
  ]);
});
