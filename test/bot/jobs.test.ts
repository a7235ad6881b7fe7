/** The work of the process with the first shard: rankings want profiles; history is written. */
import { expect, test } from 'vitest';
import { runSteps, type Steps } from '../../src/base/sql.ts';
import type { Bot } from '../../src/bot/bot.ts';
import { startBotJobs } from '../../src/bot/jobs.ts';
import { bot, NOON, time } from '../support/bot-in-memory.ts';

const MINUTE = 60_000;

/** A bot whose history is stored once `disk.stored` is resolved. */
function startBot() {
  const disk = { stored: Promise.resolve() };
  const row = { rank: 1, driver: 'leader', value: 1, read: null };
  const all = bot({
    history: { top: async () => ({ since: 0, until: NOON, holes: [], from: 0, rows: [row] }) },
    connection: { stayedSince: () => null, onGuild() {}, showStatus() {} },
  });
  const history = {
    ...{ rowsAtOnce: 1, earlier: null },
    read: () => disk.stored.then(() => []),
    write: <Result>(work: () => Steps<Result>) => disk.stored.then(() => runSteps(work(), () => [])),
  };
  const parts = {
    ...all.core,
    features: {},
    store: { documents: all.documents, copies: null, history },
    lookUps: { observed() {}, take: () => null, written() {} },
    dataService: { ...all.core.dataService, calls: { faultOf: () => null } },
  } as unknown as Bot;
  startBotJobs(parts, all.runtime);
  return { ...all, disk };
}

/** Reads the look-ups that are wanted with the first shard, without it, and after the end. */
async function seen({ state, wants, wanted, resources }: ReturnType<typeof startBot>) {
  await time.pass(30 * MINUTE);
  const holding = wanted();
  state.holds = false;
  const without = wanted();
  await time.until(resources.disposeAsync());
  return { holding, without, left: wants.size };
}

test('rankings', async () => {
  expect(await seen(startBot())).toEqual({ holding: ['profile leader'], without: [], left: 0 });
});

test('history is written before the end, and so before another process records', async () => {
  const { disk, resources } = startBot();
  await time.pass(2 * MINUTE);
  const storing = Promise.withResolvers<void>();
  disk.stored = storing.promise;
  let isEnded = false;
  const ending = resources.disposeAsync().then(() => {
    isEnded = true;
  });
  await time.pass(0);
  expect(isEnded).toBe(false);
  storing.resolve();
  await ending;
});
