/** Alerts, roles, convoys and proofs at work: what they listen to, and what ends with them. */

import { ChannelType, PermissionFlagsBits, Routes } from 'discord.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGuildDrivers } from '../../src/accounts/guild-drivers.ts';
import { HOUR, MINUTE, SECOND } from '../../src/base/duration.ts';
import { createListeners } from '../../src/base/listeners.ts';
import type { Runtime } from '../../src/base/runtime.ts';
import type { Bot } from '../../src/bot/bot.ts';
import { startFeature } from '../../src/bot/features.ts';
import { watchProofs } from '../../src/bot/proofs.ts';
import { createRepositories } from '../../src/bot/repositories.ts';
import { computeRights, type Overwrites, type Permission } from '../../src/discord/permissions.ts';
import { alerts } from '../../src/features/alerts/feature.ts';
import { newWatchState } from '../../src/features/alerts/observe.ts';
import { createPauseNotices } from '../../src/features/alerts/pause-notices.ts';
import { createWatches } from '../../src/features/alerts/watches.ts';
import { createConvoyRepository } from '../../src/features/convoys/convoy-repository.ts';
import { convoys } from '../../src/features/convoys/feature.ts';
import { roles as roleFeature } from '../../src/features/roles/feature.ts';
import { createRoleRules } from '../../src/features/roles/role-rules.ts';
import type { NewRule } from '../../src/features/roles/rule.ts';
import type { Observation } from '../../src/service/endpoints.ts';
import type { Access } from '../../src/service/models/board.ts';
import { noFacts } from '../../src/service/models/facts.ts';
import { channelWatch, directWatch } from '../features/alerts/support/watches.ts';
import { VirtualTime } from '../sim/virtual-time.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';
import { noticesOver } from '../support/messages.ts';
import { noHistory } from '../support/no-history.ts';
import { driver, vehicle } from '../support/records.ts';
import { createTranslators } from '../support/translators.ts';

const NOON = Date.UTC(2026, 2, 5, 12);
const [GUILD, ROLE, OWNER, ANNA] = ['1', '5', '9', '7'] as const;

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

const SEEN_AND_SENT = String(PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages);

