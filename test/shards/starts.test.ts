import { expect, test } from 'vitest';
import type { ShardsSetting } from '../../src/base/config/shards-setting.ts';
import { seeded } from '../board/support/stage.ts';
import { createClusterStage, guildOf, type TestProcess } from './support/cluster-stage.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const all = Array.from({ length: 8 }, (_, shard) => shard);
const single: ShardsSetting = { kind: 'fixed', shards: [{ id: 0, count: 1 }] };

/** A supervisor that starts the bot again whenever it has ended; it crashes `after` ms from its login. */
async function crashLoop(share: ShardsSetting, after: number, ms: number) {
  const stage = createClusterStage({ recommended: 1 });
  const { time } = stage;
  while (time.elapsed < ms) {
    const process = stage.start(share);
    const before = stage.identified.length;
    while (stage.identified.length === before && time.elapsed < ms) await time.pass(500);
    await time.pass(after);
    process.kill();
  }
  return stage;
}

test.each([
  { what: 'the only process of a file', share: single },
  { what: 'a process with a lease', share: { kind: 'leased', count: null } satisfies ShardsSetting },
])(
  '$what that crashes at every start spends 4 identifies in 40 seconds and 110 a day',
  async ({ share }) => {
    const stage = await crashLoop(share, SECOND, DAY);
    expect(stage.identified.filter(({ at }) => at <= 40 * SECOND).length).toBeLessThanOrEqual(4);
    expect(stage.identified.length).toBeLessThanOrEqual(110);
    expect(stage.identified.length).toBeGreaterThan(90);
    expect(Math.max(...stage.processes.flatMap(({ waits }) => waits))).toBe(15 * MINUTE);
  },
  60_000,
);

test('nor does one that crashes after some minutes spend more', async () => {
  const stage = await crashLoop(single, 14 * MINUTE, DAY);
  expect(stage.identified.length).toBeLessThanOrEqual(110);
});

test('a guild that crashes whoever takes its shard does not cost the bot its token', async () => {
  // Most identifies are in the first hours: what stays below its part of a thousand here does so for a day.
  const hours = 6;
  const stage = createClusterStage({ concurrency: 8 });
  const { time } = stage;
  let running = [stage.start(), stage.start(), stage.start()];
  while (time.elapsed < hours * HOUR) {
    await time.pass(5000);
    for (const process of running.filter(({ up }) => up.has('5/8'))) {
      process.kill();
      running = [...running.filter((each) => each !== process), stage.start()];
    }
  }
  expect(stage.identified.length).toBeLessThan((1000 * hours) / 24);
}, 60_000);

test('a process that waits for its start and is started again keeps waiting', async () => {
  const stage = createClusterStage({ recommended: 1 });
  for (let crash = 0; crash < 6; crash += 1) {
    const process = stage.start(single);
    await stage.time.until(process.started);
    process.kill();
  }
  const first = stage.start(single);
  await stage.time.pass(MINUTE);
  first.kill();
  const again = stage.start(single);
  await stage.time.pass(SECOND);
  expect([first.waits[0], again.waits[0]]).toEqual([160 * SECOND, 100 * SECOND]);
});

test('clean restarts, one after another, wait for nothing but the spacing of identifies', async () => {
  const stage = createClusterStage({ recommended: 1 });
  for (let restart = 0; restart < 20; restart += 1) {
    const process = stage.start(single);
    await stage.time.until(process.started);
    expect(process.waits).toEqual([]);
    await process.stop();
  }
  expect(stage.time.elapsed).toBeLessThan(20 * 7 * SECOND);
});

test('a cluster of sixteen shards starts without being taken for a crash loop', async () => {
  const stage = createClusterStage({ recommended: 16 });
  for (let index = 0; index < 4; index += 1) stage.start();
  await stage.time.pass(16 * 6 * SECOND + 5 * SECOND);
  expect(stage.processes.reduce((sum, { up }) => sum + up.size, 0)).toBe(16);
  expect(stage.processes.flatMap(({ waits }) => waits)).toEqual([]);
});

test('a session that ends again and again is begun more and more slowly', async () => {
  const stage = createClusterStage();
  const { update, queue } = stage.queueOf('p0');
  await update((state) => ({ state }));
  const times: number[] = [];
  while (stage.time.elapsed < DAY) {
    await stage.time.until(queue({ id: 0, count: 1 }, new AbortController().signal));
    times.push(stage.time.elapsed);
    await stage.time.pass(SECOND);
  }
  expect(times.filter((at) => at <= 40 * SECOND).length).toBeLessThanOrEqual(4);
  expect(times.length).toBeLessThanOrEqual(110);
});

test('close to the end of the identifies of the day it waits until there are new ones, and says so', async () => {
  const stage = createClusterStage({ recommended: 1 });
  stage.discord.remaining = 20;
  stage.discord.resetIn = 30 * MINUTE;
  const process = stage.start();
  await stage.time.pass(29 * MINUTE);
  expect(stage.identified).toEqual([]);
  expect(process.waits).toEqual([30 * MINUTE]);
  stage.discord.remaining = 1000;
  await stage.time.pass(2 * MINUTE);
  expect(process.up.size).toBe(1);
});

test('a shard that Discord does not connect now stays where it is, and is tried again', async () => {
  const stage = createClusterStage({ recommended: 2 });
  const first = stage.start();
  await stage.time.pass(20 * SECOND);
  stage.discord.failing = true;
  const second = stage.start();
  await stage.time.pass(MINUTE);
  expect([first.up.size, second.up.size]).toEqual([2, 0]);
  stage.discord.failing = false;
  await stage.time.pass(20 * SECOND);
  expect([first.up.size, second.up.size]).toEqual([1, 1]);
});

test.each([1, 2, 3, 4, 5])(
  'killed, stopped and added at random for two minutes: no guild has two holders or none for long (%i)',
  async (seed) => {
    const random = seeded(seed);
    const stage = createClusterStage({ concurrency: 4 });
    const { time } = stage;
    let alive: TestProcess[] = [stage.start(), stage.start(), stage.start()];
    await time.pass(MINUTE);
    const without = new Map<number, number>();
    const found = { longest: 0, doubles: 0 };
    const end = time.elapsed + 2 * MINUTE;
    for (let next = time.elapsed; time.elapsed < end; await time.pass(250)) {
      for (const shard of all) {
        const guild = guildOf(shard);
        if (stage.fencesOf(guild).length > 1) found.doubles += 1;
        if (stage.holdersOf(guild).length > 0) without.delete(shard);
        else if (!without.has(shard)) without.set(shard, time.elapsed);
        found.longest = Math.max(found.longest, time.elapsed - (without.get(shard) ?? time.elapsed));
      }
      if (time.elapsed < next) continue;
      next = time.elapsed + 8 * SECOND + random() * 8 * SECOND;
      const [victim, ...others] = alive.toSorted(() => random() - 0.5);
      if (victim !== undefined && others.length > 1) {
        if (random() < 0.7) victim.kill();
        else void victim.stop();
        alive = others;
        // Whoever was about to take over a shard and is killed, too, begins a gap of its own.
        for (const [shard, { holder }] of Object.entries((await stage.state()).leases))
          if (holder === victim.id) without.delete(Number(shard.split('/')[0]));
      }
      alive.push(stage.start());
    }
    expect(found.doubles).toBe(0);
    expect(found.longest).toBeLessThan(30 * SECOND);
    const gaps = Object.values(Object.groupBy(stage.identified, ({ shard }) => shard.id % 4)).flatMap(
      (own = []) => own.slice(1).map(({ at }, index) => at - (own[index]?.at ?? 0)),
    );
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5000);
  },
);
