/** A process gives its boards up to another one, while Discord is slow or answers nothing. */
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import type { RequestResult } from '../../../src/messages/boards/channels.ts';
import { allBoards, CHANNEL, createBoardFixture, type Sabotage } from './support/board-fixture.ts';

const sleep = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));

/** Two processes, of which the first has an edit under way that takes so long. */
async function withEditUnderWay(takes: number, phase: number, answer?: RequestResult) {
  const fixture = createBoardFixture();
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
  const first = await fixture.withBoard(slowly);
  fixture.start();
  await fixture.time.pass(MINUTE + phase);
  isSlow = true;
  fixture.world.version = 2;
  while (begun === 0) await fixture.time.pass(10);
  return { fixture, first };
}

describe('a board that is given up', () => {
  // The store is compared every five seconds: one of these falls into the edit.
  test.for([0, 1, 2, 3, 4])('stores what its last edit showed (%i)', async (phase) => {
    const { fixture, first } = await withEditUnderWay(3500, phase * SECOND);
    const begun = fixture.time.clock.now();
    await first.stop();
    const [board] = await allBoards(fixture.store);
    expect(board?.state.lastEdit).toBeGreaterThanOrEqual(begun - SECOND);
    expect(fixture.version()).toBe(2);
  });

  test('is waited for four seconds at most', async () => {
    const { fixture, first } = await withEditUnderWay(MINUTE, 0, { kind: 'lost', why: 'ECONNRESET' });
    const stopped = first.stop();
    await fixture.time.pass(10 * SECOND);
    // The other one shows the newest state.
    expect(fixture.version()).toBe(2);
    await fixture.time.until(stopped);
  });
});

test('a board whose maker had their data deleted notifies no person that it pauses', async () => {
  const fixture = createBoardFixture();
  const process = await fixture.withBoard();
  await fixture.time.pass(SECOND);
  await fixture.store.change(CHANNEL, (settings) => ({ ...settings, madeBy: '' }));
  await fixture.time.pass(10 * SECOND);
  fixture.chat.setRights(CHANNEL, []);
  await fixture.time.pass(MINUTE);
  expect((await allBoards(fixture.store))[0]?.state.paused).toMatchObject({ why: 'rights', notified: true });
  expect(fixture.chat.requests.filter(({ what }) => what === 'notify')).toEqual([]);
  expect((await process.boards.list(fixture.chat.guildId))[0]?.errors).toEqual([]);
});

test('a process that is not sure of its lock sends nothing more', async () => {
  const fixture = createBoardFixture();
  await fixture.withBoard();
  fixture.boardStore.broken = true;
  fixture.lock.isAway = true;
  await fixture.time.pass(MINUTE);
  const before = fixture.chat.requests.length;
  fixture.world.version = 2;
  await fixture.time.pass(MINUTE);
  expect(fixture.chat.requests).toHaveLength(before);
});

test.for([1, 4])('a board begins at once when its process takes over (%i)', async (phase) => {
  const fixture = createBoardFixture();
  const first = await fixture.withBoard();
  let mayAct = (): boolean => false;
  fixture.start({
    shards: (shards) => {
      mayAct = () => shards.mayAct(fixture.chat.guildId);
      return shards;
    },
  });
  await fixture.time.pass(MINUTE + phase * SECOND);
  const stopped = first.stop();
  while (!mayAct()) await fixture.time.pass(10);
  const before = fixture.edits();
  // The next look at the store may be five seconds away.
  for (let ms = 0; ms < 1200 && fixture.edits() === before; ms += 10) await fixture.time.pass(10);
  expect(fixture.edits()).toBe(before + 1);
  await fixture.time.until(stopped);
});

test('a board asked for again while the store is slow is run once', async () => {
  const fixture = createBoardFixture();
  const first = await fixture.withBoard();
  await first.stop();
  const second = fixture.start({
    records: (records, { clock }) => ({
      ...records,
      async stateOf(channelId) {
        await sleep(clock, 12 * SECOND);
        return records.stateOf(channelId);
      },
    }),
  });
  await fixture.time.pass(5 * SECOND);
  // A person's change looks at the store as well.
  void second.boards.changeAll(fixture.chat.guildId, { locale: 'de' });
  await fixture.time.pass(2 * MINUTE);
  const before = fixture.edits();
  for (const version of [2, 3, 4, 5, 6]) {
    fixture.world.version = version;
    await fixture.time.pass(20 * SECOND);
  }
  expect(fixture.edits() - before).toBe(5);
});

test('a message that an earlier process may have sent is edited as an old one', async () => {
  const fixture = createBoardFixture();
  const process = fixture.start();
  await fixture.time.pass(100);
  const asked = fixture.request();
  void process.boards.create(asked);
  fixture.chat.onCreated = () => process.kill();
  await fixture.time.pass(15 * SECOND);
  fixture.chat.onCreated = null;
  fixture.world.version = 2;
  // Discord does not list the message yet; of two sends with one nonce it makes one, with the first content.
  fixture.start({ chat: (chat) => ({ ...chat, find: async () => ({ kind: 'found', messageIds: [] }) }) });
  await fixture.time.pass(MINUTE);
  expect(fixture.version()).toBe(2);
});