/** The parts that these are given, as far as they ask for any; all else is not there. */
function setUp() {
  const documents = documentsInMemory(time.clock.now);
  const repositories = {
    ...createRepositories(documents),
    convoys: createConvoyRepository(documents),
    watches: createWatches(documents),
    pauseNotices: createPauseNotices(documents),
  };
  const observations = createListeners<[Observation, number]>();
  const left = createListeners<[string]>();
  const changed = createListeners<[string]>();
  const state = {
    ...{ holds: true, isThere: true, isTimedOut: false, access: { kind: 'open' } as Access, isAway: false },
    ...{ polled: 0, refreshed: 0, listening: 0, hasRole: false, stayedSince: 0 },
    overwrites: [{ id: GUILD, allow: SEEN_AND_SENT, deny: '0' }] as Overwrites | null,
  };
  const requests: string[] = [];
  const notices: { readonly personId: string; readonly kind: string; readonly content: string }[] = [];
  const lines: unknown[] = [];
  const log = (...line: unknown[]) => void lines.push(line);
  /** Counts who listens. */
  const counted = (listen: () => () => void) => {
    const stop = listen();
    state.listening += 1;
    return () => {
      state.listening -= 1;
      stop();
    };
  };
  const asked = (method: string, answer: (path: string) => unknown) => async (path: string) => {
    requests.push(`${method} ${path}`);
    return answer(path);
  };
  const parts = {
    repositories,
    shownNames: { nicknameOf: () => null },
    pictures: { draw: async () => null },
    store: { documents },
    connection: {
      access: () => state.access,
      ...{
        stayedSince: () => state.stayedSince,
        ownerOf: () => OWNER,
        permissionsOf: () => '0',
        mayInGuild: () => true,
      },
      ...{ userId: () => '3', isThere: () => state.isThere, isTimedOut: () => state.isTimedOut },
      audienceOf: () => 'everyone',
      mayView: () => true,
      clockSkew: () => null,
      rightsOf(id: string, { id: memberId, roles: memberRoles = [] }: { id: string; roles?: string[] }) {
        const roles = new Map([ROLE, '6'].map((role) => [role, '0']));
        const { may, mayIn } = computeRights({ id, ownerId: OWNER, memberId, memberRoles, roles });
        const type = ChannelType.GuildText;
        const inChannel = (_channel: string, right: Permission) =>
          state.overwrites === null ? null : mayIn({ type, overwrites: state.overwrites }, right);
        return { may, mayIn: inChannel };
      },
      onGuildLeft: left.listen,
      onAccess: (listener: (guild: string) => void) => counted(() => changed.listen(listener)),
      rest: {
        get: asked('get', (path) =>
          path === Routes.guild(GUILD)
            ? {
                owner_id: OWNER,
                roles: [ROLE, '6'].map((id) => ({
                  ...{ id, name: id, position: Number(id), managed: false, permissions: '0' },
                })),
              }
            : {
                roles: [...(path.endsWith('/3') ? ['6'] : []), ...(state.hasRole ? [ROLE] : [])],
                joined_at: '2026-01-01T00:00:00Z',
              },
        ),
        put: asked('put', () => ({})),
        delete: asked('delete', () => ({})),
        post: asked('post', () => ({ id: '1' })),
        patch: asked('patch', () => ({})),
      },
    },
    shards: { holds: () => state.holds },
    boards: { changed() {}, follow: async () => true },
    hidden: {
      isHidden: () => false,
      unwatched: async () => new Set<string>(),
      async refresh() {
        state.refreshed += 1;
      },
    },
    history: noHistory.history,
    guildDrivers: createGuildDrivers(documents, () => false),
    pastAt: () => noHistory.history,
    dataService: {
      observations: {
        listen: (listener: (one: Observation, asOf: number) => void) =>
          counted(() => observations.listen(listener)),
      },
      poll: {
        facts: noFacts,
        watch() {
          state.polled += 1;
          return () => {
            state.polled -= 1;
          };
        },
      },
      lookUps: { want: () => counted(() => () => {}) },
    },
    viewerOf: async () => ({ t: createTranslators()('en-GB') }),
    translatorFor: createTranslators(),
    async notify(notice: (typeof notices)[number]) {
      notices.push(notice);
      return 'sent';
    },
  } as unknown as Bot;
  const { rest } = parts.connection;
  const { sendOnce, notices: storedNotices } = noticesOver(rest, { clock: time.clock, documents });
  Object.assign(parts, { sendOnce, notices: storedNotices });
  const runtime = {
    ...{ clock: time.clock, resources },
    log: { debug: log, info: log, warn: log, error: log },
  } as unknown as Runtime;
  const watching = (watch: ReturnType<typeof directWatch>) =>
    repositories.watches.add({ watch, state: newWatchState });
  const observed = (one: Observation) => observations.call(one, time.clock.now());
  return { parts, runtime, state, repositories, left, changed, requests, notices, lines, watching, observed };
}

const sale = { kind: 'car', vin: 'AB12C', below: null } as const;

