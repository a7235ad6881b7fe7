/** The community's month in a channel: once, over a kill at each step. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGuildSettings } from '../../../src/accounts/guild-settings.ts';
import { DAY, HOUR, MINUTE } from '../../../src/base/duration.ts';
import { createDeliveries } from '../../../src/deliveries/ledger.ts';
import { createSendOnce, type SendOutcome } from '../../../src/deliveries/send-once.ts';
import { monthAt, startOf } from '../../../src/features/recap/period.ts';
import { createMonthPosts } from '../../../src/features/recap/post.ts';
import { createRecapRepository, monthlyPosts } from '../../../src/features/recap/stored.ts';
import type { Access } from '../../../src/service/models/board.ts';
import { changeDocuments } from '../../../src/store/change.ts';
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
    /** Discord's next answers; after the last one, every message is sent. */
    outcomes: [] as SendOutcome[],
    access: { kind: 'open' } as Access,
    /** Days of the month of which nothing is known. */
    unknownDays: 0,
    /** Months that were computed. */
    computed: 0,
    /** Those under way at once, at most. */
    atOnce: 0,
    hidden: new Set<string>(),
    /** The process is responsible for the guild. */
    isHeld: true,
    /** Start of the bot's stay in the guild (unix milliseconds). */
    /** Done while the month is computed. */
    duringCounts: async (): Promise<unknown> => null,
    /** Done while Discord has the message. */
    duringPost: async (): Promise<unknown> => null,
    untilKill,
  };
}

