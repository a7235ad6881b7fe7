/** Which process serves a guild, whatever happens to it, to the others and to the store. */
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/duration.ts';
import { StartError } from '../../src/base/errors.ts';
import { CLAIM_MS, claimsDocuments, noClaims } from '../../src/shards/claims-document.ts';
import { createShardsStage, guildOf, LOGIN_MS } from './support/shards-stage.ts';

const GUILD = guildOf(0);
type Stage = ReturnType<typeof createShardsStage>;

/** How long the guild has no holder from now on, in ms. */
async function gap({ time, holdersOf }: Stage): Promise<number> {
  const begun = time.elapsed;
  while (holdersOf(GUILD).length === 0 && time.elapsed < begun + MINUTE) await time.pass(20);
  return time.elapsed - begun;
}

/** A process at work, and another one that stands by. */
async function withStandby(options: Parameters<typeof createShardsStage>[0] = {}) {
  const stage = createShardsStage({ recommended: 1, ...options });
  const active = stage.start();
  await stage.time.until(active.started);
  const standby = stage.start();
  await stage.time.pass(20 * SECOND);
  return { ...stage, stage, active, standby };
}

describe('a standby', () => {
  test('waits while another process works, and writes nothing but that it waits', async () => {
    const { claims, standby, logins, time, store } = await withStandby();
    expect([standby.up.size, standby.shards.count(), logins.length]).toEqual([0, null, 1]);
    expect(standby.logged).toMatchObject([{ text: expect.stringContaining('stands by') }]);
    await time.pass(HOUR);
    // Every collection that was ever written has a version.
    expect([...(await store.all('versions')).keys()]).toEqual(['shard-claims']);
    expect((await claims()).standbys).toHaveLength(1);
  });

  test('takes over within two seconds and a login, when the other process stops', async () => {
    const { stage, active, standby } = await withStandby();
    await active.stop();
    expect(await gap(stage)).toBeLessThanOrEqual(2 * SECOND + LOGIN_MS);
    expect(stage.holdersOf(GUILD)).toEqual([standby]);
  });

  test('takes over within twenty seconds and a login, when the other process dies', async () => {
    const { stage, active, standby } = await withStandby();
    active.kill();
    expect(await gap(stage)).toBeLessThanOrEqual(20 * SECOND + LOGIN_MS);
    expect(stage.holdersOf(GUILD)).toEqual([standby]);
  });

  test.for(['stops', 'dies'] as const)('that %s takes nothing over', async (how) => {
    const { active, standby, time, claims } = await withStandby();
    if (how === 'stops') await standby.stop();
    else standby.kill();
    expect(await time.until(active.shards.claim.hasStandby())).toBe(how === 'dies');
    await time.pass(CLAIM_MS);
    expect(await time.until(active.shards.claim.hasStandby())).toBe(false);
    await active.stop();
    expect((await claims()).claims).toEqual([]);
  });

  test('of two, one takes over', async () => {
    const { stage, active } = await withStandby();
    stage.start();
    await stage.time.pass(SECOND);
    await active.stop();
    await stage.time.pass(MINUTE);
    expect(stage.holdersOf(GUILD)).toHaveLength(1);
    expect(stage.logins).toHaveLength(2);
  });

  test('that starts together with others leaves one process at work', async () => {
    const stage = createShardsStage({ recommended: 1 });
    for (let index = 0; index < 4; index += 1) stage.start();
    await stage.time.pass(MINUTE);
    expect([stage.holdersOf(GUILD).length, stage.logins.length]).toEqual([1, 1]);
  });
});

describe('the number of a claim', () => {
  test('grows with each holder, also when the store has lost its data', async () => {
    const stage = createShardsStage();
    const numbers: number[] = [];
    for (let holder = 0; holder < 4; holder += 1) {
      const process = stage.start();
      await stage.time.until(process.started);
      numbers.push(process.shards.claim.fence() ?? 0);
      await process.stop();
      if (holder === 1) stage.loseData();
      if (holder === 2) stage.time.stepWall(-HOUR);
    }
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(4);
  });

  test('stays while its holder renews', async () => {
    const { active, time } = await withStandby();
    const before = active.shards.claim.fence();
    await time.pass(HOUR);
    expect(active.shards.claim.fence()).toEqual(before);
  });
});