describe('alerts', () => {
  test('of a guild that has thrown the bot out are gone, and no others', async () => {
    const all = setUp();
    await all.watching(channelWatch('aaaaaa', { condition: sale }));
    await all.watching(directWatch('bbbbbb', { condition: sale }));
    startFeature('alerts', alerts.create(all.parts, all.runtime), all.parts, all.runtime);
    await time.pass(MINUTE);
    all.left.call('2');
    await time.pass(0);
    expect(await all.repositories.watches.all()).toHaveLength(2);
    all.left.call(GUILD);
    await time.pass(0);
    expect((await all.repositories.watches.all()).map(({ id }) => id)).toEqual(['bbbbbb']);
  });

  test('of a channel that is gone are paused within ten minutes, and their maker is told', async () => {
    const all = setUp();
    await all.watching(channelWatch('aaaaaa', { condition: sale }));
    startFeature('alerts', alerts.create(all.parts, all.runtime), all.parts, all.runtime);
    await time.pass(MINUTE);
    all.state.access = { kind: 'unknown-channel' };
    await time.pass(10 * MINUTE);
    expect((await all.repositories.watches.all())[0]?.paused?.why).toBe('gone');
    expect(all.notices).toMatchObject([{ personId: '11', kind: 'alerts' }]);
    expect(await all.repositories.pauseNotices.take('11')).toBeNull();
  });

  test('go on within seconds of the moment at which their rights are back', async () => {
    const all = setUp();
    await all.watching(
      channelWatch('aaaaaa', { condition: sale, paused: { why: 'rights', since: NOON - MINUTE } }),
    );
    startFeature('alerts', alerts.create(all.parts, all.runtime), all.parts, all.runtime);
    await time.pass(MINUTE);
    all.changed.call(GUILD);
    await time.pass(6 * SECOND);
    expect((await all.repositories.watches.all())[0]?.paused).toBeNull();
  });

  test('are sent from the bot’s own observations, in the process that keeps them', async () => {
    const all = setUp();
    await all.watching(directWatch('aaaaaa', { condition: sale }));
    await all.watching(directWatch('bbbbbb', { condition: { kind: 'duty', duty: 'police', atLeast: 1 } }));
    startFeature('alerts', alerts.create(all.parts, all.runtime), all.parts, all.runtime);
    const sell = async (...times: readonly boolean[]) => {
      for (const isOnMarket of times) {
        all.observed({ kind: 'car', record: vehicle({ isOnMarket }) });
        await time.pass(MINUTE);
      }
    };
    await time.pass(MINUTE);
    expect(all.state.polled).toBe(1);
    await sell(false, false, true, true);
    const messages = () => all.requests.filter((request) => request.endsWith('/messages')).length;
    expect(messages()).toBe(1);
    all.state.holds = false;
    await sell(false, false, true, true);
    expect([messages(), all.state.polled]).toEqual([1, 0]);
    all.state.holds = true;
    await time.pass(MINUTE);
    expect([all.state.polled, all.state.listening]).toEqual([1, 3]);
    await time.until(resources.disposeAsync());
    expect([all.state.polled, all.state.listening]).toEqual([0, 0]);
    const reads = all.requests.length;
    all.state.access = { kind: 'unknown-channel' };
    await all.watching(channelWatch('cccccc', { condition: sale }));
    await time.pass(HOUR);
    expect([all.requests.length, (await all.repositories.watches.in(GUILD))[0]?.paused]).toEqual([
      reads,
      null,
    ]);
  });
});

describe('roles', () => {
  const rule: NewRule = {
    ...{ guild: GUILD, role: ROLE, when: { kind: 'member-days', atLeast: 1 }, keep: false, linked: true },
    ...{ madeBy: OWNER, locale: 'en-GB' },
  };

  /** A driver who has earned the role of a rule. */
  async function earned() {
    const all = setUp();
    await all.repositories.links.set(ANNA, { username: 'k3nny', since: 0 });
    const running = roleFeature.create(all.parts, all.runtime);
    const roles = { ...running, start: () => startFeature('roles', running, all.parts, all.runtime) };
    const rules = createRoleRules(all.parts.store.documents);
    const put = () => rules.put(GUILD, { ...rule, since: NOON, paused: null, ending: false });
    const given = () => all.requests.filter((request) => request.startsWith('put')).length;
    return { ...all, roles, rules, put, given };
  }

  test('are given at once where a rule is made, and each minute otherwise, until the end', async () => {
    const { roles, requests, given, repositories, lines } = await earned();
    roles.start();
    await time.pass(90 * SECOND);
    expect(await roles.requests.add(rule, NOON)).toBe('added');
    await time.pass(0);
    expect([given(), requests.at(-1)]).toEqual([1, `put ${Routes.guildMemberRole(GUILD, ANNA, ROLE)}`]);
    await repositories.links.set('8', { username: 'b0ris', since: 0 });
    await time.pass(MINUTE);
    expect(given()).toBe(2);
    await time.until(resources.disposeAsync());
    await repositories.links.set('10', { username: 'cem', since: 0 });
    await time.pass(HOUR);
    expect([given(), lines]).toEqual([2, []]);
  });

  test.each([
    ['the bot is not in the guild, or Discord does not serve it', { isThere: false }],
    ['the bot is in time-out', { isTimedOut: true }],
    ['another process keeps the guild', { holds: false }],
  ])('ask Discord nothing while %s', async (_what, change) => {
    const { roles, put, state, requests, given } = await earned();
    await put();
    Object.assign(state, change);
    roles.start();
    await time.pass(30 * MINUTE);
    expect(requests).toEqual([]);
    Object.assign(state, { holds: true, isThere: true, isTimedOut: false });
    await time.pass(11 * MINUTE);
    expect(given()).toBe(1);
  });

  test('of a guild that has thrown the bot out are forgotten, with its members', async () => {
    const { roles, rules, put, left, given } = await earned();
    await put();
    roles.start();
    await time.pass(2 * MINUTE);
    expect([given(), (await rules.about(ANNA))?.known.length]).toEqual([1, 1]);
    left.call('2');
    await time.pass(0);
    expect(await rules.of(GUILD)).toHaveLength(1);
    left.call(GUILD);
    await time.pass(0);
    expect([await rules.of(GUILD), await rules.about(ANNA)]).toEqual([[], null]);
  });

  test.each([
    [OWNER, [{ personId: OWNER, kind: 'roles' }]],
    ['', []],
  ])(
    'tell the maker of a rule that it is paused, unless the maker was forgotten: %j',
    async (madeBy, told) => {
      const { roles, rules, notices, lines } = await earned();
      const { guild: _, ...stored } = rule;
      const gone = { ...stored, role: '77', madeBy, since: NOON, paused: null, ending: false };
      await rules.put(GUILD, gone);
      roles.start();
      await time.pass(2 * MINUTE);
      expect((await rules.of(GUILD))[0]?.paused).toBe('unknown-role');
      expect([notices.length, lines.length]).toEqual([told.length, 1]);
      expect(notices).toMatchObject(told);
    },
  );
});

