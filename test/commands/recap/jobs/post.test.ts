/** The community's weeks and months in a channel: each once, over a kill at each step. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { PostKind } from '../../../../commands/recap/models/post-time.ts';
import { communityPosts } from '../../../../commands/recap/models/stored.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/base/duration.ts';
import { createGuildSettings } from '../../../../src/community/accounts/guild-settings.ts';
import type { SendOutcome } from '../../../../src/messages/outbox/message.ts';
import { changeDocuments } from '../../../../src/store/change.ts';
import type { VirtualTime } from '../../../sim/virtual-time.ts';
import { startTime } from '../../../support/start-time.ts';
import {
  GUILD,
  guildsInMemory as guildsInMemoryAt,
  MAKER,
  passDays,
  passHours,
  startProcess,
} from '../support/posts.ts';

const [CHANNEL, OTHER] = ['8', '9'] as const;
/** A Tuesday: the post of the week is due on it as well. */
const DECEMBER = Date.UTC(2026, 11, 1);

let time: VirtualTime;
beforeEach(() => startAt(DECEMBER + 12 * HOUR));

function startAt(start: number): void {
  time = startTime(start);
}

const guildsInMemory = (untilKill?: number) => guildsInMemoryAt(time, untilKill);

/** Steps from the press to the end: each commit of the store, and the message, before and after it is done. */
const steps = [
  'before the channel is stored',
  'after that',
  'before the claim',
  'after that',
  'before the message',
];
const all = [...steps, 'after the message', 'before it is settled', 'after that', 'never'];

test.each(
  (['week', 'month'] as const).flatMap((kind) => all.map((name, index) => [kind, name, index] as const)),
)('the %s is posted once where the process is killed %s', async (kind, _name, untilKill) => {
  const guilds = guildsInMemory(untilKill);
  const first = startProcess(guilds);
  expect(await first.begin(CHANNEL, [kind])).toBe(untilKill === 8);
  guilds.untilKill = Number.POSITIVE_INFINITY;
  const second = startProcess(guilds);
  // Nobody is told by a killed process that it works: the press comes again. Then come the rounds of five days.
  await second.begin(CHANNEL, [kind]);
  await passDays(5, guilds, second);
  // After the claim nobody knows whether the message was sent, so that it is not sent again.
  const mayHaveBeenSent = untilKill === 3 || untilKill === 4;
  expect(guilds.posted).toHaveLength(mayHaveBeenSent ? 0 : 1);
});

test('is not posted again in another channel or after a stop before the next month', async () => {
  const guilds = guildsInMemory();
  const { posts, begin, round } = startProcess(guilds);
  await begin(CHANNEL);
  await begin(OTHER);
  await posts.stop(GUILD, 'en-GB');
  await time.pass(2 * HOUR);
  await begin(OTHER);
  expect(guilds.posted).toHaveLength(1);
  await time.pass(31 * DAY);
  await round();
  await round();
  expect(guilds.posted.map(({ channel }) => channel)).toEqual([CHANNEL, OTHER]);
  expect(guilds.posted.map(({ title }) => title)).toEqual([
    'Our month: November 2026',
    'Our month: December 2026',
  ]);
});

