/** A store of version 2.0.0 with weekly digests: each is carried over once, and no week is posted twice or lost. */
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../../src/base/duration.ts';
import { createGuildSettings } from '../../../../src/community/accounts/guild-settings.ts';
import type { Document } from '../../../../src/store/documents.ts';
import type { VirtualTime } from '../../../sim/virtual-time.ts';
import { startTime } from '../../../support/start-time.ts';
import { type Guilds, guildsInMemory, passDays, passHours, startProcess } from '../support/posts.ts';

/** A Wednesday; the week before began on 23 February. */
const WEDNESDAY = Date.UTC(2026, 2, 4, 12);
const BERLIN = 'Europe/Berlin';

let time: VirtualTime;
beforeEach(() => startAt(WEDNESDAY));

function startAt(start: number): void {
  time = startTime(start);
}

interface Stored {
  readonly guild: string;
  readonly channel: string;
  readonly zone?: string | null;
  readonly snoozedUntil?: number | null;
  /** First days of the weeks that were claimed. */
  readonly weeks?: readonly string[];
  /** Other alerts of the channel. */
  readonly others?: readonly object[];
}

const idOf = (channel: string): string => channel.padStart(6, 'd');

/** A digest as version 2.0.0 wrote it, with its state and what it has posted. */
function documentsOf(digest: Stored): readonly Document[] {
  const { guild, channel, zone = null, snoozedUntil = null, weeks = [], others = [] } = digest;
  const watch = {
    ...{ id: idOf(channel), person: '11', place: { kind: 'channel', guild, channel, role: null } },
    ...{ condition: { kind: 'digest' }, locale: 'en-GB', zone, atNight: true, since: WEDNESDAY - 90 * DAY },
    ...{ snoozedUntil, paused: null, once: null },
  };
  const deliveries = weeks.map((day) => ({
    ...{ key: `week:${day}`, watches: [`week:${day}`], at: Date.parse(day) + 7 * DAY + 9 * HOUR },
    settled: false,
  }));
  const values = {
    watches: [`channel:${channel}`, [...others, watch]],
    'watch-states': [`channel:${channel}`, { [watch.id]: {}, other1: {} }],
    ...(weeks.length === 0 ? {} : { deliveries: [`digest:${channel}`, deliveries] }),
  };
  return Object.entries(values).map(([collection, [key, value]]) => ({
    collection,
    key: String(key),
    text: JSON.stringify(value),
  }));
}

const store = async ({ documents }: Guilds, ...digests: readonly Stored[]): Promise<void> =>
  void (await documents.commit([], digests.flatMap(documentsOf)));

/** Titles by channel. */
const postedIn = ({ posted }: Guilds, channel: string): readonly string[] =>
  posted
    .filter((post) => post.channel === channel)
    .map(({ title }) => title.replaceAll('\u2009', ' ').replace('Our week: ', ''));

const digestsLeft = async ({ documents }: Guilds): Promise<number> =>
  [...(await documents.all('watches')).values()].filter((text) => text.includes('"digest"')).length;

test('four weeks bring each channel its week, once, and none where the bot has left', async () => {
  const guilds = guildsInMemory(time);
  guilds.access = (guild) => (guild === '4' ? { kind: 'unavailable' } : { kind: 'open' });
  await store(
    guilds,
    { guild: '1', channel: '71', zone: BERLIN, weeks: ['2026-02-23'] },
    { guild: '2', channel: '72', snoozedUntil: Date.UTC(2026, 2, 17) },
    { guild: '3', channel: '73', weeks: ['2026-02-23'] },
    { guild: '3', channel: '74', weeks: ['2026-02-23'] },
    { guild: '4', channel: '75' },
  );
  const processes = [startProcess(guilds), startProcess(guilds)];
  await Promise.all(processes.map(({ carry }) => carry()));
  expect(await digestsLeft(guilds)).toBe(0);
  await passDays(28, guilds, ...processes);
  const [second, ...later] = ['2 – 8 March', '9 – 15 March', '16 – 22 March', '23 – 29 March'];
  expect(postedIn(guilds, '71')).toEqual([second, ...later]);
  // Snoozed until the second week is over, but for its Tuesday.
  expect(postedIn(guilds, '72')).toEqual(later);
  expect(postedIn(guilds, '73')).toEqual([second, ...later]);
  expect(postedIn(guilds, '74')).toEqual([second, ...later]);
  expect(postedIn(guilds, '75')).toEqual([]);
}, 60_000);

test('a week that was posted is not posted again, and one that was not is', async () => {
  // Monday, an hour after the posts of version 2.0.0.
  startAt(Date.UTC(2026, 2, 9, 10));
  const guilds = guildsInMemory(time);
  await store(
    guilds,
    { guild: '1', channel: '71', weeks: ['2026-02-23', '2026-03-02'] },
    { guild: '2', channel: '72', weeks: ['2026-02-23'] },
  );
  const process = startProcess(guilds);
  await process.carry();
  await passHours(2, guilds, process);
  expect(guilds.posted.map(({ channel }) => channel)).toEqual(['72']);
});