describe('convoys', () => {
  const asker: { id: string; guild: string; roles?: string[] } = { id: ANNA, guild: GUILD };
  const typed = { title: 'Run', when: 'in 40 min', server: 'two', hours: 1, places: null, weekly: false };

  function begun() {
    const all = setUp();
    const running = convoys.create(all.parts, all.runtime);
    const { requests } = running;
    const start = () => startFeature('convoys', running, all.parts, all.runtime);
    const plan = (role: string | null = null) =>
      requests.plan(
        asker,
        { ...typed, role },
        {
          ...{ about: null, channel: '8', locale: 'en-GB', zone: 'UTC', now: time.clock.now() },
        },
      );
    async function announce(role: string | null = null): Promise<string> {
      await all.repositories.guildSettings.change(GUILD, { convoyRole: GUILD });
      const planned = await plan(role);
      if ('refusal' in planned) throw new Error(`refused: ${JSON.stringify(planned.refusal)}`);
      const { id } = planned.draft;
      await requests.announce(asker, id, { locale: 'en-GB', colours: true, zone: 'UTC' }, time.clock.now());
      return id;
    }
    const sent = () => all.requests.filter((request) => request.endsWith('/messages')).length;
    return { ...all, convoys: requests, start, plan, announce, sent };
  }

  test('are planned by whom the settings let, and by no one else', async () => {
    const { plan, repositories, state, requests } = begun();
    expect(await plan()).toEqual({ refusal: 'not-allowed' });
    await repositories.guildSettings.change(GUILD, { convoyRole: ROLE });
    expect(await plan()).toEqual({ refusal: 'not-allowed' });
    asker.roles = [ROLE];
    expect(await plan()).toMatchObject({ problem: null });
    asker.roles = [];
    await repositories.guildSettings.change(GUILD, { convoyRole: GUILD });
    expect(await plan()).toMatchObject({ problem: null });
    // Everyone may not ping all the same.
    expect(await plan('5')).toEqual({ refusal: 'no-ping' });
    // Nor have the bot write where they may only read.
    state.overwrites = [{ id: GUILD, allow: String(PermissionFlagsBits.ViewChannel), deny: '0' }];
    expect(await plan()).toEqual({ refusal: 'no-send' });
    state.overwrites = [{ id: GUILD, allow: String(PermissionFlagsBits.SendMessages), deny: '0' }];
    expect(await plan()).toEqual({ refusal: 'no-send' });
    // Nor where the bot does not know what that channel lets them do.
    state.overwrites = null;
    expect(await plan()).toEqual({ refusal: 'lost' });
    // Discord is asked nothing, however often somebody plans.
    for (let times = 0; times < 100; times += 1) await plan('5');
    expect(requests).toEqual([]);
  });

  test('of a guild that has thrown the bot out are forgotten', async () => {
    const { announce, start, left, repositories } = begun();
    start();
    await announce();
    left.call('2');
    await time.pass(0);
    expect(await repositories.convoys.in(GUILD)).toHaveLength(1);
    left.call(GUILD);
    await time.pass(0);
    expect(await repositories.convoys.in(GUILD)).toEqual([]);
  });

  test('of a guild that it is no member of any more are forgotten at the next round', async () => {
    const { announce, start, state, repositories } = begun();
    start();
    await announce();
    await time.pass(MINUTE);
    expect(await repositories.convoys.in(GUILD)).toHaveLength(1);
    state.stayedSince = Number.POSITIVE_INFINITY;
    await time.pass(MINUTE);
    expect(await repositories.convoys.in(GUILD)).toEqual([]);
  });

  test('remind once, in the process that keeps the guild', async () => {
    const { announce, start, convoys, state, sent } = begun();
    start();
    const id = await announce();
    for (const press of ['in', 'remind'] as const) await convoys.press(asker, id, press, time.clock.now());
    state.holds = false;
    await time.pass(35 * MINUTE);
    expect(sent()).toBe(0);
    state.holds = true;
    await time.pass(MINUTE);
    expect(sent()).toBe(1);
    await time.pass(HOUR);
    expect(sent()).toBe(1);
  });

  test('tell once that one is cancelled, even right after its reminder', async () => {
    const { announce, start, convoys, sent } = begun();
    start();
    const id = await announce();
    await convoys.press(asker, id, 'remind', time.clock.now());
    await time.pass(15 * MINUTE);
    expect(sent()).toBe(1);
    await convoys.cancel(asker, id, time.clock.now());
    await time.pass(HOUR);
    expect(sent()).toBe(2);
  });

  test('remind of a moved one twice an hour at most, and of all ten times a day', async () => {
    const { announce, start, convoys, sent } = begun();
    start();
    const id = await announce();
    await convoys.press(asker, id, 'remind', time.clock.now());
    const move = async (minutes: number) => {
      await convoys.plan(
        asker,
        { ...typed, when: 'in 20 min', role: null },
        { about: id, channel: '8', locale: 'en-GB', zone: 'UTC', now: time.clock.now() },
      );
      await convoys.announce(asker, id, { locale: 'en-GB', colours: true, zone: 'UTC' }, time.clock.now());
      await time.pass(minutes * MINUTE);
    };
    for (let times = 0; times < 20; times += 1) await move(1);
    expect(sent()).toBe(1);
    for (let times = 0; times < 72; times += 1) await move(10);
    expect(sent()).toBe(10);
  });
});

