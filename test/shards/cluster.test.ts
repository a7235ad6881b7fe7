import { expect, test } from 'vitest';
import { sleep } from '../../src/base/clock.ts';
import { LEASE_MS, newClusterState } from '../../src/shards/cluster-state.ts';
import { createConnections } from '../../src/shards/connections.ts';
import { withoutDead } from '../../src/shards/members.ts';
import { nameOf } from '../../src/shards/shard.ts';
import { VirtualTime } from '../sim/virtual-time.ts';
import { createClusterStage, guildOf, type TestProcess } from './support/cluster-stage.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const all = Array.from({ length: 8 }, (_, shard) => shard);

test('one process connects all shards, and holds the guilds of each', async () => {
  const stage = createClusterStage();
  const only = stage.start();
  await stage.time.until(only.started);
  await stage.time.pass(MINUTE);
  expect(only.up.size).toBe(8);
  for (const shard of all) expect(stage.holdersOf(guildOf(shard))).toEqual([only]);
  expect(only.cluster.holds(null)).toBe(true);
  expect(stage.identified).toHaveLength(8);
});

test('identifies of a bucket are more than five seconds apart, whichever process makes them', async () => {
  const stage = createClusterStage();
  for (let index = 0; index < 3; index += 1) stage.start();
  await stage.time.pass(2 * MINUTE);
  const times = stage.identified.map(({ at }) => at);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(times).toHaveLength(8);
  expect(Math.min(...gaps)).toBeGreaterThan(5000);
});

test('with more at once, each bucket has its own spacing', async () => {
  const stage = createClusterStage({ concurrency: 4 });
  const only = stage.start();
  await stage.time.until(only.started);
  await stage.time.pass(10 * SECOND);
  expect(only.up.size).toBe(8);
  const second = stage.identified.filter(({ at }) => at >= 5000);
  expect(second.map(({ shard }) => shard.id).toSorted()).toEqual([4, 5, 6, 7]);
});

test('three processes share them out: none has more than three, none fewer than two', async () => {
  const stage = createClusterStage();
  const three = [stage.start(), stage.start(), stage.start()];
  await stage.time.pass(3 * MINUTE);
  expect(three.map(({ up }) => up.size).toSorted()).toEqual([2, 3, 3]);
  for (const shard of all) expect(stage.holdersOf(guildOf(shard))).toHaveLength(1);
  expect(three.map(({ processes }) => processes)).toEqual([3, 3, 3]);
});

test('a process that comes later gets its part, one shard at a time, and no guild is without a holder for long', async () => {
  const stage = createClusterStage();
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
  const stage = createClusterStage({ concurrency: 8 });
  const [first] = [stage.start(), stage.start(), stage.start()];
  await stage.time.pass(2 * MINUTE);
  first?.kill();
  const gaps = await watchGaps(stage, MINUTE);
  expect(gaps.longest).toBeGreaterThan(9 * SECOND);
  expect(gaps.longest).toBeLessThan(20 * SECOND);
  expect(gaps.doubles).toBe(0);
});

test('a process that stops hands over: the next one is connected before it leaves', async () => {
  const stage = createClusterStage({ concurrency: 8 });
  const [first, second] = [stage.start(), stage.start()];
  await stage.time.pass(MINUTE);
  const stopping = first.stop();
  const gaps = await watchGaps(stage, 30 * SECOND);
  await stopping;
  expect(second.up.size).toBe(8);
  expect(gaps.longest).toBeLessThan(2 * SECOND);
  expect(gaps.doubles).toBe(0);
  expect((await stage.state()).failed).toBe(0);
});

test('a shard whose candidate dies while it is being released stays where it is', async () => {
  const stage = createClusterStage({ concurrency: 8 });
  const first = stage.start();
  await stage.time.pass(MINUTE);
  first.cluster.onRelease(() => new Promise((resolve) => stage.time.clock.after(15 * SECOND, resolve)));
  const second = stage.start();
  while (all.every((shard) => first.cluster.holds(guildOf(shard)))) await stage.time.pass(10);
  second.kill();
  await stage.time.pass(20 * SECOND);
  for (const shard of all) expect(stage.holdersOf(guildOf(shard))).toEqual([first]);
});

