import { expect, test } from 'vitest';
import { sleep } from '../../src/base/clock.ts';
import { createFleetStage, guildOf } from './support/cluster-stage.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const all = Array.from({ length: 8 }, (_, shard) => shard);

test('one process connects all shards, and keeps the guilds of each', async () => {
  const stage = createFleetStage();
  const only = stage.start();
  await stage.time.until(only.started);
  await stage.time.pass(MINUTE);
  expect(only.up.size).toBe(8);
  for (const shard of all) expect(stage.keepersOf(guildOf(shard))).toEqual([only]);
  expect(only.keeper.holds(null)).toBe(true);
  expect(stage.identified).toHaveLength(8);
});

test('identifies of a bucket are more than five seconds apart, whichever process makes them', async () => {
  const stage = createFleetStage();
  for (let index = 0; index < 3; index += 1) stage.start();
  await stage.time.pass(2 * MINUTE);
  const times = stage.identified.map(({ at }) => at);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(times).toHaveLength(8);
  expect(Math.min(...gaps)).toBeGreaterThan(5000);
});

test('with more at once, each bucket has its own spacing', async () => {
  const stage = createFleetStage({ concurrency: 4 });
  const only = stage.start();
  await stage.time.until(only.started);
  await stage.time.pass(10 * SECOND);
  expect(only.up.size).toBe(8);
  const second = stage.identified.filter(({ at }) => at >= 5000);
  expect(second.map(({ shard }) => shard.id).toSorted()).toEqual([4, 5, 6, 7]);
});

test('three processes share them out: nobody has more than three, nobody fewer than two', async () => {
  const stage = createFleetStage();
  const three = [stage.start(), stage.start(), stage.start()];
  await stage.time.pass(3 * MINUTE);
  expect(three.map(({ up }) => up.size).toSorted()).toEqual([2, 3, 3]);
  for (const shard of all) expect(stage.keepersOf(guildOf(shard))).toHaveLength(1);
  expect(three.map(({ processes }) => processes)).toEqual([3, 3, 3]);
});

test('a process that comes later gets its part, one shard at a time, and no guild is without a keeper for long', async () => {
  const stage = createFleetStage();
  const first = stage.start();
  await stage.time.pass(MINUTE);
  const second = stage.start();
  const gaps = await watchGaps(stage, 2 * MINUTE);
  expect([first.up.size, second.up.size]).toEqual([4, 4]);
  // The next process is connected before the first leaves: what is missing is one look of the next.
  expect(gaps.longest).toBeLessThan(2 * SECOND);
  expect(gaps.doubles).toBe(0);
  expect(stage.identified).toHaveLength(12);
});

test('the shards of a killed process are taken over before half a minute is over', async () => {
  const stage = createFleetStage({ concurrency: 8 });
  const [first] = [stage.start(), stage.start(), stage.start()];
  await stage.time.pass(2 * MINUTE);
  first?.kill();
  const gaps = await watchGaps(stage, MINUTE);
  expect(gaps.longest).toBeGreaterThan(9 * SECOND);
  expect(gaps.longest).toBeLessThan(20 * SECOND);
  expect(gaps.doubles).toBe(0);
});

test('a process that stops hands over: the next one is connected before it leaves', async () => {
  const stage = createFleetStage({ concurrency: 8 });
  const [first, second] = [stage.start(), stage.start()];
  await stage.time.pass(MINUTE);
  const stopping = first.stop();
  const gaps = await watchGaps(stage, 30 * SECOND);
  await stopping;
  expect(second.up.size).toBe(8);
  expect(gaps.longest).toBeLessThan(2 * SECOND);
  expect(gaps.doubles).toBe(0);
  expect(stage.fleet().failed).toBe(0);
});

test('the last process to stop waits for nobody', async () => {
  const stage = createFleetStage();
  const only = stage.start();
  await stage.time.pass(MINUTE);
  const began = stage.time.elapsed;
  await only.stop();
  expect(stage.time.elapsed - began).toBeLessThan(SECOND);
  expect(stage.fleet()).toMatchObject({ members: {}, leases: {} });
});

test('a process that leaves while it asks what is new does not join again', async () => {
  const stage = createFleetStage();
  const { store, time } = stage;
  const { read } = store;
  let [isSlow, isAsking] = [false, false];
  store.read = async () => {
    const answer = await read();
    if (!isSlow) return answer;
    [isSlow, isAsking] = [false, true];
    await sleep(time.clock, 100);
    return answer;
  };
  const only = stage.start();
  await time.pass(MINUTE);
  isSlow = true;
  while (!isAsking) await time.pass(50);
  await time.until(only.keeper.leave(true));
  await time.pass(SECOND);
  expect(stage.fleet().members).toEqual({});
});

test('a process that stood still for a minute keeps nothing when it continues, until it has asked', async () => {
  const stage = createFleetStage({ concurrency: 8 });
  const [first, second] = [stage.start(), stage.start()];
  await stage.time.pass(MINUTE);
  const guild = all.map((shard) => guildOf(shard)).find((id) => first.keeper.holds(id)) ?? '';
  const before = first.keeper.fenceOf(guild);
  first.freeze(MINUTE);
  const gaps = await watchGaps(stage, 50 * SECOND);
  expect(gaps.doubles).toBe(0);
  expect(first.keeper.fenceOf(guild)).toBeNull();
  const after = second.keeper.fenceOf(guild);
  expect(after?.fence).toBeGreaterThan(before?.fence ?? Infinity);
  await stage.time.pass(2 * MINUTE);
  // It has its part again, by rebalancing.
  expect(first.up.size + second.up.size).toBe(8);
});