describe('proofs', () => {
  async function begun() {
    const all = setUp();
    await all.repositories.links.set('8', { username: 'k3nny', since: 0 });
    const asked = { username: 'k3nny', card: '12/secret', locale: 'en-GB' };
    const proof = await all.repositories.proofs.begin(ANNA, asked, NOON);
    if (typeof proof === 'number') throw new Error('none may be begun');
    watchProofs(all.parts, all.runtime);
    const profile = driver({ username: 'k3nny', nickname: proof.code });
    return { ...all, see: () => all.observed({ kind: 'profile', record: profile }), code: proof.code };
  }

  test('end with the code in a name: card and lists change, the former holder is told', async () => {
    const { see, repositories, state, requests, notices, lines, observed } = await begun();
    observed({ kind: 'car', record: vehicle() });
    see();
    await time.pass(SECOND);
    expect((await repositories.links.of(ANNA))?.proved).toBe(NOON);
    expect([requests, state.refreshed, lines]).toEqual([
      [`patch ${Routes.webhookMessage('12', 'secret')}`],
      1,
      [],
    ]);
    expect(notices).toMatchObject([{ personId: '8', kind: 'proof' }]);
    see();
    await time.pass(SECOND);
    expect([notices.length, state.refreshed]).toEqual([1, 1]);
  });

  test('that cannot be read are one line of the log, and one once they can', async () => {
    const { see, repositories, lines } = await begun();
    const { seen } = repositories.proofs;
    repositories.proofs.seen = () => Promise.reject(new Error('the store is away'));
    for (let read = 0; read < 5; read += 1) {
      see();
      await time.pass(SECOND);
    }
    expect(lines).toHaveLength(1);
    repositories.proofs.seen = seen;
    see();
    await time.pass(SECOND);
    expect([lines.length, (await repositories.links.of(ANNA))?.proved]).toEqual([2, NOON + 5 * SECOND]);
  });

  test('are looked for until the end', async () => {
    const { see, repositories, state } = await begun();
    expect(state.listening).toBe(1);
    await time.until(resources.disposeAsync());
    see();
    await time.pass(SECOND);
    expect([state.listening, await repositories.links.of(ANNA)]).toEqual([0, null]);
  });
});
