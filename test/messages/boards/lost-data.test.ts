/** The store loses everything, as a database that is restored empty does: the messages of its boards still stand. */
import { expect, test } from 'vitest';
import { HOUR, SECOND } from '../../../src/base/duration.ts';
import { type BoardFixture, CHANNEL, createBoardFixture, type Process } from './support/board-fixture.ts';

const lostBy = (fixture: BoardFixture, { boards }: Process) =>
  fixture.time.until(boards.lost(fixture.chat.guildId));

async function withLostBoard() {
  const fixture = createBoardFixture();
  const process = await fixture.withBoard();
  await fixture.time.pass(HOUR);
  const [message] = fixture.chat.alive(CHANNEL);
  if (message === undefined) throw new Error('there is no board');
  const failures: unknown[] = [];
  fixture.failed = (error) => failures.push(error);
  await fixture.store.remove(CHANNEL);
  await fixture.time.pass(10 * SECOND);
  return { fixture, process, message, failures };
}

test('a process says once that a board of its own is no longer in the store', async () => {
  const { fixture, failures } = await withLostBoard();
  await fixture.time.pass(HOUR);
  expect(failures.map(String)).toEqual([expect.stringContaining('the store has lost 1 boards: /board list')]);
});

test('the board is found again after a restart, and a new one adopts its message', async () => {
  const { fixture, process, message } = await withLostBoard();
  await process.stop();
  // Others write there, too.
  fixture.chat.chatter(CHANNEL, 60);
  const next = fixture.start();
  await fixture.time.pass(SECOND);
  expect(await lostBy(fixture, next)).toEqual([CHANNEL]);
  fixture.world.version = 2;
  expect(await fixture.time.until(next.boards.create(fixture.request()))).toEqual({
    kind: 'created',
    posted: true,
  });
  await fixture.time.pass(10 * SECOND);
  expect(fixture.chat.alive(CHANNEL).map(({ id }) => id)).toEqual([message.id]);
  expect(fixture.version()).toBe(2);
  expect(await lostBy(fixture, next)).toEqual([]);
});

test('nothing is searched while the store has a board; a removed one is not lost', async () => {
  const fixture = createBoardFixture();
  const process = await fixture.withBoard();
  const searches = () => fixture.chat.requests.filter(({ what }) => what === 'find').length;
  const before = searches();
  expect(await lostBy(fixture, process)).toEqual([]);
  expect(searches()).toBe(before);
  await fixture.time.until(process.boards.remove(fixture.chat.guildId, CHANNEL));
  expect(await lostBy(fixture, process)).toEqual([]);
});
