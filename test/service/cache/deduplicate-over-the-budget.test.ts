/** What one question costs of the budget that several ask: the real budget and ledger on virtual time. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ServiceError } from '../../../src/base/errors.ts';
import { createDeduplicate } from '../../../src/service/cache/deduplicate.ts';
import type { Layer } from '../../../src/service/call.ts';
import type { Priority } from '../../../src/service/endpoints.ts';
import { type BudgetInMemory, budgetInMemory, callOf, rateOf, watch } from '../budget/budget-in-memory.ts';

let budget: BudgetInMemory;
let layer: Layer;
beforeEach(async () => {
  budget = budgetInMemory();
  layer = createDeduplicate(budget.layer);
  // The window becomes known, and the background has just had its turn: the next one is six seconds away.
  const first = layer(callOf('first', 'background'));
  await budget.time.pass(50);
  budget.open()[0]?.answer(rateOf(budget.time, { remaining: 700, resetIn: 1800 }));
  await budget.time.until(first);
});
afterEach(() => budget.end());

const ask = (priority: Priority) => watch(layer(callOf('profile/alice', priority)));
const asked = () => budget.requests.slice(1);
const spent = async () => (await budget.ledger.snapshot()).spent;

test('a person who joins a waiting background call has it sent at once, and once', async () => {
  const poller = ask('background');
  await budget.time.pass(1000);
  expect(asked()).toHaveLength(0);
  const person = ask('interactive');
  await budget.time.pass(100);
  // Longer than until the turn of the background.
  await budget.time.pass(7000);
  expect(asked().map(({ call }) => call.priority)).toEqual(['interactive']);
  budget.open()[0]?.answer(null, 'seven');
  await budget.time.pass(20_000);
  expect([poller.fetched?.body, person.fetched?.body]).toEqual(['seven', 'seven']);
  expect(asked()).toHaveLength(1);
  expect(await spent()).toEqual({ interactive: 1, background: 1 });
});

test('a person who joins what is on its way costs no second request', async () => {
  const poller = ask('background');
  await budget.time.pass(7000);
  expect(asked()).toHaveLength(1);
  const person = ask('interactive');
  await budget.time.pass(100);
  budget.open()[0]?.answer(null, 'seven');
  await budget.time.pass(20_000);
  expect([poller.fetched?.body, person.fetched?.body]).toEqual(['seven', 'seven']);
  expect(asked()).toHaveLength(1);
  expect(await spent()).toEqual({ interactive: 0, background: 2 });
});

test("a person who waits for a repeat does not wait for the background's turn", async () => {
  const poller = ask('background');
  await budget.time.pass(7000);
  const person = ask('interactive');
  await budget.time.pass(100);
  budget.open()[0]?.fail(
    new ServiceError('unavailable', {
      endpoint: 'profile',
      sent: 'maybe',
      transient: true,
      detail: 'reset',
    }),
  );
  await budget.time.pass(100);
  expect(asked().map(({ call }) => call.priority)).toEqual(['background', 'interactive']);
  budget.open()[0]?.answer(null, 'seven');
  await budget.time.pass(20_000);
  expect([poller.fetched?.body, person.fetched?.body]).toEqual(['seven', 'seven']);
  expect(asked()).toHaveLength(2);
  expect(await spent()).toEqual({ interactive: 1, background: 2 });
});
