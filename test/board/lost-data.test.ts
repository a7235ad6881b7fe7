/** The store loses everything, as a Redis without persistence does: the messages of its boards still stand. */
import { expect, test } from 'vitest';
import { CHANNEL, createStage, type Process, type Stage } from './support/stage.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const lostBy = (stage: Stage, { boards }: Process) => stage.time.until(boards.lost(stage.chat.guildId));

async function withLostBoard() {
  const stage = createStage();
  const process = await stage.withBoard();
  await stage.time.pass(HOUR);
  const [message] = stage.chat.alive(CHANNEL);
  if (message === undefined) throw new Error('there is no board');
  const failures: unknown[] = [];
  stage.failed = (error) => failures.push(error);
  await stage.store.remove(CHANNEL);
  await stage.time.pass(10 * SECOND);
  return { stage, process, message, failures };
}

test('a process says once that a board of its own is no longer in the store', async () => {
  const { stage, failures } = await withLostBoard();
  await stage.time.pass(HOUR);
  expect(failures.map(String)).toEqual([expect.stringContaining('the store has lost 1 boards: /board list')]);
});

test('the board is found again after a restart, and a new one adopts its message', async () => {
  const { stage, process, message } = await withLostBoard();
  await process.stop();
  // Others write there, too.
  stage.chat.chatter(CHANNEL, 60);
  const next = stage.start();
  await stage.time.pass(SECOND);
  expect(await lostBy(stage, next)).toEqual([CHANNEL]);
  stage.world.version = 2;
  expect(await stage.time.until(next.boards.create(stage.request()))).toEqual({
    kind: 'created',
    posted: true,
  });
  await stage.time.pass(10 * SECOND);
  expect(stage.chat.alive(CHANNEL).map(({ id }) => id)).toEqual([message.id]);
  expect(stage.version()).toBe(2);
  expect(await lostBy(stage, next)).toEqual([]);
});

test('nothing is searched while the store has a board; a removed one is not lost', async () => {
  const stage = createStage();
  const process = await stage.withBoard();
  const searches = () => stage.chat.requests.filter(({ what }) => what === 'find').length;
  const before = searches();
  expect(await lostBy(stage, process)).toEqual([]);
  expect(searches()).toBe(before);
  await stage.time.until(process.boards.remove(stage.chat.guildId, CHANNEL));
  expect(await lostBy(stage, process)).toEqual([]);
});
