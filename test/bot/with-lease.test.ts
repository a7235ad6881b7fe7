/** The work of the process that has the claim: alerts, roles and rankings want cars and profiles of one queue; history is written. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGuildDrivers } from '../../src/accounts/guild-drivers.ts';
import { createListeners } from '../../src/base/listeners.ts';
import type { Runtime } from '../../src/base/runtime.ts';
import type { Bot } from '../../src/bot/bot.ts';
import { startJobs } from '../../src/bot/jobs.ts';
import { createRepositories } from '../../src/bot/repositories.ts';
import { alerts } from '../../src/features/alerts/feature.ts';
import { newWatchState } from '../../src/features/alerts/observe.ts';
import { createWatches } from '../../src/features/alerts/watches.ts';
import { roles } from '../../src/features/roles/feature.ts';
import { createRoleFigures } from '../../src/features/roles/figures.ts';
import { createRoleRules } from '../../src/features/roles/role-rules.ts';
import type { Subject } from '../../src/service/look-ups.ts';
import { noFacts } from '../../src/service/models/facts.ts';
import { directWatch } from '../features/alerts/support/watches.ts';
import { VirtualTime } from '../sim/virtual-time.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';
import { noticesOver } from '../support/messages.ts';
import { noHistory } from '../support/no-history.ts';
import { bodies, driver } from '../support/records.ts';
import { createTranslators } from '../support/translators.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 2, 5, 12);
const GUILD = '1';

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
    shownNames: { nicknameOf: () => null },
    pictures: { draw: async () => null },
    store: {
      documents,
      copies: null,
      history: {
        read: () => state.stored.then(() => []),
        prune: async () => {},
        write: () => state.stored.then(() => true),
        evict: async () => {},
      },
    },
    connection: {
      ...{
        access: never,
        onAccess: never,
        onGuild() {},
        onGuildLeft() {},
        isThere: () => true,
        isTimedOut: () => false,
        stayedSince: () => null,
        ownerOf: () => null,
        permissionsOf: () => null,
        showStatus() {},
        mayInGuild: () => true,
      },
      rest: { get: () => Promise.reject(new Error('away')) },
    },
    shards: { holds: () => state.holds, mayAct: () => state.holds },
    hidden: { isHidden: () => false, unwatched: async () => new Set<string>() },
    history: { ...noHistory.history, top },
    guildDrivers: createGuildDrivers(documents, () => false),
    lookUps: { observed() {}, changes: async () => [], written() {}, expired: async () => [] },
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
    ...noticesOver({ post: () => Promise.reject(new Error('away')) }, { clock: time.clock, documents }),
  } as unknown as Bot;
  const runtime = { clock: time.clock, log: ignore, resources } as unknown as Runtime;
  const wanted = () =>
    [...wants].flatMap((subjects) => subjects()).map(({ kind, name }) => `${kind} ${name}`);
  return { parts, runtime, state, wants, wanted };
}

/** Reads the look-ups that are wanted at work, without the claim, and after the end. */
async function seen({ state, wants, wanted }: ReturnType<typeof setUp>) {
  await time.pass(30 * MINUTE);
  const holding = wanted();
  state.holds = false;
  const without = wanted();
  await time.until(resources.disposeAsync());
  return { holding, without, left: wants.size };
}

test('alerts', async () => {
  const all = setUp();
  const watch = directWatch('aaaaaa', { condition: { kind: 'car', vin: 'AB12C', below: null } });
  await createWatches(all.parts.store.documents).add({ watch, state: newWatchState });
  alerts.create(all.parts, all.runtime).start();
  expect(await seen(all)).toEqual({ holding: ['car AB12C'], without: [], left: 0 });
});

test('roles, and what is read of a member counts for the rule', async () => {
  const all = setUp();
  const { links } = all.parts.repositories;
  const roleRules = createRoleRules(all.parts.store.documents);
  await links.set('7', { username: 'k3nny', since: 0 });
  await roleRules.put(GUILD, {
    ...{
      role: '5',
      when: { kind: 'km', atLeast: 5 },
      keep: false,
      linked: true,
      madeBy: '9',
      locale: 'en-GB',
    },
    ...{ since: 0, paused: null, ending: false },
  });
  await roleRules.setHolders(GUILD, '5', { 7: { state: 'member', joined: '2026-01-01T00:00:00Z' } });
  roles.create(all.parts, all.runtime).start();
  await time.pass(2 * MINUTE);
  all.parts.dataService.observations.call({ kind: 'profile', record: driver(bodies.profile) }, NOON);
  expect(await seen(all)).toEqual({ holding: ['profile k3nny'], without: [], left: 0 });
  const known = await createRoleFigures(all.parts.store.documents).known();
  expect(known('7', 'k3nny', NOON)?.asOf).toBe(NOON);
});

test('rankings', async () => {
  const all = setUp();
  startJobs(all.parts, all.runtime);
  expect(await seen(all)).toEqual({ holding: ['profile leader'], without: [], left: 0 });
});

test('history is written before the end, and so before another process records', async () => {
  const all = setUp();
  startJobs(all.parts, all.runtime);
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