describe('a process that stands still for a minute', () => {
  test('has lost its claim when it goes on: it disconnects, and neither acts nor answers', async () => {
    const { active, standby, stage } = await withStandby();
    let isLost = false;
    void active.shards.lost.then(() => {
      isLost = true;
    });
    active.freeze(MINUTE);
    await stage.time.pass(MINUTE - 1);
    expect(stage.holdersOf(GUILD)).toEqual([standby]);
    // A press in its socket is read before any of its timers.
    const answers = active.shards.mayAnswer();
    expect(active.shards.holds(GUILD)).toBe(false);
    expect(await stage.time.until(answers)).toBe(false);
    await stage.time.pass(SECOND);
    expect([isLost, active.up.size, active.shards.served()(GUILD)]).toEqual([true, 0, false]);
    expect(stage.holdersOf(GUILD)).toEqual([standby]);
  });

  test('goes on where no other process has taken over', async () => {
    const stage = createShardsStage();
    const process = stage.start();
    await stage.time.pass(MINUTE);
    process.freeze(MINUTE);
    await stage.time.pass(MINUTE - 1);
    expect(process.shards.holds(GUILD)).toBe(false);
    expect(await stage.time.until(process.shards.mayAnswer())).toBe(true);
    expect(stage.holdersOf(GUILD)).toEqual([process]);
  });
});

describe('before a request', () => {
  test('three seconds of the claim must be left by monotonic time', async () => {
    const { active, time, store } = await withStandby();
    store.broken = true;
    // The last renewal is at most five seconds old.
    await time.pass(6 * SECOND);
    expect(active.shards.holds(GUILD)).toBe(true);
    await time.pass(6 * SECOND);
    expect([active.shards.holds(GUILD), active.shards.mayAct(GUILD)]).toEqual([false, false]);
  });

  test('which a wall clock that is set back does not lengthen', async () => {
    const { active, time, store } = await withStandby();
    store.broken = true;
    time.stepWall(-HOUR);
    await time.pass(12 * SECOND);
    expect(active.shards.holds(GUILD)).toBe(false);
  });

  test('and by wall time, which goes on while the machine sleeps', async () => {
    const stage = createShardsStage();
    const process = stage.start();
    await stage.time.pass(MINUTE);
    stage.time.stepWall(13 * SECOND);
    expect(process.shards.holds(GUILD)).toBe(false);
    await stage.time.pass(6 * SECOND);
    expect(process.shards.holds(GUILD)).toBe(true);
  });
});

test('a claim has a number that the next one can exceed', () => {
  const isRead = (number: number) => claimsDocuments.parse(JSON.stringify({ ...noClaims, number })) !== null;
  expect([2 ** 52, 2 ** 53, 1e308, 0.5].map(isRead)).toEqual([true, false, false, false]);
});

describe('while the store is away', () => {
  test('connections stay, and the same process claims again when it is back', async () => {
    const { active, standby, stage } = await withStandby();
    stage.store.broken = true;
    await stage.time.pass(30 * SECOND);
    expect([active.up.size, stage.holdersOf(GUILD).length]).toEqual([1, 0]);
    expect(await stage.time.until(active.shards.mayAnswer())).toBe(true);
    stage.store.broken = false;
    await stage.time.pass(SECOND);
    expect(stage.holdersOf(GUILD)).toEqual([active]);
    await stage.time.pass(MINUTE);
    expect([stage.holdersOf(GUILD), standby.up.size, stage.logins.length]).toEqual([[active], 0, 1]);
  });

  test('and also when it comes back empty', async () => {
    const { active, standby, stage } = await withStandby();
    const before = active.shards.claim.fence() ?? 0;
    stage.store.broken = true;
    await stage.time.pass(30 * SECOND);
    stage.loseData();
    stage.store.broken = false;
    await stage.time.pass(MINUTE);
    expect([stage.holdersOf(GUILD), standby.up.size, stage.logins.length]).toEqual([[active], 0, 1]);
    expect(active.shards.claim.fence()).toBeGreaterThan(before);
  });

  test('a standby takes over from a process that died while the store was away', async () => {
    const { active, standby, stage } = await withStandby();
    stage.store.broken = true;
    await stage.time.pass(10 * SECOND);
    active.kill();
    await stage.time.pass(20 * SECOND);
    stage.store.broken = false;
    expect(await gap(stage)).toBeLessThanOrEqual(20 * SECOND + LOGIN_MS);
    expect(stage.holdersOf(GUILD)).toEqual([standby]);
  });

  test('data that is lost without an outage stays with the process at work', async () => {
    const { active, standby, stage } = await withStandby();
    stage.loseData();
    await stage.time.pass(MINUTE);
    expect([stage.holdersOf(GUILD), standby.up.size]).toEqual([[active], 0]);
  });
});