test('the last process to stop does not wait', async () => {
  const stage = createClusterStage();
  const only = stage.start();
  await stage.time.pass(MINUTE);
  const began = stage.time.elapsed;
  await only.stop();
  expect(stage.time.elapsed - began).toBeLessThan(SECOND);
  expect(await stage.state()).toMatchObject({ members: {}, leases: {} });
});

test('a process that leaves while it asks what is new does not join again', async () => {
  const stage = createClusterStage();
  const { store, time } = stage;
  const { read } = store;
  let [isSlow, isAsking] = [false, false];
  store.read = async (...asked) => {
    const answer = await read(...asked);
    if (!isSlow) return answer;
    [isSlow, isAsking] = [false, true];
    await sleep(time.clock, 100);
    return answer;
  };
  const only = stage.start();
  await time.pass(MINUTE);
  isSlow = true;
  while (!isAsking) await time.pass(50);
  await time.until(only.cluster.leave(true));
  await time.pass(SECOND);
  expect((await stage.state()).members).toEqual({});
});

test('a process that stood still for a minute holds nothing when it continues, until it has asked', async () => {
  const stage = createClusterStage({ concurrency: 8 });
  const [first, second] = [stage.start(), stage.start()];
  await stage.time.pass(MINUTE);
  const guild = all.map((shard) => guildOf(shard)).find((id) => first.cluster.holds(id)) ?? '';
  const before = first.cluster.fenceOf(guild);
  first.freeze(MINUTE);
  const gaps = await watchGaps(stage, 50 * SECOND);
  expect(gaps.doubles).toBe(0);
  expect(first.cluster.fenceOf(guild)).toBeNull();
  const after = second.cluster.fenceOf(guild);
  expect(after?.epoch).toBeGreaterThan(before?.epoch ?? Infinity);
  await stage.time.pass(2 * MINUTE);
  // It has its part again, by rebalancing.
  expect(first.up.size + second.up.size).toBe(8);
});

test('while the store is away connections stay, boards end after 15 seconds, and afterwards every process has what it had', async () => {
  const stage = createClusterStage({ concurrency: 8 });
  const [first, second] = [stage.start(), stage.start()];
  await stage.time.pass(MINUTE);
  const had = [first, second].map(({ up }) => [...up].toSorted());
  stage.store.broken = true;
  await stage.time.pass(16 * SECOND);
  for (const shard of all) expect(stage.fencesOf(guildOf(shard))).toEqual([]);
  await stage.time.pass(5 * MINUTE);
  expect([first, second].map(({ up }) => [...up].toSorted())).toEqual(had);
  stage.store.broken = false;
  await stage.time.pass(2 * SECOND);
  for (const shard of all) expect(stage.holdersOf(guildOf(shard))).toHaveLength(1);
  expect([first, second].map(({ up }) => [...up].toSorted())).toEqual(had);
  expect(stage.identified).toHaveLength(8);
});

