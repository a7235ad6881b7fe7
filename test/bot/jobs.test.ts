/** The work of the process with the first shard: rankings want profiles; history is written. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createListeners } from '../../src/base/listeners.ts';
import type { Runtime } from '../../src/base/runtime.ts';
import { runSteps, type Steps } from '../../src/base/sql.ts';
import type { Bot } from '../../src/bot/bot.ts';
import { startBotJobs } from '../../src/bot/jobs.ts';
import { createRepositories } from '../../src/bot/repositories.ts';
import { createGuildDrivers } from '../../src/community/accounts/guild-drivers.ts';
import type { Subject } from '../../src/service/look-ups.ts';
import { noFacts } from '../../src/service/models/facts.ts';
import { VirtualTime } from '../sim/virtual-time.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';
import { outboxTo } from '../support/messages.ts';
import { noHistory } from '../support/no-history.ts';
import { createTranslators } from '../support/translators.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 2, 5, 12);

let time: VirtualTime;
let uninstall: () => void;
let resources: AsyncDisposableStack;
beforeEach(() => {
  time = new VirtualTime(NOON);
  uninstall = time.install();
  resources = new AsyncDisposableStack();
});
afterEach(async () => {
  await time.until(resources.disposeAsync());
  uninstall();
});

/** The parts that the modules under test use; the others are missing. */
function setUp() {
  const documents = documentsInMemory(time.clock.now);
  const repositories = createRepositories(documents);
  const wants = new Set<() => readonly Subject[]>();
  const state = { holds: true, stored: Promise.resolve() };
  const never = (): (() => void) => () => {};
  const ignore = { debug() {}, info() {}, warn() {}, error() {} };
  const row = { rank: 1, driver: 'leader', value: 1, read: null };
  const top = async () => ({ since: 0, until: NOON, holes: [], from: 0, rows: [row] });
  const parts = {
    repositories,
    features: {},
    shownNames: { nicknameOf: () => null },
    pictures: { draw: async () => null },
    store: {
      documents,
      copies: null,
      history: {
        rowsAtOnce: 1,
        read: () => state.stored.then(() => []),
        write: <Result>(work: () => Steps<Result>) => state.stored.then(() => runSteps(work(), () => [])),
        earlier: null,
      },
    },
    connection: {
      ...{
        access: never,
        onAccess: never,
        onGuild() {},
        isThere: () => true,
        isTimedOut: () => false,
        stayedSince: () => null,
        isClockRight: async () => null,
        ownerOf: () => null,
        permissionsOf: () => null,
        showStatus() {},
        mayInGuild: () => true,
      },
      rest: { get: () => Promise.reject(new Error('away')) },
    },
    shards: { owns: () => state.holds, mayAct: () => state.holds },
    hidden: { isHidden: () => false, unwatched: async () => new Set<string>() },
    history: { ...noHistory.history, top },
    guildDrivers: createGuildDrivers(documents, () => false),
    lookUps: { observed() {}, take: () => null, written() {} },
    dataService: {
      ...{ observations: createListeners(), calls: { faultOf: () => null } },
      poll: { facts: noFacts, watch: never, isReady: () => true },
      service: { get: () => Promise.reject(new Error('nothing is asked')) },
      lookUps: {
        want(subjects: () => readonly Subject[]) {
          wants.add(subjects);
          return () => void wants.delete(subjects);
        },
      },
    },
    translatorFor: createTranslators(),
    ...outboxTo({ post: () => Promise.reject(new Error('away')) }, { clock: time.clock, documents }),
  } as unknown as Bot;
  const runtime = { clock: time.clock, log: ignore, resources } as unknown as Runtime;
  const wanted = () =>
    [...wants].flatMap((subjects) => subjects()).map(({ kind, name }) => `${kind} ${name}`);
  return { parts, runtime, state, wants, wanted };
}

/** Reads the look-ups that are wanted with the first shard, without it, and after the end. */
async function seen({ state, wants, wanted }: ReturnType<typeof setUp>) {
  await time.pass(30 * MINUTE);
  const holding = wanted();
  state.holds = false;
  const without = wanted();
  await time.until(resources.disposeAsync());
  return { holding, without, left: wants.size };
}

test('rankings', async () => {
  const all = setUp();
  startBotJobs(all.parts, all.runtime);
  expect(await seen(all)).toEqual({ holding: ['profile leader'], without: [], left: 0 });
});

test('history is written before the end, and so before another process records', async () => {
  const all = setUp();
  startBotJobs(all.parts, all.runtime);
  await time.pass(2 * MINUTE);
  const storing = Promise.withResolvers<void>();
  all.state.stored = storing.promise;
  let isEnded = false;
  const ending = resources.disposeAsync().then(() => {
    isEnded = true;
  });
  await time.pass(0);
  expect(isEnded).toBe(false);
  storing.resolve();
  await ending;
});
