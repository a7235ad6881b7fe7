import { expect, test } from 'vitest';
import { noPermit } from '../../../src/service/budget/no-permit.ts';
import { callOf } from './budget-in-memory.ts';
import { NOW } from './examples.ts';

test.each([
  { why: 'refused', reason: 'closed', fault: 'over-budget', at: NOW + 90_000, retryAt: NOW + 90_000 },
  { why: 'spent', reason: 'spent', fault: 'over-budget', at: NOW + 5000, retryAt: NOW + 5000 },
  { why: 'nothing is left', reason: 'headers', fault: 'over-budget', at: NOW + 5000, retryAt: NOW + 5000 },
  { why: 'kept for people', reason: 'reserve', fault: 'over-budget', at: NOW + 5000, retryAt: NOW + 5000 },
  { why: 'the time is past', reason: 'spent', fault: 'over-budget', at: NOW - 9, retryAt: NOW + 1000 },
  { why: 'the probe is not answered', reason: 'probe', fault: 'unavailable', at: NOW + 5000, retryAt: null },
  { why: 'the ledger is away', reason: 'ledger', fault: 'store-away', at: NOW + 500, retryAt: null },
  { why: 'the ledger is full', reason: 'ledger-full', fault: 'store-away', at: NOW, retryAt: null },
  {
    why: 'the connections hang',
    reason: 'connections',
    fault: 'no-turn',
    at: 0,
    retryAt: null,
    detail: /connections/,
  },
  {
    why: 'nobody wants it',
    reason: 'dropped',
    fault: 'no-turn',
    at: 0,
    retryAt: null,
    detail: /no longer wanted/,
  },
  { why: 'too many wait', reason: null, fault: 'no-turn', at: 0, retryAt: null },
] as const)(
  'a person without a permit because $why is told $fault',
  ({ reason, fault, at, retryAt, ...more }) => {
    const error = noPermit(callOf('profile|ann'), { reason, at }, NOW);
    expect(error).toMatchObject({ endpoint: 'profile', sent: 'no', fault, retryAt });
    expect(error.detail).toMatch('detail' in more ? more.detail : /\w+ \w+/);
  },
);

test('a poller that came behind too many others waits for its pace', () => {
  const error = noPermit(callOf('poll', 'background'), { reason: null, at: 0 }, NOW);
  expect(error).toMatchObject({ fault: 'over-budget', sent: 'no', retryAt: NOW + 1000 });
  expect(error.detail).toContain('pace');
});

test('the reason of the ledger stands in the log', () => {
  expect(noPermit(callOf('x'), { reason: 'reserve', at: 0 }, NOW).detail).toContain('reserve');
});
