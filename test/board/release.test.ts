/** A process gives its boards up to another one, while Discord is slow or answers nothing. */
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import type { RequestResult } from '../../src/board/channels.ts';
import { allBoards, CHANNEL, createStage, type Sabotage } from './support/stage.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const sleep = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));

/** Two processes, of which the first has an edit under way that takes so long. */
async function withEditUnderWay(takes: number, phase: number, answer?: RequestResult) {
  const stage = createStage();
  let begun = 0;
  let isSlow = false;
  const slowly: Sabotage = {
    chat: (chat, { clock }) => ({
      ...chat,
      async edit(place, message) {
        if (!isSlow) return chat.edit(place, message);
        begun += 1;
        await sleep(clock, takes);
        return answer ?? chat.edit(place, message);
      },
    }),
  };
  const first = await stage.withBoard(slowly);
  stage.start();
  await stage.time.pass(MINUTE + phase);
  isSlow = true;
  stage.world.version = 2;
  while (begun === 0) await stage.time.pass(10);
  return { stage, first };
}

describe('a board that is given up', () => {
  // The store is compared every five seconds: one of these falls into the edit.
  test.for([0, 1, 2, 3, 4])('stores what its last edit showed (%i)', async (phase) => {
    const { stage, first } = await withEditUnderWay(3500, phase * SECOND);
    const begun = stage.time.clock.now();
    await first.stop();
    const [board] = await allBoards(stage.store);
    expect(board?.state.lastEdit).toBeGreaterThanOrEqual(begun - SECOND);
    expect(stage.version()).toBe(2);
  });

  test('is waited for four seconds at most', async () => {
    const { stage, first } = await withEditUnderWay(MINUTE, 0, { kind: 'lost', why: 'ECONNRESET' });
    const stopped = first.stop();
    await stage.time.pass(10 * SECOND);
    // The other one shows the newest state.
    expect(stage.version()).toBe(2);
    await stage.time.until(stopped);
  });
});

test('a board whose maker had their data deleted notifies no person that it pauses', async () => {
  const stage = createStage();
  const process = await stage.withBoard();
  await stage.time.pass(SECOND);
  await stage.store.change(CHANNEL, (settings) => ({ ...settings, madeBy: '' }));
  await stage.time.pass(10 * SECOND);
  stage.chat.setRights(CHANNEL, []);
  await stage.time.pass(MINUTE);
  expect((await allBoards(stage.store))[0]?.state.paused).toMatchObject({ why: 'rights', notified: true });
  expect(stage.chat.requests.filter(({ what }) => what === 'notify')).toEqual([]);
  expect((await process.boards.list(stage.chat.guildId))[0]?.errors).toEqual([]);
});

test('a process that lost its lease during an outage of the store sends nothing more', async () => {
  const stage = createStage();
  await stage.withBoard();
  // The look at the store that would drop the board fails as well.
  stage.boardStore.broken = true;
  stage.claimStore.broken = true;
  await stage.time.pass(MINUTE);
  const before = stage.chat.requests.length;
  stage.world.version = 2;
  await stage.time.pass(MINUTE);
  expect(stage.chat.requests).toHaveLength(before);
});

test.for([1, 4])('a board of a shard that was taken over begins at once (%i)', async (phase) => {
  const stage = createStage();
  const first = await stage.withBoard();
  let holds = (): boolean => false;
  stage.start({
    shards: (shards) => {
      holds = () => shards.holds(stage.chat.guildId);
      return shards;
    },
  });
  await stage.time.pass(MINUTE + phase * SECOND);
  const stopped = first.stop();
  while (!holds()) await stage.time.pass(10);
  const before = stage.edits();
  // The next look at the store may be five seconds away.
  for (let ms = 0; ms < 1200 && stage.edits() === before; ms += 10) await stage.time.pass(10);
  expect(stage.edits()).toBe(before + 1);
  await stage.time.until(stopped);
});

test('a board asked for again while the store is slow is run once', async () => {
  const stage = createStage();
  const first = await stage.withBoard();
  await first.stop();
  const second = stage.start({
    records: (records, { clock }) => ({
      ...records,
      async stateOf(channelId) {
        await sleep(clock, 12 * SECOND);
        return records.stateOf(channelId);
      },
    }),
  });
  await stage.time.pass(5 * SECOND);
  // A person's change looks at the store as well.
  void second.boards.changeAll(stage.chat.guildId, { locale: 'de' });
  await stage.time.pass(2 * MINUTE);
  const before = stage.edits();
  for (const version of [2, 3, 4, 5, 6]) {
    stage.world.version = version;
    await stage.time.pass(20 * SECOND);
  }
  expect(stage.edits() - before).toBe(5);
});

test('a message that an earlier process may have sent is edited as an old one', async () => {
  const stage = createStage();
  const process = stage.start();
  await stage.time.pass(100);
  const asked = stage.request();
  void process.boards.create(asked);
  stage.chat.onCreated = () => process.kill();
  await stage.time.pass(15 * SECOND);
  stage.chat.onCreated = null;
  stage.world.version = 2;
  // Discord does not list the message yet; of two sends with one nonce it makes one, with the first content.
  stage.start({ chat: (chat) => ({ ...chat, find: async () => ({ kind: 'found', messageIds: [] }) }) });
  await stage.time.pass(MINUTE);
  expect(stage.version()).toBe(2);
});

test('a restart does not change a topic that may have been changed a moment before', async () => {
  const stage = createStage();
  const first = await stage.withBoard();
  await stage.time.until(first.boards.edit(stage.chat.guildId, CHANNEL, { topic: 'on' }));
  await stage.time.pass(10 * SECOND);
  const changes = () => stage.chat.requests.filter(({ what }) => what === 'topic').length;
  expect(changes()).toBe(1);
  let process = first;
  for (let restart = 0; restart < 3; restart += 1) {
    await process.stop();
    stage.world.drivers += 1;
    process = stage.start();
    await stage.time.pass(MINUTE);
  }
  expect(changes()).toBe(1);
  await stage.time.pass(12 * MINUTE);
  expect(changes()).toBe(2);
  expect(stage.chat.requests.filter(({ invalid }) => invalid)).toEqual([]);
});