describe('ranges', () => {
  const low = { first: 0, last: 0, total: 2 };
  const high = { first: 1, last: 1, total: 2 };

  test('that do not overlap are served side by side, each with a standby of its own', async () => {
    const stage = createShardsStage();
    const [one, two] = [stage.start(low), stage.start(high)];
    await stage.time.pass(SECOND);
    const third = stage.start(high);
    await stage.time.pass(MINUTE);
    expect(stage.holdersOf(guildOf(0))).toEqual([one]);
    expect(stage.holdersOf(guildOf(1))).toEqual([two]);
    expect([one.shards.processes(), third.up.size]).toEqual([2, 0]);
    await two.stop();
    await stage.time.pass(3 * SECOND);
    expect(stage.holdersOf(guildOf(1))).toEqual([third]);
  });

  test.for([
    ['a part of it', low],
    ['shards of another number', { first: 0, last: 3, total: 4 }],
    ['all that Discord recommends', 'auto'],
  ] as const)('end the process whose range overlaps: %s', async ([, other]) => {
    const stage = createShardsStage();
    const first = stage.start({ first: 0, last: 1, total: 2 });
    await stage.time.until(first.started);
    const second = stage.start(other);
    const why = await stage.time.until(second.started.catch((error: unknown) => error));
    expect(why).toBeInstanceOf(StartError);
    expect(why).toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(/on \S+, has the shards 0-1\/2/),
    });
    expect(stage.logins.every(({ by }) => by === first.id)).toBe(true);
  });

  test('that a killed process had keep nobody from another number of shards', async () => {
    const stage = createShardsStage();
    const first = stage.start(low);
    await stage.time.until(first.started);
    first.kill();
    const second = stage.start('auto');
    await stage.time.pass(20 * SECOND);
    expect(second.up.size).toBe(2);
  });
});

