/** Which guilds are a process's own, whether it may act for them, and which shards it connects. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { ShardsSetting } from '../../../src/base/config/shards-setting.ts';
import { SECOND } from '../../../src/base/duration.ts';
import { nameOf } from '../../../src/store/shards/shard.ts';
import { createShards } from '../../../src/store/shards/shards.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';

/** A guild of the shard: ids carry their time above 22 bits. */
const guildOf = (shard: number, count = 2): string => String((BigInt(1_000_000 * count + shard) << 22n) + 7n);

let time: VirtualTime;
beforeEach(() => {
  time = new VirtualTime(Date.UTC(2026, 2, 5, 12));
});

function setUp(setting: ShardsSetting = 'auto', recommended = 2) {
  const connected: string[] = [];
  const limits: number[] = [];
  const lost = Promise.withResolvers<void>();
  const state: { isSure: boolean; holders: number; failure: Promise<void> | null } = {
    isSure: true,
    holders: 1,
    failure: null,
  };
  const shards = createShards({
    setting,
    lock: { isSure: () => state.isSure, countHolders: async () => state.holders, lost: lost.promise },
    driver: {
      async connect(own) {
        await state.failure?.then(() => Promise.reject(new Error('refused')));
        connected.push(...own.map(nameOf));
      },
      async close() {
        connected.length = 0;
      },
    },
    gateway: async () => ({ shards: recommended }),
    shareLimits: (processes) => limits.push(processes),
    clock: time.clock,
    log: { warn() {} },
  });
  return { shards, state, connected, limits, lose: lost.resolve };
}

describe('a process', () => {
  test('owns the guilds of its range before its login too, and acts while it is sure', () => {
    const { shards, state } = setUp({ first: 1, last: 1, total: 2 });
    const guilds = [null, guildOf(0), guildOf(1)];
    expect(guilds.map(shards.owns)).toEqual([false, false, true]);
    expect(guilds.map(shards.mayAct)).toEqual([false, false, true]);
    state.isSure = false;
    expect(guilds.map(shards.owns)).toEqual([false, false, true]);
    expect(guilds.map(shards.mayAct)).toEqual([false, false, false]);
    expect(guilds.map(setUp().shards.owns)).toEqual([true, true, true]);
  });

  test('that is not sure answers 1.5 seconds later, and nothing once another one works', async () => {
    const { shards, state, lose } = setUp();
    expect(await shards.mayAnswer()).toBe(true);
    state.isSure = false;
    const begun = time.elapsed;
    expect(await time.until(shards.mayAnswer())).toBe(true);
    expect(time.elapsed - begun).toBe(1.5 * SECOND);
    const answer = shards.mayAnswer();
    lose();
    expect(await time.until(answer)).toBe(false);
  });

  test('with a part of the shards shares the limits with the others within five seconds', async () => {
    const { shards, state, limits } = setUp({ first: 0, last: 0, total: 3 });
    await time.pass(SECOND);
    state.holders = 3;
    await time.pass(5 * SECOND);
    state.holders = 2;
    await time.pass(5 * SECOND);
    expect([limits, shards.processes()]).toEqual([[3, 2], 2]);
    await time.until(shards.end());
  });
});

describe('the shards that a process connects', () => {
  test('are all that Discord recommends, or those of its range', async () => {
    const all = setUp('auto', 3);
    await all.shards.connect();
    expect([all.connected, all.shards.count()]).toEqual([['0/3', '1/3', '2/3'], 3]);
    const some = setUp({ first: 1, last: 2, total: 4 });
    await some.shards.connect();
    expect([some.connected, some.shards.count()]).toEqual([['1/4', '2/4'], 2]);
    await time.until(some.shards.end());
    expect(some.connected).toEqual([]);
  });

  test('fail if Discord refuses them, and not if it ends meanwhile', async () => {
    const refused = setUp();
    refused.state.failure = Promise.resolve();
    await expect(refused.shards.connect()).rejects.toThrow('refused');
    const ended = setUp();
    const end = Promise.withResolvers<void>();
    ended.state.failure = end.promise;
    const connecting = ended.shards.connect();
    await ended.shards.end();
    end.resolve();
    expect(await connecting).toBeUndefined();
  });

  test('are none once it has ended', async () => {
    const { shards, connected } = setUp();
    await shards.end();
    await shards.connect();
    expect(connected).toEqual([]);
  });
});