describe('the time of a post', () => {
  /** Titles that are posted from then on, with the hour of each by the clocks of UTC. */
  async function posted(
    start: number,
    days: number,
    zone: string | null,
    kinds: readonly PostKind[] = ['week', 'month'],
  ) {
    startAt(start);
    const guilds = guildsInMemory();
    if (zone !== null) await createGuildSettings(guilds.documents).change(GUILD, { timeZone: zone });
    const process = startProcess(guilds);
    await process.choose(GUILD, CHANNEL, kinds);
    const titles: string[] = [];
    guilds.duringPost = async () => titles.push(new Date(time.clock.now()).toISOString().slice(0, 13));
    await passHours(days * 24, guilds, process);
    return guilds.posted.map(({ title }, index) => `${titles[index]} ${title}`.replaceAll('\u2009', ' '));
  }

  test('is ten in the morning on Monday and on the first, by the clocks of the server', async () => {
    const from = Date.UTC(2026, 10, 26);
    expect(await posted(from, 7, 'America/New_York')).toEqual([
      '2026-11-30T15 Our week: 23 – 29 November',
      '2026-12-01T15 Our month: November 2026',
    ]);
    expect(await posted(from, 7, null)).toEqual([
      '2026-11-30T10 Our week: 23 – 29 November',
      '2026-12-01T10 Our month: November 2026',
    ]);
    expect((await posted(from, 7, 'Pacific/Auckland'))[0]).toMatch(/^2026-11-29T21 Our week: 23 /);
  });

  test('is the same for both where a month begins on a Monday', async () => {
    expect((await posted(Date.UTC(2027, 0, 30), 4, 'Europe/Berlin')).toSorted()).toEqual([
      '2027-02-01T09 Our month: January 2027',
      '2027-02-01T09 Our week: 25 – 31 January',
    ]);
  });

  test('goes over New Year', async () => {
    const titles = await posted(Date.UTC(2026, 11, 30), 7, 'Europe/Berlin');
    expect(titles).toHaveLength(2);
    expect(titles[0]).toBe('2027-01-01T09 Our month: December 2026');
    expect(titles[1]).toMatch(/^2027-01-04T09 Our week: 28 December.* – 3 January/);
  });

  test('is ten by clocks that were changed that morning', async () => {
    // New York left summer time on 1 November 2026.
    const titles = await posted(Date.UTC(2026, 9, 30), 3, 'America/New_York', ['month']);
    expect(titles).toEqual(['2026-11-01T15 Our month: October 2026']);
  });

  test.each([
    ['week', 'until the end of Tuesday', Date.UTC(2026, 11, 1, 23, 59), 1],
    ['week', 'not on Wednesday', Date.UTC(2026, 11, 2), 0],
    ['month', 'until the end of the second', Date.UTC(2026, 11, 2, 23, 59), 1],
    ['month', 'not on the third', Date.UTC(2026, 11, 3), 0],
  ] as const)('of a %s after an outage is %s', async (kind, _until, now, count) => {
    startAt(now);
    const guilds = guildsInMemory();
    const { choose, round } = startProcess(guilds);
    await choose(GUILD, CHANNEL, [kind]);
    await round();
    await round();
    expect(guilds.posted).toHaveLength(count);
  });
});

test.each([
  ['week', 4, 7],
  ['month', 16, 31],
] as const)('is left out where less than half of the %s is known', async (kind, unknownDays, days) => {
  const guilds = guildsInMemory();
  guilds.unknownDays = unknownDays;
  const { begin, round } = startProcess(guilds);
  await begin(CHANNEL, [kind]);
  await begin(OTHER, [kind]);
  await round();
  expect(guilds.posted).toEqual([]);
  guilds.unknownDays -= 1;
  await time.pass(days * DAY);
  await round();
  expect(guilds.posted).toHaveLength(1);
  expect(guilds.posted[0]?.text).toContain('at least');
});

test('an unsent message comes later, without drivers who are hidden by then', async () => {
  const guilds = guildsInMemory();
  guilds.outcomes.push('unsent');
  const { begin, round } = startProcess(guilds);
  await begin(CHANNEL);
  expect(guilds.posted).toEqual([]);
  guilds.hidden.add('ann');
  await time.pass(10 * MINUTE);
  await round();
  expect(guilds.posted).toHaveLength(1);
  expect(guilds.posted[0]?.text).toContain('bob');
  expect(guilds.posted[0]?.text).not.toContain('ann');
});

test('a driver who is hidden between the claim and the message is not named', async () => {
  const guilds = guildsInMemory();
  const { begin } = startProcess(guilds);
  guilds.afterClaim = () => guilds.hidden.add('ann');
  await begin(CHANNEL, ['week']);
  expect(guilds.posted).toHaveLength(1);
  expect(guilds.posted[0]?.text).toContain('bob');
  expect(guilds.posted[0]?.text).not.toContain('ann');
});