test.each([
  { question: 'first', answers: 0 },
  { question: 'second', answers: 1 },
])('a start waits for a store that is away at its $question question', async ({ answers }) => {
  const stage = createClusterStage({ concurrency: 8 });
  const { store, time } = stage;
  const { commit } = store;
  let left = answers;
  store.broken = left === 0;
  store.commit = async (...asked) => {
    const done = await commit(...asked);
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
  const stage = createClusterStage();
  stage.store.broken = true;
  const only = stage.start();
  const ended = expect(only.started).rejects.toThrow('the store is away');
  await stage.time.pass(20 * SECOND);
  await ended;
});

test('a store that has lost everything learns again who has what', async () => {
  const stage = createClusterStage({ concurrency: 8 });
  const [first, second] = [stage.start(), stage.start()];
  await stage.time.pass(MINUTE);
  const had = [first, second].map(({ up }) => [...up].toSorted());
  stage.loseData();
  await stage.time.pass(MINUTE);
  expect([first, second].map(({ up }) => [...up].toSorted())).toEqual(had);
  expect(stage.identified).toHaveLength(8);
});

test('after the store has lost everything, leases are newer than all before: an old write is not taken for a new one', async () => {
  const stage = createClusterStage({ concurrency: 8 });
  const [first] = [stage.start(), stage.start()];
  await stage.time.pass(MINUTE);
  const before = (await stage.state()).epoch;
  expect(before).toBeGreaterThan(0);
  stage.loseData();
  await stage.time.pass(MINUTE);
  const { leases } = await stage.state();
  for (const { epoch } of Object.values(leases)) expect(epoch).toBeGreaterThan(before);
  expect(first.up.size).toBe(4);
});

test('a shard that comes back to a process comes with a newer lease', async () => {
  const stage = createClusterStage({ concurrency: 8 });
  const first = stage.start();
  await stage.time.pass(MINUTE);
  const guild = guildOf(7);
  const epochs = [first.cluster.fenceOf(guild)?.epoch];
  const second = stage.start();
  await stage.time.pass(MINUTE);
  epochs.push(second.cluster.fenceOf(guild)?.epoch);
  await second.stop();
  await stage.time.pass(MINUTE);
  epochs.push(first.cluster.fenceOf(guild)?.epoch);
  expect(epochs.every((epoch) => epoch !== undefined)).toBe(true);
  expect(new Set(epochs).size).toBe(3);
  expect(epochs.toSorted((a = 0, b = 0) => a - b)).toEqual(epochs);
});

test('while a shard is released slowly no other process may write for it, and the old one still may', async () => {
  const stage = createClusterStage({ concurrency: 8 });
  const first = stage.start();
  await stage.time.pass(MINUTE);
  const releasing = new Set<string>();
  first.cluster.onRelease(async (has) => {
    const guilds = all.map((shard) => guildOf(shard)).filter((guild) => has(guild));
    for (const guild of guilds) releasing.add(guild);
    await sleep(stage.time.clock, 3 * SECOND);
    for (const guild of guilds) releasing.delete(guild);
  });
  const second = stage.start();
  let looks = 0;
  for (let passed = 0; passed < MINUTE; passed += 100) {
    await stage.time.pass(100);
    for (const guild of releasing) {
      expect(stage.fencesOf(guild)).toEqual([first]);
      looks += 1;
    }
  }
  expect(looks).toBeGreaterThan(50);
  expect(second.up.size).toBe(4);
});

test('the hourly question how many shards there are to be goes on after Discord has not answered', async () => {
  const stage = createClusterStage({ concurrency: 8, recommended: 4 });
  const only = stage.start();
  await stage.time.pass(MINUTE);
  stage.discord.silent = true;
  await stage.time.pass(61 * MINUTE);
  stage.discord.silent = false;
  stage.discord.recommended = 8;
  await stage.time.pass(61 * MINUTE);
  expect(only.cluster.shards()).toBe(8);
});

test('a process that died before the clock was set back counts as alive no longer than any other', async () => {
  const now = 1_000_000;
  const dead = { ...newClusterState, members: { gone: member(now + 3 * 60 * MINUTE) } };
  const seen = withoutDead(dead, now);
  expect(Object.keys(seen.members)).toEqual(['gone']);
  expect(withoutDead(seen, now + LEASE_MS).members).toEqual({});
});

const member = (until: number) => ({ since: 0, until, share: null, leaving: false, identified: null });

/** The connections of one process, each of which comes up or fails when the test says. */
function createLinks() {
  const time = new VirtualTime(0);
  const asked = new Map<string, PromiseWithResolvers<void>>();
  const failures: unknown[] = [];
  const connections = createConnections({
    driver: {
      connect(shard) {
        const answer = Promise.withResolvers<void>();
        asked.set(nameOf(shard), answer);
        return answer.promise;
      },
      disconnect: async () => {},
    },
    clock: time.clock,
    changed() {},
    failed: (error) => failures.push(error),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { connections, asked, failures, time, settle };
}

test('a connection that comes up, or fails, when it is no longer wanted does not count', async () => {
  const { connections, asked, failures, settle } = createLinks();
  connections.want(['0/8', '1/8'], 2);
  connections.want([], 2);
  asked.get('0/8')?.resolve();
  asked.get('1/8')?.reject(new Error('no longer to be'));
  await settle();
  expect([...connections.connected]).toEqual([]);
  expect(failures).toEqual([]);
});

test('so many connect at a time, the next as soon as one is up, and a failed one after a while', async () => {
  const { connections, asked, failures, time, settle } = createLinks();
  connections.want(['0/8', '1/8', '2/8'], 2);
  expect([...asked.keys()]).toEqual(['0/8', '1/8']);
  const first = connections.first();
  asked.get('0/8')?.resolve();
  await first;
  await settle();
  expect([...asked.keys()]).toEqual(['0/8', '1/8', '2/8']);
  asked.get('1/8')?.reject(new Error('Discord is down'));
  asked.get('2/8')?.resolve();
  await settle();
  expect(failures).toEqual([new Error('Discord is down')]);
  asked.delete('1/8');
  await time.pass(4999);
  expect([...asked.keys()]).not.toContain('1/8');
  await time.pass(1);
  asked.get('1/8')?.resolve();
  await settle();
  expect([...connections.connected].toSorted()).toEqual(['0/8', '1/8', '2/8']);
});

test('where no connection can be had, a start says why', async () => {
  const { connections, asked } = createLinks();
  connections.want(['0/8'], 1);
  const first = connections.first();
  asked.get('0/8')?.reject(new Error('Discord is down'));
  await expect(first).rejects.toThrow('Discord is down');
});

test('more shards are connected beside the present ones, which end when all of them are', async () => {
  const stage = createClusterStage({ concurrency: 8, recommended: 4 });
  const [first, second] = [stage.start(), stage.start()];
  await stage.time.pass(MINUTE);
  stage.discord.recommended = 8;
  const third = stage.start();
  const gaps = await watchGaps(stage, 3 * MINUTE);
  expect(await stage.state()).toMatchObject({ count: 8, next: null });
  const up = [first, second, third].flatMap((each) => [...each.up]).toSorted();
  expect(up).toEqual(all.map((id) => `${id}/8`));
  expect(gaps.doubles).toBe(0);
  expect(gaps.longest).toBeLessThan(3 * SECOND);
});

test('a count that is set stays, whatever Discord recommends meanwhile', async () => {
  const stage = createClusterStage({ concurrency: 8, recommended: 4 });
  stage.start({ kind: 'leased', count: 4 });
  await stage.time.pass(MINUTE);
  stage.discord.recommended = 8;
  await stage.time.pass(3 * 60 * MINUTE);
  expect(await stage.state()).toMatchObject({ count: 4, next: null });
});

test('what was released is served no more, although nobody has heard of that yet', async () => {
  const stage = createClusterStage({ concurrency: 8, recommended: 1 });
  const first = stage.start();
  await stage.time.pass(MINUTE);
  const guild = guildOf(0);
  const during: (boolean | null)[] = [];
  first.cluster.onRelease(async () => {
    during.push(first.cluster.fenceOf(guild) !== null);
    stage.store.broken = true;
  });
  expect([first.cluster.holds(guild), first.cluster.fenceOf(guild) !== null]).toEqual([true, true]);
  stage.start();
  for (let passed = 0; passed < 60 && during.length === 0; passed += 1) {
    void (passed === 20 && first.cluster.handOver());
    await stage.time.pass(SECOND);
  }
  // While it ends its work it may still write; from then on nothing.
  expect([during, first.cluster.holds(guild), first.cluster.fenceOf(guild)]).toEqual([[true], false, null]);
});

test('what a setting names is connected at once and without a lease', async () => {
  const stage = createClusterStage();
  const shards = [3, 4, 5].map((id) => ({ id, count: 8 }));
  const fixed = stage.start({ kind: 'fixed', shards });
  await stage.time.until(fixed.started);
  expect(fixed.up.size).toBe(1);
  await stage.time.pass(15 * SECOND);
  expect([...fixed.up].toSorted()).toEqual(['3/8', '4/8', '5/8']);
  expect((await stage.state()).leases).toEqual({});
  expect(fixed.cluster.holds(guildOf(4))).toBe(true);
  expect(fixed.cluster.holds(guildOf(2))).toBe(false);
  stage.store.broken = true;
  await stage.time.pass(MINUTE);
  expect(fixed.cluster.holds(guildOf(4))).toBe(true);
});

/** How long the worst guild was without a holder, and how often one had two. */
async function watchGaps(stage: ReturnType<typeof createClusterStage>, ms: number) {
  const since = new Map<number, number>();
  const found = { longest: 0, doubles: 0 };
  for (let passed = 0; passed < ms; passed += 250) {
    await stage.time.pass(250);
    for (const shard of all) {
      const guild = guildOf(shard);
      if (stage.fencesOf(guild).length > 1) found.doubles += 1;
      if (stage.holdersOf(guild).length > 0) since.delete(shard);
      else {
        if (!since.has(shard)) since.set(shard, stage.time.elapsed);
        found.longest = Math.max(found.longest, stage.time.elapsed - (since.get(shard) ?? 0));
      }
    }
  }
  return found;
}

/** An interaction that nobody else can receive is not claimed. */
async function isAlone(process: TestProcess, guild: string | null): Promise<boolean> {
  const before = process.claims;
  expect(await process.cluster.claim('1', guild, false)).toBe(true);
  return process.claims === before;
}

test('a process is alone with a guild until another one comes, and again once that one has gone', async () => {
  const stage = createClusterStage({ concurrency: 8 });
  const first = stage.start();
  await stage.time.pass(MINUTE);
  for (const guild of [null, guildOf(3)]) expect(await isAlone(first, guild)).toBe(true);
  const second = stage.start();
  await stage.time.pass(30 * SECOND);
  for (const shard of all)
    for (const process of [first, second]) expect(await isAlone(process, guildOf(shard))).toBe(false);
  await second.stop();
  await stage.time.pass(MINUTE);
  for (const shard of all) expect(await isAlone(first, guildOf(shard))).toBe(true);
});

test('a process that connects again as more shards is not alone with itself until that is over', async () => {
  const stage = createClusterStage({ recommended: 1 });
  const only = stage.start();
  await stage.time.pass(MINUTE);
  expect(await isAlone(only, guildOf(0, 0, 1))).toBe(true);
  stage.discord.recommended = 8;
  let moving = 0;
  for (let seconds = 0; seconds < 2 * 3600; seconds += 1) {
    await stage.time.pass(SECOND);
    const { next } = await stage.state();
    if (next === null) continue;
    moving += 1;
    expect(await isAlone(only, guildOf(0, 0, 1))).toBe(false);
  }
  expect(moving).toBeGreaterThan(3);
  expect(await isAlone(only, guildOf(3))).toBe(true);
}, 60_000);

test('a process that stands still is alone no longer: its leases may have ended', async () => {
  const stage = createClusterStage({ concurrency: 8 });
  const only = stage.start();
  await stage.time.pass(MINUTE);
  only.kill();
  await stage.time.pass(13 * SECOND);
  expect(await isAlone(only, guildOf(3))).toBe(false);
});
