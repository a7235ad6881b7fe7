/** Which guilds are a process's own, whether it may act for them, and how it connects its shards. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { ShardsSetting } from '../../src/base/config/shards-setting.ts';
import { MINUTE, SECOND } from '../../src/base/duration.ts';
import { nameOf } from '../../src/shards/shard.ts';
import { createShards } from '../../src/shards/shards.ts';
import { VirtualTime } from '../sim/virtual-time.ts';

/** From IDENTIFY to the last guild, in ms. */
const LOGIN_MS = 700;
/** A guild of the shard: ids carry their time above 22 bits. */
const guildOf = (shard: number, count = 2): string => String((BigInt(1_000_000 * count + shard) << 22n) + 7n);

let time: VirtualTime;
beforeEach(() => {
  time = new VirtualTime(Date.UTC(2026, 2, 5, 12));
});

function setUp(setting: ShardsSetting = 'auto', { recommended = 2, concurrency = 1 } = {}) {
  const logins: number[] = [];
  const up = new Set<string>();
  const refused = new Set<string>();
  const limits: number[] = [];
  const lost = Promise.withResolvers<void>();
  const state = { isSure: true, holders: 1 };
  const shards = createShards({
    setting,
    lock: { isSure: () => state.isSure, countHolders: async () => state.holders, lost: lost.promise },
    driver: {
      async connect(shard) {
        if (refused.has(nameOf(shard))) throw new Error('Discord is down');
        logins.push(time.elapsed);
        await new Promise<void>((resolve) => time.clock.after(LOGIN_MS, resolve));
        up.add(nameOf(shard));
      },
      disconnect: async (shard) => void up.delete(nameOf(shard)),
    },
    gateway: async () => ({ shards: recommended, concurrency }),
    shareLimits: (processes) => limits.push(processes),
    clock: time.clock,
    log: { warn() {} },
  });
  return { shards, state, logins, up, refused, limits, lose: lost.resolve };
}

describe('a process', () => {
  test('owns the guilds of its range, also before its login, and acts for them while it is sure', () => {
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

describe('logins', () => {
  test('are as many at a time as Discord allows', async () => {
    const { shards, logins } = setUp('auto', { recommended: 4, concurrency: 2 });
    void shards.connect();
    await time.pass(MINUTE);
    expect(logins).toEqual([0, 0, LOGIN_MS, LOGIN_MS]);
  });

  test('that Discord refuses are tried again, and hold up no other shard', async () => {
    const { shards, up, refused } = setUp();
    refused.add('0/2');
    await time.until(shards.connect());
    expect([...up]).toEqual(['1/2']);
    refused.clear();
    await time.pass(6 * SECOND);
    expect([...up]).toEqual(['1/2', '0/2']);
    await shards.end();
    expect([...up]).toEqual([]);
  });

  test('that Discord refuses for all shards end the start', async () => {
    const { shards, refused } = setUp();
    for (const shard of ['0/2', '1/2']) refused.add(shard);
    await expect(time.until(shards.connect())).rejects.toThrow('Discord is down');
  });
});