test('a message that Discord refuses for its content is tried again ever less often', async () => {
  const guilds = guildsInMemory();
  guilds.outcomes = Array<SendOutcome>(5000).fill('refused');
  const { begin, round } = startProcess(guilds);
  await begin(CHANNEL);
  const pass = async (hours: number): Promise<void> => {
    for (let rounds = 0; rounds < hours * 6; rounds += 1) {
      await time.pass(10 * MINUTE);
      await round();
    }
  };
  await pass(4);
  expect(5000 - guilds.outcomes.length).toBeLessThan(8);
  guilds.outcomes = [];
  await pass(8);
  expect(guilds.posted).toHaveLength(1);
});

test('is kept back without rights, and posted once they are there', async () => {
  const guilds = guildsInMemory();
  let isMissing = true;
  guilds.access = () => (isMissing ? { kind: 'missing', rights: ['SendMessages'] } : { kind: 'open' });
  const { posts, begin, choose, round } = startProcess(guilds);
  const choice = { channel: CHANNEL, isWeekly: false, isMonthly: true };
  expect((await posts.begin(GUILD, choice, { id: MAKER, locale: 'en-GB' })).kind).toBe('missing');
  expect(await posts.preview(GUILD, null)).toMatchObject({ channels: [] });
  await choose(GUILD, CHANNEL);
  await round();
  expect(guilds.posted).toEqual([]);
  isMissing = false;
  guilds.outcomes.push('rights');
  await begin(CHANNEL);
  expect(guilds.posted).toEqual([]);
  await round();
  expect(guilds.posted).toHaveLength(1);
});