describe('logins', () => {
  /** A supervisor that starts the bot again when it has ended, `after` ms from its login. */
  async function crashLoop(options: { readonly isAlone: boolean }, after: number) {
    const stage = createShardsStage({ recommended: 1, ...options });
    while (stage.time.elapsed < DAY) {
      const process = stage.start();
      await stage.time.until(process.started);
      await stage.time.pass(after);
      process.kill();
    }
    return stage;
  }

  test.for([
    { what: 'a file', isAlone: true, after: SECOND },
    { what: 'a file, some minutes after each login', isAlone: true, after: 14 * MINUTE },
    { what: 'a store that processes share', isAlone: false, after: SECOND },
  ])('are at most 110 in a day of crashes, with $what', async ({ isAlone, after }) => {
    const { logins, processes } = await crashLoop({ isAlone }, after);
    expect(logins.length).toBeLessThanOrEqual(110);
    const waits = processes.flatMap(({ logged }) => logged.flatMap(({ seconds }) => seconds ?? []));
    expect(waits.slice(0, 4)).toEqual([10, 20, 40, 80]);
    expect(Math.max(...waits)).toBe(900);
  });

  test('come at once after a crash, ten seconds after two, at once half an hour later', async () => {
    const stage = createShardsStage({ recommended: 1, isAlone: true });
    const gaps: number[] = [];
    for (const pause of [0, 0, 31 * MINUTE, 0]) {
      const process = stage.start();
      const begun = stage.time.elapsed;
      await stage.time.until(process.started);
      gaps.push(stage.time.elapsed - begun - LOGIN_MS);
      await stage.time.pass(pause);
      process.kill();
    }
    expect(gaps).toEqual([0, 0, 10 * SECOND, 0]);
  });

  test('wait for nothing after ends in order, but after an end because of an error', async () => {
    const stage = createShardsStage({ recommended: 1, isAlone: true });
    for (let restart = 0; restart < 20; restart += 1) {
      const process = stage.start();
      await stage.time.until(process.started);
      await process.stop();
    }
    expect(stage.time.elapsed).toBeLessThan(20 * SECOND);
    for (let crash = 0; crash < 2; crash += 1) {
      const process = stage.start();
      await stage.time.until(process.started);
      await process.stop(false);
    }
    const process = stage.start();
    await stage.time.pass(9 * SECOND);
    expect(process.up.size).toBe(0);
  });

  test('that were never begun count as no crash', async () => {
    const stage = createShardsStage({ recommended: 1, isAlone: true });
    stage.discord.silent = true;
    for (let start = 0; start < 3; start += 1) {
      const process = stage.start();
      await expect(stage.time.until(process.started)).rejects.toThrow('does not answer');
      await process.stop(false);
    }
    expect((await stage.claims()).crashes).toEqual(noClaims.crashes);
  });

  test('of a process that is killed while it waits do not begin the wait again', async () => {
    const stage = createShardsStage({ recommended: 1, isAlone: true });
    for (let crash = 0; crash < 6; crash += 1) {
      const process = stage.start();
      await stage.time.until(process.started);
      process.kill();
    }
    const first = stage.start();
    await stage.time.pass(MINUTE);
    first.kill();
    const again = stage.start();
    await stage.time.pass(SECOND);
    expect([first.logged[0]?.seconds, again.logged[0]?.seconds]).toEqual([160, 100]);
  });

  test('are as many at a time as Discord allows', async () => {
    const stage = createShardsStage({ recommended: 4, concurrency: 2 });
    stage.start();
    await stage.time.pass(MINUTE);
    expect(stage.logins.map(({ at }) => at)).toEqual([0, 0, LOGIN_MS, LOGIN_MS]);
  });

  test('that Discord refuses are tried again, and hold up no other shard', async () => {
    const stage = createShardsStage();
    stage.discord.refused.add('0/2');
    const process = stage.start();
    await stage.time.pass(2 * SECOND);
    expect([...process.up]).toEqual(['1/2']);
    stage.discord.refused.clear();
    await stage.time.pass(6 * SECOND);
    expect(process.up.size).toBe(2);
  });

  test('that Discord refuses for all shards end the start', async () => {
    const stage = createShardsStage();
    for (const shard of ['0/2', '1/2']) stage.discord.refused.add(shard);
    await expect(stage.time.until(stage.start().started)).rejects.toThrow('Discord is down');
  });
});

test('a clock of the store that is set back ends no claim, and keeps none for ever', async () => {
  const { active, standby, stage } = await withStandby();
  stage.time.stepWall(-HOUR);
  await stage.time.pass(MINUTE);
  expect(stage.holdersOf(GUILD)).toEqual([active]);
  active.kill();
  expect(await gap(stage)).toBeLessThanOrEqual(20 * SECOND + LOGIN_MS);
  expect(stage.holdersOf(GUILD)).toEqual([standby]);
});

test('the claim of a dead process ends in time, although the clock is set back', async () => {
  const { active, stage } = await withStandby();
  active.kill();
  stage.time.stepWall(-HOUR);
  expect(await gap(stage)).toBeLessThanOrEqual(20 * SECOND + LOGIN_MS);
});

test('a process waits until no process of an earlier version has a lease', async () => {
  const stage = createShardsStage({ recommended: 1 });
  const until = stage.time.clock.now() + 12 * SECOND;
  const text = JSON.stringify({
    count: 1,
    members: { earlier: { since: 0, until, leaving: false } },
    leases: {},
  });
  await stage.store.commit([], [{ collection: 'cluster', key: 'state', text }]);
  const process = stage.start();
  await stage.time.pass(11 * SECOND);
  expect(stage.logins).toEqual([]);
  await stage.time.until(process.started);
  expect(stage.time.elapsed).toBeLessThan(14 * SECOND);
});
