/** The community's month in a channel: once, over a kill at each step. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGuildSettings } from '../../../src/accounts/guild-settings.ts';
import { DAY, HOUR, MINUTE } from '../../../src/base/duration.ts';
import { createDeliveries } from '../../../src/deliveries/ledger.ts';
import { createSendOnce, type SendOutcome } from '../../../src/deliveries/send-once.ts';
import { createMonthPosts } from '../../../src/features/recap/post.ts';
import { createRecapRepository } from '../../../src/features/recap/stored.ts';
import type { Access } from '../../../src/service/models/board.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { countsOf } from '../../support/past.ts';
import { createTranslators } from '../../support/translators.ts';

const [GUILD, CHANNEL, OTHER] = ['100', '8', '9'] as const;
const DECEMBER = Date.UTC(2026, 11, 1);

class Killed extends Error {}

let time: VirtualTime;
let uninstall: () => void;
beforeEach(() => {
  time = new VirtualTime(DECEMBER + 12 * HOUR);
  uninstall = time.install();
});
afterEach(() => uninstall());

/** A guild, its store, and Discord. `untilKill`: how often more is written or sent until the process is killed. */
function createWorld(untilKill = Number.POSITIVE_INFINITY) {
  return {
    documents: documentsInMemory(time.clock.now),
    posted: [] as { readonly channel: string; readonly text: string }[],
    /** What Discord answers next; nothing more: sent. */
    outcomes: [] as SendOutcome[],
    access: { kind: 'open' } as Access,
    /** Days of the month of which nothing is known. */
    unknownDays: 0,
    hidden: new Set<string>(),
    untilKill,
  };
}

function startProcess(world: ReturnType<typeof createWorld>) {
  let isDead = false;
  function step(): void {
    if (world.untilKill === 0) isDead = true;
    world.untilKill -= 1;
    if (isDead) throw new Killed();
  }
  const { commit, ...others } = world.documents;
  const documents: Documents = {
    ...others,
    async commit(...writes) {
      step();
      const isDone = await commit(...writes);
      step();
      return isDone;
    },
  };
  const deliveries = createDeliveries(documents);
  const runs: Promise<void>[] = [];
  const sendOnce = createSendOnce({
    deliveries,
    maySend: () => true,
    clock: time.clock,
    open: async (to) => ({
      async post({ embeds }) {
        step();
        const outcome = world.outcomes.shift() ?? 'sent';
        if (outcome === 'sent' || outcome === 'perhaps-sent')
          world.posted.push({
            channel: to.kind === 'channel' ? to.channelId : '',
            text: JSON.stringify(embeds),
          });
        step();
        return outcome;
      },
    }),
  });
  const posts = createMonthPosts({
    documents,
    repository: createRecapRepository(documents),
    settingsOf: createGuildSettings(documents).of,
    history: {
      counts: async (_place, { from, to }) =>
        countsOf({ from: from + world.unknownDays * DAY, to }, { step: HOUR }),
      playtime: async () =>
        ['ann', 'bob']
          .filter((driver) => !world.hidden.has(driver))
          .map((driver, index) => ({ rank: index + 1, driver, value: HOUR * (9 - index), read: null })),
    },
    deliveries,
    sendOnce: sendOnce.send,
    access: () => world.access,
    holds: () => true,
    translatorFor: createTranslators(),
    nicknameOf: () => null,
    now: time.clock.now,
    runs: { start: (_key, work) => void runs.push(work()) },
    again: () => {},
  });
  /** Resolves with whether the process is alive afterwards. */
  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      await Promise.all(runs.splice(0));
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    return !isDead;
  }
  return { posts, attempt, round: () => attempt(posts.round) };
}

/** Steps from the press to the end: each commit of the store, and the message, before and after it is done. */
const steps = [
  'before the channel is stored',
  'after that',
  'before the claim',
  'after that',
  'before the message',
];
const all = [...steps, 'after the message', 'before it is settled', 'after that', 'never'];