function startProcess(world: ReturnType<typeof createWorld>) {
  let isDead = false;
  let underWay = 0;
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
        await world.duringPost();
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
  const repository = createRecapRepository(documents);
  const posts = createMonthPosts({
    repository,
    settingsOf: createGuildSettings(documents).of,
    history: {
      async counts(_place, { from, to }) {
        world.computed += 1;
        underWay += 1;
        world.atOnce = Math.max(world.atOnce, underWay);
        await world.duringCounts();
        underWay -= 1;
        return countsOf({ from: from + world.unknownDays * DAY, to }, { step: HOUR });
      },
      playtime: async () =>
        ['ann', 'bob']
          .filter((driver) => !world.hidden.has(driver))
          .map((driver, index) => ({ rank: index + 1, driver, value: HOUR * (9 - index), read: null })),
    },
    deliveries,
    sendOnce: sendOnce.send,
    access: () => world.access,
    holds: () => world.isHeld,
    translatorFor: createTranslators(),
    nicknameOf: () => null,
    clock: time.clock,
    runs: { start: (_key, work) => void runs.push(work()) },
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
  const begin = async (channel: string) => (await posts.begin(GUILD, channel, 'en-GB')).kind;
  return { posts, repository, begin, attempt, round: () => attempt(posts.round) };
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
  const { posts, begin, round } = startProcess(world);
  expect(await begin(CHANNEL)).toBe('posted');
  expect(await begin(OTHER)).toBe('posted');
  await posts.stop(GUILD, 'en-GB');
  await time.pass(20 * DAY);
  expect(await begin(OTHER)).toBe('posted');
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
  const { begin, round } = startProcess(world);
  expect(await begin(CHANNEL)).toBe('early');
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
  const { begin, round } = startProcess(world);
  expect(await begin(CHANNEL)).toBe('thin');
  expect(await begin(OTHER)).toBe('thin');
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
  const { begin, round } = startProcess(world);
  expect(await begin(CHANNEL)).toBe('later');
  world.hidden.add('ann');
  await time.pass(10 * MINUTE);
  await round();
  expect(world.posted).toHaveLength(1);
  expect(world.posted[0]?.text).toContain('bob');
  expect(world.posted[0]?.text).not.toContain('ann');
});

test('a message that Discord refuses for its content is tried again ever less often', async () => {
  const world = createWorld();
  world.outcomes = Array<SendOutcome>(5000).fill('refused');
  const { begin, round } = startProcess(world);
  expect(await begin(CHANNEL)).toBe('refused');
  for (let rounds = 0; rounds < 7 * 24 * 6; rounds += 1) {
    await time.pass(10 * MINUTE);
    await round();
  }
  expect(5000 - world.outcomes.length).toBeLessThan(20);
  world.outcomes = [];
  for (let rounds = 0; rounds < 24 * 6; rounds += 1) {
    await time.pass(10 * MINUTE);
    await round();
  }
  expect(world.posted).toHaveLength(1);
});

test('is kept back without rights, and posted once they are there', async () => {
  const world = createWorld();
  const { begin, round } = startProcess(world);
  world.access = { kind: 'missing', rights: ['SendMessages'] };
  expect(await begin(CHANNEL)).toBe('missing');
  world.access = { kind: 'open' };
  world.outcomes.push('rights');
  expect(await begin(CHANNEL)).toBe('rights');
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
  const { begin, round } = startProcess(world);
  expect(await begin(CHANNEL)).toBe('posted');
  for (let day = 0; day < 10; day += 1) {
    await time.pass(DAY);
    await round();
  }
  expect(world.posted).toHaveLength(1);
});

test.each(['gone', 'closed', 'rights'] as const)(
  'a channel that is %s leaves the month to the next channel',
  async (refusal) => {
    const world = createWorld();
    world.outcomes.push(refusal);
    const { posts, begin } = startProcess(world);
    expect(await begin(CHANNEL)).toBe(refusal === 'gone' ? 'gone' : 'rights');
    expect((await posts.preview(GUILD)).channel).toBe(refusal === 'gone' ? null : CHANNEL);
    expect(await begin(OTHER)).toBe('posted');
    expect(world.posted.map(({ channel }) => channel)).toEqual([OTHER]);
  },
);

test('nothing is posted where it was stopped before the message', async () => {
  const world = createWorld();
  const { posts, repository, begin } = startProcess(world);
  world.duringCounts = () => repository.setChannel(GUILD, { channel: null, locale: 'en-GB', since: 0 });
  await begin(CHANNEL);
  expect(world.posted).toEqual([]);
  expect((await posts.preview(GUILD)).channel).toBeNull();
});

test('a channel chosen while the one before is found to be gone is kept', async () => {
  const world = createWorld();
  const { posts, repository, begin } = startProcess(world);
  world.duringPost = () => repository.setChannel(GUILD, { channel: OTHER, locale: 'en-GB', since: 0 });
  world.outcomes.push('gone');
  expect(await begin(CHANNEL)).toBe('gone');
  expect((await posts.preview(GUILD)).channel).toBe(OTHER);
});

test.each(['rights', 'gone', 'unsent'] as const)(
  'a month that was %s is given back in one commit',
  async (outcome) => {
    // Six commits and steps until the message is refused, and two more for one commit.
    const world = createWorld(8);
    world.outcomes.push(outcome);
    const { begin } = startProcess(world);
    await begin(CHANNEL);
    world.untilKill = Number.POSITIVE_INFINITY;
    expect(await startProcess(world).begin(OTHER)).toBe('posted');
  },
);

test('a server that the bot joins again gets no month by itself, and one when asked', async () => {
  const world = createWorld();
  const { repository, begin, round } = startProcess(world);
  await begin(CHANNEL);
  await repository.removeIn(GUILD, Number.POSITIVE_INFINITY);
  for (let day = 0; day < 2; day += 1) {
    await time.pass(DAY);
    await round();
  }
  expect(world.posted).toHaveLength(1);
  expect(await begin(OTHER)).toBe('posted');
  await time.pass(10 * DAY);
  await round();
  expect(world.posted.map(({ channel }) => channel)).toEqual([CHANNEL, OTHER]);
});

test('servers of one zone share one computation, and zones come one after the other', async () => {
  const world = createWorld();
  const { repository, round } = startProcess(world);
  const settings = createGuildSettings(world.documents);
  for (let guild = 0; guild < 12; guild += 1) {
    await settings.change(`${guild}`, { timeZone: guild % 2 === 0 ? 'Europe/Berlin' : 'Europe/London' });
    await repository.setChannel(`${guild}`, { channel: `${guild}`, locale: 'en-GB', since: 0 });
  }
  await round();
  expect(world.posted).toHaveLength(12);
  expect([world.computed, world.atOnce]).toEqual([2, 1]);
  await time.pass(10 * MINUTE);
  await round();
  expect(world.computed).toBe(2);
});

test('presses of many servers at once are computed one after the other', async () => {
  const world = createWorld();
  const { posts } = startProcess(world);
  const zones = ['Europe/Berlin', 'Europe/London', 'Asia/Tokyo'];
  for (const timeZone of zones) await createGuildSettings(world.documents).change(timeZone, { timeZone });
  await Promise.all(zones.map((guild) => posts.begin(guild, CHANNEL, 'en-GB')));
  expect([world.computed, world.atOnce]).toEqual([3, 1]);
});

test("another process's server gets nothing from this one", async () => {
  const world = createWorld();
  world.isHeld = false;
  const { repository, round } = startProcess(world);
  await repository.setChannel(GUILD, { channel: CHANNEL, locale: 'en-GB', since: 0 });
  await round();
  expect(world.posted).toEqual([]);
});

test('a time zone changed on the first brings no earlier month', async () => {
  const world = createWorld();
  const settings = createGuildSettings(world.documents);
  await settings.change(GUILD, { timeZone: 'Pacific/Auckland' });
  const { begin, round } = startProcess(world);
  await time.pass(30 * DAY + 10 * HOUR);
  expect(await begin(CHANNEL)).toBe('posted');
  await settings.change(GUILD, { timeZone: 'Pacific/Honolulu' });
  await time.pass(HOUR);
  await round();
  expect(world.posted).toHaveLength(1);
});

test('waits for ten by clocks that were changed that morning', () => {
  // New York left summer time on 1 November 2026.
  expect(startOf(monthAt('UTC', Date.UTC(2026, 10, 1)), 'America/New_York', 10)).toBe(
    Date.UTC(2026, 10, 1, 15),
  );
});

test('a month noted by a clock that was ahead keeps none back', async () => {
  const world = createWorld();
  const { begin } = startProcess(world);
  await changeDocuments(world.documents, async (transaction) =>
    transaction.write(monthlyPosts, GUILD, { channel: CHANNEL, locale: 'en-GB', posted: 900, since: null }),
  );
  expect(await begin(CHANNEL)).toBe('posted');
  expect(world.posted).toHaveLength(1);
});
