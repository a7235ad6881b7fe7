/** What a process remembers of the alerts that it keeps: over outages, empty servers and handovers. */
import { beforeEach, expect, test } from 'vitest';
import { placeKey } from '../../../../commands/alerts/models/watch.ts';
import { HOUR, MINUTE, SECOND } from '../../../../src/base/duration.ts';
import { vehicle } from '../../../support/records.ts';
import { alertsInMemory } from '../support/alerts-in-memory.ts';
import { directWatch } from '../support/watches.ts';

let alerts: ReturnType<typeof alertsInMemory>;
beforeEach(() => {
  alerts = alertsInMemory();
});

const condition = { kind: 'outage', server: 'one', goes: 'both', after: 2 } as const;

/** Rounds during an outage that began at `from`, as history sees it. */
async function during(from: number, ms: number, ...processes: Parameters<typeof alerts.pass>[1][]) {
  for (let passed = 0; passed < ms; passed += 15 * SECOND) {
    alerts.outages.set('one', [{ from, until: alerts.now() + 15 * SECOND, to: null }]);
    await alerts.pass(15 * SECOND, ...processes);
  }
}

test('an outage of ten minutes is said once, and written a few times', async () => {
  await alerts.watching(directWatch('aaaaaa', { condition }));
  const process = alerts.start();
  await alerts.pass(MINUTE, process);
  let writes = 0;
  const { saveStates } = alerts.watches;
  alerts.watches.saveStates = async (all) => {
    writes += 1;
    await saveStates(all);
  };
  await during(alerts.now(), 10 * MINUTE, process);
  expect(alerts.texts()).toEqual([expect.stringContaining('**One** is down')]);
  expect(writes).toBeLessThanOrEqual(4);
});

test.each([
  ['the state cannot be written, once', 'saveStates', 1],
  ['nothing can be written for two minutes', 'saveStates', 8],
  ['the message cannot be claimed, once', 'claim', 1],
])('what is due when %s is said once the store works again', async (_what, first, rounds) => {
  await alerts.watching(directWatch('aaaaaa', { condition }));
  const process = alerts.start();
  await alerts.pass(MINUTE, process);
  const { watches, deliveries } = alerts;
  const { saveStates } = watches;
  const { claim, withdraw } = deliveries;
  const from = alerts.now();
  let failures = 0;
  const works = <T>(what: string, work: () => Promise<T>): Promise<T> => {
    // Before it is due, only what is read is written.
    const isFirst = what === first && alerts.now() - from > 2 * MINUTE;
    if (failures >= rounds || (failures === 0 && !isFirst)) return work();
    failures += 1;
    return Promise.reject(new Error('the store does not answer'));
  };
  watches.saveStates = (all) => works('saveStates', () => saveStates(all));
  deliveries.claim = (one) => works('claim', () => claim(one));
  deliveries.withdraw = (...one) => works('withdraw', () => withdraw(...one));
  await during(from, 10 * MINUTE, { ...process, round: () => process.round().catch(() => {}) });
  expect(failures).toBe(rounds);
  expect(alerts.texts()).toEqual([expect.stringContaining('**One** is down')]);
  expect(alerts.doubtful).toBe(0);
});

test('a state that could not be written is written in the next round', async () => {
  const watch = directWatch('aaaaaa', { condition: { kind: 'car', vin: 'AB12C', below: null } });
  await alerts.watching(watch);
  const process = alerts.start();
  await alerts.pass(MINUTE, process);
  const { saveStates } = alerts.watches;
  alerts.watches.saveStates = async (all) => {
    alerts.watches.saveStates = saveStates;
    throw new Error(`the store does not take ${all.length}`);
  };
  process.observed({ kind: 'car', record: vehicle({ isOnMarket: true }) }, alerts.now());
  await expect(alerts.pass(15 * SECOND, process)).rejects.toThrow('does not take 1');
  await alerts.pass(15 * SECOND, process);
  const stored = await alerts.watches.statesAt(new Set([placeKey(watch)]));
  expect(stored.get('aaaaaa')).toMatchObject({ before: ['sale'] });
});

test('an outage reported by another process is not repeated after a handover and back', async () => {
  await alerts.watching(directWatch('aaaaaa', { condition }));
  let holder = 'first';
  const first = alerts.start(() => holder === 'first');
  const second = alerts.start(() => holder === 'second');
  await alerts.pass(MINUTE, first, second);
  holder = 'second';
  const from = alerts.now();
  await during(from, 10 * MINUTE, first, second);
  expect(alerts.texts()).toEqual([expect.stringContaining('**One** is down')]);
  holder = 'first';
  await during(from, 10 * MINUTE, first, second);
  expect(alerts.texts()).toHaveLength(1);
});

test('without names in files, watched drivers are looked up on empty servers too', async () => {
  await alerts.watching(directWatch('aaaaaa'));
  const process = alerts.start();
  alerts.patrol(1);
  await alerts.pass(MINUTE, process);
  expect(alerts.subjects).toMatchObject([{ kind: 'profile', name: 'k3nny' }]);
  alerts.patrol(0);
  await alerts.pass(HOUR, process);
  expect(alerts.subjects).toMatchObject([{ kind: 'profile', name: 'k3nny' }]);
});

test('a reading from before the one that is known is no news', async () => {
  const condition = { kind: 'car', vin: 'AB12C', below: null } as const;
  await alerts.watching(directWatch('aaaaaa', { condition }));
  const process = alerts.start();
  await alerts.pass(MINUTE, process);
  const read = (isOnMarket: boolean, asOf: number) =>
    process.observed({ kind: 'car', record: vehicle({ isOnMarket }) }, asOf);
  read(false, alerts.now());
  for (let times = 0; times < 4; times += 1) {
    read(true, alerts.now() - MINUTE);
    await alerts.pass(15 * SECOND, process);
  }
  expect(alerts.texts()).toEqual([]);
  for (let times = 0; times < 4; times += 1) {
    read(true, alerts.now());
    await alerts.pass(15 * SECOND, process);
  }
  expect(alerts.texts()).toHaveLength(1);
});