test.each(all.map((name, index) => [name, index] as const))(
  'is posted once where the process is killed %s',
  async (_name, untilKill) => {
    const world = createWorld(untilKill);
    const first = startProcess(world);
    const isAlive = await first.attempt(() => first.posts.begin(GUILD, CHANNEL, 'en-GB'));
    expect(isAlive).toBe(untilKill === 8);
    world.untilKill = Number.POSITIVE_INFINITY;
    const second = startProcess(world);
    // Nobody is told by a killed process that it works: the press comes again. Then come the rounds of ten days.
    await second.attempt(() => second.posts.begin(GUILD, CHANNEL, 'en-GB'));
    for (let day = 0; day < 10; day += 1) {
      await time.pass(DAY);
      await second.round();
    }
    // After the claim nobody knows whether the message was sent, so that it is not sent again.
    const mayHaveBeenSent = untilKill === 3 || untilKill === 4;
    expect(world.posted).toHaveLength(mayHaveBeenSent ? 0 : 1);
  },
);

test('is not posted again in another channel or after a stop before the next month', async () => {
  const world = createWorld();
  const { posts, round } = startProcess(world);
  expect(await posts.begin(GUILD, CHANNEL, 'en-GB')).toBe('posted');
  expect(await posts.begin(GUILD, OTHER, 'en-GB')).toBe('posted');
  await posts.stop(GUILD, 'en-GB');
  await time.pass(20 * DAY);
  expect(await posts.begin(GUILD, OTHER, 'en-GB')).toBe('posted');
  expect(world.posted).toHaveLength(1);
  await time.pass(11 * DAY);
  await round();
  await round();
  expect(world.posted.map(({ channel }) => channel)).toEqual([CHANNEL, OTHER]);
  expect(world.posted.map(({ text }) => /\w+ 2026/.exec(text)?.[0])).toEqual([
    'November 2026',
    'December 2026',
  ]);
});

test('waits for ten in the morning by the clocks of the server', async () => {
  const world = createWorld();
  await createGuildSettings(world.documents).change(GUILD, { timeZone: 'America/New_York' });
  const { posts, round } = startProcess(world);
  expect(await posts.begin(GUILD, CHANNEL, 'en-GB')).toBe('early');
  await time.pass(3 * HOUR - MINUTE);
  await round();
  expect(world.posted).toEqual([]);
  await time.pass(MINUTE);
  await round();
  expect(world.posted).toHaveLength(1);
});

test('is left out where less than half of the month is known', async () => {
  const world = createWorld();
  world.unknownDays = 16;
  const { posts, round } = startProcess(world);
  expect(await posts.begin(GUILD, CHANNEL, 'en-GB')).toBe('thin');
  world.unknownDays = 0;
  await round();
  expect(world.posted).toEqual([]);
  world.unknownDays = 15;
  await time.pass(31 * DAY);
  await round();
  expect(world.posted).toHaveLength(1);
  expect(world.posted[0]?.text).toContain('at least');
});

test('an unsent message comes later, without drivers who are hidden by then', async () => {
  const world = createWorld();
  world.outcomes.push('unsent');
  const { posts, round } = startProcess(world);
  expect(await posts.begin(GUILD, CHANNEL, 'en-GB')).toBe('later');
  world.hidden.add('ann');
  await time.pass(10 * MINUTE);
  await round();
  expect(world.posted).toHaveLength(1);
  expect(world.posted[0]?.text).toContain('bob');
  expect(world.posted[0]?.text).not.toContain('ann');
});

test('is kept back without rights, and posted once they are there', async () => {
  const world = createWorld();
  const { posts, round } = startProcess(world);
  world.access = { kind: 'missing', rights: ['SendMessages'] };
  expect(await posts.begin(GUILD, CHANNEL, 'en-GB')).toEqual(world.access);
  world.access = { kind: 'open' };
  world.outcomes.push('rights');
  expect(await posts.begin(GUILD, CHANNEL, 'en-GB')).toBe('later');
  world.access = { kind: 'missing', rights: ['SendMessages'] };
  await round();
  expect(world.posted).toEqual([]);
  world.access = { kind: 'open' };
  await round();
  expect(world.posted).toHaveLength(1);
});

test('a message that may have been sent is not sent again', async () => {
  const world = createWorld();
  world.outcomes.push('perhaps-sent');
  const { posts, round } = startProcess(world);
  expect(await posts.begin(GUILD, CHANNEL, 'en-GB')).toBe('posted');
  for (let day = 0; day < 10; day += 1) {
    await time.pass(DAY);
    await round();
  }
  expect(world.posted).toHaveLength(1);
});