describe('the first week', () => {
  /** Spans of the first two weeks that are computed for the zone. */
  async function spans(zone: string): Promise<readonly string[]> {
    const guilds = guildsInMemory(time);
    await createGuildSettings(guilds.documents).change('1', { timeZone: zone });
    await store(guilds, { guild: '1', channel: '71', weeks: ['2026-02-23'] });
    const process = startProcess(guilds);
    await process.carry();
    await passDays(13, guilds, process);
    return guilds.spans.map(({ from, to }) =>
      [from, to].map((at) => new Date(at).toISOString().slice(5, 13)).join(' '),
    );
  }

  // Clocks in New York are put forward on 8 March.
  test.each([
    [BERLIN, ['03-02T00 03-08T23', '03-08T23 03-15T23']],
    ['America/New_York', ['03-02T00 03-09T04', '03-09T04 03-16T04']],
    ['Australia/Sydney', ['03-02T00 03-08T13', '03-08T13 03-15T13']],
  ])('in %s goes on where the last one in UTC ended', async (zone, expected) => {
    expect(await spans(zone)).toEqual(expected);
  });
});

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
  'a process that is killed at step %i leaves each digest, and each post, once',
  async (untilKill) => {
    startAt(Date.UTC(2026, 2, 9, 10));
    const guilds = guildsInMemory(time, untilKill);
    await store(guilds, { guild: '1', channel: '71' }, { guild: '1', channel: '72' });
    const first = startProcess(guilds);
    await first.carry();
    await first.round();
    guilds.untilKill = Number.POSITIVE_INFINITY;
    const second = startProcess(guilds);
    await second.carry();
    expect([...(await second.channels('1'))].toSorted()).toEqual(['71', '72']);
    expect(await digestsLeft(guilds)).toBe(0);
    await passHours(30, guilds, second);
    for (const channel of ['71', '72']) expect(postedIn(guilds, channel).length).toBeLessThanOrEqual(1);
    await passDays(7, guilds, second);
    for (const channel of ['71', '72']) expect(postedIn(guilds, channel)).toContain('9 – 15 March');
    expect(new Set(guilds.posted.map(({ channel, title }) => channel + title)).size).toBe(
      guilds.posted.length,
    );
  },
  60_000,
);

test('two digests of a server stay until a channel is chosen; no week is posted twice', async () => {
  // Ten o'clock in Berlin.
  startAt(Date.UTC(2026, 2, 9, 9));
  const guilds = guildsInMemory(time);
  await store(guilds, { guild: '100', channel: '71', zone: BERLIN }, { guild: '100', channel: '72' });
  const process = startProcess(guilds);
  await process.carry();
  await process.round();
  expect(guilds.posted.map(({ channel }) => channel).toSorted()).toEqual(['71']);
  await passHours(1, guilds, process);
  expect(guilds.posted.map(({ channel }) => channel).toSorted()).toEqual(['71', '72']);
  await process.begin('73', ['week', 'month']);
  expect(await process.channels()).toEqual(['73']);
  // The zone of a digest counts as long as the server has none.
  expect((await process.posts.preview('100', null)).zone).toBe(BERLIN);
  await passDays(7, guilds, process);
  expect(guilds.posted.map(({ channel }) => channel).toSorted()).toEqual(['71', '72', '73']);
}, 60_000);

test('a channel that is chosen for the month keeps its months beside a digest', async () => {
  const guilds = guildsInMemory(time);
  const process = startProcess(guilds);
  await process.choose('1', '70', ['month']);
  await store(guilds, { guild: '1', channel: '71', weeks: ['2026-02-23'] });
  await process.carry();
  await passDays(31, guilds, process);
  expect(guilds.posted.filter(({ channel }) => channel === '70').map(({ title }) => title)).toEqual([
    'Our month: March 2026',
  ]);
  expect(postedIn(guilds, '71')).toHaveLength(4);
}, 60_000);

test('the maker of a digest is told where its channel refuses it', async () => {
  startAt(Date.UTC(2026, 2, 9, 10));
  const guilds = guildsInMemory(time);
  guilds.access = () => ({ kind: 'unknown-channel' });
  await store(guilds, { guild: '1', channel: '71' });
  const process = startProcess(guilds);
  await process.carry();
  await passHours(4, guilds, process);
  expect(guilds.notices).toEqual([{ to: '11', content: expect.stringContaining('<#71>') }]);
});

test('the other alerts of the channel stay as they are', async () => {
  const guilds = guildsInMemory(time);
  const other = { id: 'other1', person: '11', condition: { kind: 'duty', duty: 'police', atLeast: 1 } };
  await store(guilds, { guild: '1', channel: '71', others: [other] });
  await startProcess(guilds).carry();
  const read = async (collection: string) =>
    JSON.parse((await guilds.documents.read(collection, 'channel:71')).text ?? '');
  expect([await read('watches'), await read('watch-states')]).toEqual([[other], { other1: {} }]);
});

test('a digest set again with version 2.0.0 posts no week twice', async () => {
  startAt(Date.UTC(2026, 2, 9, 11));
  const guilds = guildsInMemory(time);
  const process = startProcess(guilds);
  for (let start = 0; start < 2; start += 1) {
    await store(guilds, { guild: '1', channel: '71' });
    await process.carry();
    await process.round();
  }
  expect(guilds.posted).toHaveLength(1);
});