describe('a refusal', () => {
  test('that lasts for weeks is told once, and again after a post in between', async () => {
    const guilds = guildsInMemory();
    let isMissing = true;
    guilds.access = () => (isMissing ? { kind: 'missing', rights: ['SendMessages'] } : { kind: 'open' });
    const process = startProcess(guilds);
    await process.choose(GUILD, CHANNEL, ['week']);
    await passHours(6, guilds, process);
    expect(guilds.notices).toEqual([
      { to: MAKER, content: expect.stringMatching(/<#8>. Missing permissions: \*\*Send Messages\*\*/) },
    ]);
    expect(guilds.notices[0]?.content).toContain('`/recap` with `post`');
    await passDays(14, guilds, process);
    expect([guilds.notices.length, guilds.posted.length]).toEqual([1, 0]);
    isMissing = false;
    await passDays(7, guilds, process);
    expect([guilds.notices.length, guilds.posted.length]).toEqual([1, 1]);
    isMissing = true;
    await passDays(14, guilds, process);
    expect([guilds.notices.length, guilds.posted.length]).toEqual([2, 1]);
  });

  test.each([
    ['rights', 'refuses my messages'],
    ['gone', 'the channel is gone'],
    ['refused', 'AutoMod'],
  ] as const)(
    'by an answer (%s) is told once, and the post comes when that changes',
    async (outcome, why) => {
      const guilds = guildsInMemory();
      guilds.outcomes = [outcome, outcome];
      const process = startProcess(guilds);
      await process.begin(CHANNEL, ['week', 'month']);
      expect(guilds.notices.map(({ content }) => content)).toEqual([expect.stringContaining(why)]);
      await passHours(3, guilds, process);
      expect([guilds.notices.length, guilds.posted.length]).toEqual([1, 2]);
    },
  );

  test('is no outage, and of a deleted channel it comes without a request', async () => {
    const guilds = guildsInMemory();
    guilds.access = () => ({ kind: 'unavailable' });
    const process = startProcess(guilds);
    await process.choose(GUILD, CHANNEL);
    await passHours(3, guilds, process);
    expect(guilds.notices).toEqual([]);
    guilds.access = () => ({ kind: 'unknown-channel' });
    const later = startProcess(guilds);
    await passHours(3, guilds, later);
    expect(guilds.notices.map(({ to }) => to)).toEqual([MAKER]);
    // Another channel has its own causes.
    await later.choose(GUILD, OTHER);
    await passHours(3, guilds, later);
    expect(guilds.notices.at(-1)?.content).toContain(`<#${OTHER}>`);
    expect(guilds.notices).toHaveLength(2);
  });

  test.each(
    [
      ...['before it is noted', 'after that', 'before the claim', 'after that', 'before the message'],
      ...['after the message', 'before it is settled', 'after that', 'before it is removed', 'after that'],
    ].map((name, index) => [name, index] as const),
  )('is told once where the process is killed %s (%i)', async (_name, untilKill) => {
    const guilds = guildsInMemory();
    guilds.access = () => ({ kind: 'missing', rights: ['ViewChannel'] });
    const first = startProcess(guilds);
    await first.choose(GUILD, CHANNEL);
    guilds.untilKill = untilKill;
    expect(await first.round()).toBe(false);
    guilds.untilKill = Number.POSITIVE_INFINITY;
    const second = startProcess(guilds);
    await passHours(3, guilds, second);
    await second.sendNotices();
    const mayHaveBeenSent = untilKill === 3 || untilKill === 4;
    expect(guilds.notices).toHaveLength(mayHaveBeenSent ? 0 : 1);
  });
});

test('is text in a channel where the bot may post no embeds', async () => {
  const guilds = guildsInMemory();
  guilds.access = () => ({ kind: 'missing', rights: ['EmbedLinks'] });
  const { choose, round } = startProcess(guilds);
  await choose(GUILD, CHANNEL);
  await round();
  expect(guilds.posted[0]?.text).toMatch(/^\["\*\*Our month\S+ November 2026\*\*\\n[\s\S]*ann[\s\S]*",null,/);
});

test('a message that may have been sent is not sent again', async () => {
  const guilds = guildsInMemory();
  guilds.outcomes.push('perhaps-sent');
  const process = startProcess(guilds);
  await process.begin(CHANNEL);
  await passHours(48, guilds, process);
  expect(guilds.posted).toHaveLength(1);
});

test.each(['gone', 'closed', 'rights'] as const)(
  'a channel that is %s leaves the month to the next channel',
  async (refusal) => {
    const guilds = guildsInMemory();
    guilds.outcomes.push(refusal);
    const { channels, begin } = startProcess(guilds);
    await begin(CHANNEL);
    // One answer ends no posts.
    expect(await channels()).toEqual([CHANNEL]);
    await begin(OTHER);
    expect(guilds.posted.map(({ channel }) => channel)).toEqual([OTHER]);
  },
);

test('nothing is posted where it was stopped before the message', async () => {
  const guilds = guildsInMemory();
  const { channels, choose, begin } = startProcess(guilds);
  guilds.duringCounts = () => choose(GUILD, null);
  await begin(CHANNEL);
  expect(guilds.posted).toEqual([]);
  expect(await channels()).toEqual([]);
});

test('a channel chosen while the one before is found to be gone is kept', async () => {
  const guilds = guildsInMemory();
  const { channels, choose, begin } = startProcess(guilds);
  guilds.duringPost = () => choose(GUILD, OTHER);
  guilds.outcomes.push('gone');
  await begin(CHANNEL);
  expect(await channels()).toEqual([OTHER]);
});

test.each(['rights', 'gone', 'unsent'] as const)(
  'a month that was %s is given back in one commit',
  async (outcome) => {
    // Six commits and steps until the message is refused, and two more for one commit.
    const guilds = guildsInMemory(8);
    guilds.outcomes.push(outcome);
    await startProcess(guilds).begin(CHANNEL);
    guilds.untilKill = Number.POSITIVE_INFINITY;
    await startProcess(guilds).begin(OTHER);
    expect(guilds.posted.map(({ channel }) => channel)).toEqual([OTHER]);
  },
);

test('a server that the bot joins again gets no month by itself, and one when asked', async () => {
  const guilds = guildsInMemory();
  const { repository, begin, round } = startProcess(guilds);
  await begin(CHANNEL);
  await repository.removeIn(GUILD, Number.POSITIVE_INFINITY);
  await time.pass(HOUR);
  await round();
  expect(guilds.posted).toHaveLength(1);
  await begin(OTHER);
  await time.pass(HOUR);
  await round();
  expect(guilds.posted.map(({ channel }) => channel)).toEqual([CHANNEL, OTHER]);
});

test('servers of one zone share one computation, and zones come one after the other', async () => {
  const guilds = guildsInMemory();
  const { choose, round } = startProcess(guilds);
  const settings = createGuildSettings(guilds.documents);
  for (let guild = 0; guild < 12; guild += 1) {
    await settings.change(`${guild}`, { timeZone: guild % 2 === 0 ? 'Europe/Berlin' : 'Europe/London' });
    await choose(`${guild}`, `${guild}`);
  }
  await round();
  expect(guilds.posted).toHaveLength(12);
  expect([guilds.computed, guilds.atOnce]).toEqual([2, 1]);
  await time.pass(10 * MINUTE);
  await round();
  expect(guilds.computed).toBe(2);
});

test('windows of many servers at once are computed one after the other', async () => {
  const guilds = guildsInMemory();
  const { posts } = startProcess(guilds);
  const zones = ['Europe/Berlin', 'Europe/London', 'Asia/Tokyo'];
  for (const timeZone of zones) await createGuildSettings(guilds.documents).change(timeZone, { timeZone });
  await Promise.all(zones.map((guild) => posts.preview(guild, ['month'])));
  expect([guilds.computed, guilds.atOnce]).toEqual([3, 1]);
});

test('a server that Discord answers slowly holds up no other one', async () => {
  const guilds = guildsInMemory();
  const { choose, posts } = startProcess(guilds);
  for (const guild of ['1', '2']) await choose(guild, `7${guild}`);
  const answers = [new Promise(() => {}), Promise.resolve()];
  guilds.duringPost = async () => answers.shift();
  await posts.round();
  await time.pass(MINUTE);
  expect(guilds.posted.map(({ channel }) => channel)).toEqual(['72']);
});

test("another process's server gets nothing from this one", async () => {
  const guilds = guildsInMemory();
  guilds.isHeld = false;
  const { choose, round } = startProcess(guilds);
  await choose(GUILD, CHANNEL);
  await round();
  expect(guilds.posted).toEqual([]);
});

test('a time zone changed on the first brings no month twice', async () => {
  startAt(DECEMBER - 2 * HOUR);
  const guilds = guildsInMemory();
  const settings = createGuildSettings(guilds.documents);
  await settings.change(GUILD, { timeZone: 'Pacific/Auckland' });
  const process = startProcess(guilds);
  await process.begin(CHANNEL);
  expect(guilds.posted).toHaveLength(1);
  await settings.change(GUILD, { timeZone: 'Pacific/Honolulu' });
  await passDays(4, guilds, process);
  expect(guilds.posted).toHaveLength(1);
});

test('a month noted by a clock that was ahead keeps none back', async () => {
  const guilds = guildsInMemory();
  const { choose, round } = startProcess(guilds);
  await choose(GUILD, CHANNEL);
  await changeDocuments(guilds.documents, async (transaction) => {
    const guildPosts = await transaction.read(communityPosts, GUILD);
    transaction.write(communityPosts, GUILD, guildPosts && { ...guildPosts, posted: 900 });
  });
  await round();
  expect(guilds.posted).toHaveLength(1);
});

test('a channel of version 2.0.0 gets months alone, and none that was posted', async () => {
  const guilds = guildsInMemory();
  const { round } = startProcess(guilds);
  const text = (posted: number) => JSON.stringify({ channel: CHANNEL, locale: 'en-GB', posted });
  const [october, november] = [322, 323];
  for (const posted of [november, october]) {
    await guilds.documents.commit([], [{ collection: 'recap-posts', key: GUILD, text: text(posted) }]);
    await round();
  }
  expect(guilds.posted.map(({ title }) => title)).toEqual(['Our month: November 2026']);
});