test('while the store is away connections stay, boards end after 15 seconds, and afterwards everyone has what they had', async () => {
  const stage = createFleetStage({ concurrency: 8 });
  const [first, second] = [stage.start(), stage.start()];
  await stage.time.pass(MINUTE);
  const had = [first, second].map(({ up }) => [...up].toSorted());
  stage.store.broken = true;
  await stage.time.pass(16 * SECOND);
  for (const shard of all) expect(stage.provenBy(guildOf(shard))).toEqual([]);
  await stage.time.pass(5 * MINUTE);
  expect([first, second].map(({ up }) => [...up].toSorted())).toEqual(had);
  stage.store.broken = false;
  await stage.time.pass(2 * SECOND);
  for (const shard of all) expect(stage.keepersOf(guildOf(shard))).toHaveLength(1);
  expect([first, second].map(({ up }) => [...up].toSorted())).toEqual(had);
  expect(stage.identified).toHaveLength(8);
});

test.each([
  { question: 'first', answers: 0 },
  { question: 'second', answers: 1 },
])('a start waits for a store that is away at its $question question', async ({ answers }) => {
  const stage = createFleetStage({ concurrency: 8 });
  const { store, time } = stage;
  const { replace } = store;
  let left = answers;
  store.broken = left === 0;
  store.replace = async (...given) => {
    const done = await replace(...given);
    left -= 1;
    store.broken = left === 0;
    return done;
  };
  const only = stage.start();
  await time.pass(10 * SECOND);
  expect(only.up.size).toBe(0);
  store.broken = false;
  await time.until(only.started);
  expect(only.up.size).toBeGreaterThan(0);
});

test('a start ends where the store stays away for longer than 15 seconds', async () => {
  const stage = createFleetStage();
  stage.store.broken = true;
  const only = stage.start();
  const ended = expect(only.started).rejects.toThrow('the store is away');
  await stage.time.pass(20 * SECOND);
  await ended;
});

test('a store that has lost everything learns again who has what', async () => {
  const stage = createFleetStage({ concurrency: 8 });
  const [first, second] = [stage.start(), stage.start()];
  await stage.time.pass(MINUTE);
  const had = [first, second].map(({ up }) => [...up].toSorted());
  stage.store.text = null;
  await stage.time.pass(MINUTE);
  expect([first, second].map(({ up }) => [...up].toSorted())).toEqual(had);
  expect(stage.identified).toHaveLength(8);
});

test('more shards are connected beside the present ones, which end when all of them are', async () => {
  const stage = createFleetStage({ concurrency: 8, recommended: 4 });
  const [first, second] = [stage.start(), stage.start()];
  await stage.time.pass(MINUTE);
  stage.discord.recommended = 8;
  const third = stage.start();
  const gaps = await watchGaps(stage, 3 * MINUTE);
  expect(stage.fleet()).toMatchObject({ count: 8, next: null });
  const up = [first, second, third].flatMap((each) => [...each.up]).toSorted();
  expect(up).toEqual(all.map((id) => `${id}/8`));
  expect(gaps.doubles).toBe(0);
  expect(gaps.longest).toBeLessThan(3 * SECOND);
});

test('what a setting names is connected at once and without a lease', async () => {
  const stage = createFleetStage();
  const shards = [3, 4, 5].map((id) => ({ id, count: 8 }));
  const fixed = stage.start({ kind: 'fixed', shards });
  await stage.time.until(fixed.started);
  expect(fixed.up.size).toBe(1);
  await stage.time.pass(15 * SECOND);
  expect([...fixed.up].toSorted()).toEqual(['3/8', '4/8', '5/8']);
  expect(stage.fleet().leases).toEqual({});
  expect(fixed.keeper.holds(guildOf(4))).toBe(true);
  expect(fixed.keeper.holds(guildOf(2))).toBe(false);
  stage.store.broken = true;
  await stage.time.pass(MINUTE);
  expect(fixed.keeper.holds(guildOf(4))).toBe(true);
});

/** How long the worst guild was without a keeper, and how often one had two. */
async function watchGaps(stage: ReturnType<typeof createFleetStage>, ms: number) {
  const since = new Map<number, number>();
  const found = { longest: 0, doubles: 0 };
  for (let passed = 0; passed < ms; passed += 250) {
    await stage.time.pass(250);
    for (const shard of all) {
      const guild = guildOf(shard);
      if (stage.provenBy(guild).length > 1) found.doubles += 1;
      if (stage.keepersOf(guild).length > 0) since.delete(shard);
      else {
        if (!since.has(shard)) since.set(shard, stage.time.elapsed);
        found.longest = Math.max(found.longest, stage.time.elapsed - (since.get(shard) ?? 0));
      }
    }
  }
  return found;
}
