/** Alerts, digests and convoys over a Discord that refuses, that answers slowly, and a process that is killed. */

import { DiscordAPIError, HTTPError, Routes } from 'discord.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGuildDrivers } from '../../src/accounts/guild-drivers.ts';
import type { Clock } from '../../src/base/clock.ts';
import { createListeners } from '../../src/base/listeners.ts';
import type { Runtime } from '../../src/base/runtime.ts';
import type { Bot } from '../../src/bot/bot.ts';
import { startFeature } from '../../src/bot/features.ts';
import { createRepositories } from '../../src/bot/repositories.ts';
import { Unconfirmed } from '../../src/discord/rest/resend.ts';
import { alerts } from '../../src/features/alerts/feature.ts';
import { newWatchState } from '../../src/features/alerts/observe.ts';
import { createPauseNotices } from '../../src/features/alerts/pause-notices.ts';
import type { Watch } from '../../src/features/alerts/watch.ts';
import { createWatches } from '../../src/features/alerts/watches.ts';
import type { Draft } from '../../src/features/convoys/convoy.ts';
import { createConvoyRepository } from '../../src/features/convoys/convoy-repository.ts';
import { convoys } from '../../src/features/convoys/feature.ts';
import { channelWatch, directWatch } from '../features/alerts/support/watches.ts';
import { VirtualTime } from '../sim/virtual-time.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';
import { noticesOver } from '../support/messages.ts';
import { noHistory } from '../support/no-history.ts';
import { liveFile } from '../support/records.ts';
import { createTranslators } from '../support/translators.ts';

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000] as const;
/** Thursday, in winter. */
const NOON = Date.UTC(2026, 2, 5, 12);
const PEOPLE = Array.from({ length: 30 }, (_, n) => `5${String(n).padStart(2, '0')}`);
/** The guilds that Discord answers slowly and quickly. */
const [SLOW, QUICK] = ['1', '2'] as const;

let time: VirtualTime;
let uninstall: () => void;
beforeEach(() => {
  time = new VirtualTime(NOON);
  uninstall = time.install();
});
afterEach(() => uninstall());

const tooMany = new DiscordAPIError(
  { code: 40003, message: 'You are opening direct messages too fast' },
  ...([40003, 403, 'POST', 'https://chat.example', {}] as const),
);
const unavailable = new HTTPError(503, 'no', 'POST', 'https://chat.example', {});

/** One store and one Discord. */
function createWorld(start = NOON) {
  time.stepWall(start - NOON);
  const { clock } = time;
  const documents = documentsInMemory(clock.now);
  const repositories = {
    ...createRepositories(documents),
    convoys: createConvoyRepository(documents),
    watches: createWatches(documents),
    pauseNotices: createPauseNotices(documents),
  };
  const driving = new Set(['somebody']);
  const failures: unknown[] = [];
  /** Who has read what, by the conversation of that person or by the channel. */
  const read: { readonly place: string; readonly content: string; readonly at: number }[] = [];
  const discord = {
    /** Asked before a conversation is opened; resolves later, or rejects. */
    opening: async (_personId: string): Promise<void> => {},
    /** Asked before a message is taken. */
    message: async (_place: string): Promise<void> => {},
    /** Asked after a message is taken. */
    answer: async (_place: string): Promise<void> => {},
  };

  /** A process, until it is killed. */
  function startProcess() {
    let isAlive = true;
    const mine: Clock = {
      ...clock,
      after: (ms, callback) =>
        clock.after(ms, () => {
          if (isAlive) callback();
        }),
    };
    const live = (): Promise<void> => (isAlive ? Promise.resolve() : new Promise<never>(() => {}));
    const rest = {
      async post(path: string, options?: { readonly body?: unknown }) {
        await live();
        const body = options?.body as { recipient_id?: string; content: string };
        if (path === Routes.userChannels()) {
          await discord.opening(body.recipient_id ?? '');
          return { id: body.recipient_id };
        }
        const place = path.split('/')[2] ?? '';
        await discord.message(place);
        read.push({ place, content: body.content, at: time.elapsed });
        await discord.answer(place);
        await live();
        return { id: '1' };
      },
      get: async () => ({ owner_id: '9', roles: [], joined_at: '2026-01-01T00:00:00Z' }),
    };
    const resources = new AsyncDisposableStack();
    const ignore = (): void => {};
    const runtime = {
      ...{ clock: mine, resources },
      log: { debug: ignore, info: ignore, warn: ignore, error: (line: unknown) => failures.push(line) },
    } as unknown as Runtime;
    const parts = {
      repositories,
      store: { documents },
      connection: {
        ...{ rest, access: () => ({ kind: 'open' }), stayedSince: () => 0, mayInGuild: () => false },
        ...{ userId: () => '3', clockSkew: () => 0, onGuildLeft: ignore, onAccess: () => ignore },
      },
      shards: { holds: () => isAlive },
      boards: { changed: ignore, follow: async () => true },
      hidden: { isHidden: () => false, unwatched: async () => new Set<string>() },
      history: noHistory.history,
      shownNames: { nicknameOf: () => null },
      pictures: { draw: async () => null },
      guildDrivers: createGuildDrivers(documents, () => false),
      pastAt: () => noHistory.history,
      dataService: {
        observations: createListeners(),
        poll: {
          get facts() {
            const ps = Object.fromEntries([...driving].map((un, u) => [u, { un, u }]));
            const record = { ...liveFile({ n: 'One', t: clock.now(), ps }), time: null };
            const one = { record, asOf: clock.now() };
            return { overview: null, live: { one, two: null, three: null, four: null }, chat: null };
          },
          watch: () => ignore,
        },
        lookUps: { want: () => ignore },
      },
      viewerOf: async () => ({ t: createTranslators()('en-GB') }),
      translatorFor: createTranslators(),
      ...noticesOver(rest, { clock: mine, documents }),
    } as unknown as Bot;
    startFeature('alerts', alerts.create(parts, runtime), parts, runtime);
    convoys.create(parts, runtime).start();
    return {
      kill(): void {
        isAlive = false;
      },
    };
  }

  return {
    ...{ repositories, driving, failures, read, discord, startProcess },
    places: () => read.map(({ place }) => place).toSorted(),
    watch: (...watches: readonly Watch[]) =>
      Promise.all(watches.map((watch) => repositories.watches.add({ watch, state: newWatchState }))),
    /** A convoy half an hour later, of which these people want to be reminded. */
    async convoy(guild: string, people: readonly string[], more: Partial<Draft> = {}) {
      const now = clock.now();
      const id = `179570000000000${guild}`;
      const draft: Draft = {
        ...{ id, guild, channel: `80${guild}`, madeAt: now, at: now + 31 * MINUTE, when: '' },
        ...{ title: 'Run', server: 'two', zone: 'UTC', hours: 1, places: null, weekly: false, role: null },
        ...more,
      };
      await repositories.convoys.putDraft('9', draft);
      await repositories.convoys.announce('9', draft, { locale: 'en-GB', colours: true }, now);
      for (const person of people) await repositories.convoys.press(guild, id, person, 'remind', now);
      return id;
    },
  };
}

describe('thirty people who watch one driver', () => {
  async function watched() {
    const world = createWorld();
    await world.watch(...PEOPLE.map((person) => directWatch(`abc${person}`, { person })));
    const process = world.startProcess();
    await time.pass(15 * MINUTE);
    return { ...world, process };
  }

  test('are all told, each once, when Discord opens ten conversations a minute', async () => {
    const { driving, discord, places, failures } = await watched();
    let opened = 0;
    let since = time.elapsed;
    discord.opening = async () => {
      if (time.elapsed - since >= MINUTE) [opened, since] = [0, time.elapsed];
      opened += 1;
      if (opened > 10) throw tooMany;
    };
    driving.add('k3nny');
    await time.pass(9 * MINUTE);
    expect(places()).toEqual(PEOPLE);
    expect(failures).toEqual([]);
  });

  test('are all told, each once, after a short fault at the opening', async () => {
    const { driving, discord, places } = await watched();
    discord.opening = async () => {
      throw unavailable;
    };
    driving.add('k3nny');
    await time.pass(45 * SECOND);
    discord.opening = async () => {};
    await time.pass(3 * MINUTE);
    expect(places()).toEqual(PEOPLE);
  });

  test('are all told, each once, over processes that are killed meanwhile', async () => {
    const { driving, discord, places, process, startProcess } = await watched();
    driving.add('k3nny');
    // Some of the conversations have been opened by then.
    await time.pass(40 * SECOND);
    expect(places().length).toBeGreaterThan(0);
    process.kill();
    const next = startProcess();
    discord.opening = async () => {
      throw tooMany;
    };
    await time.pass(MINUTE);
    next.kill();
    discord.opening = async () => {};
    startProcess();
    await time.pass(4 * MINUTE);
    expect(places()).toEqual(PEOPLE);
  });

  test('are not told of a driver who has come on more than ten minutes ago', async () => {
    const { driving, discord, read } = await watched();
    discord.opening = async () => {
      throw tooMany;
    };
    driving.add('k3nny');
    await time.pass(12 * MINUTE);
    discord.opening = async () => {};
    await time.pass(HOUR);
    expect(read).toEqual([]);
  });

  test('are told once where nobody knows whether a message has arrived', async () => {
    const { driving, discord, places } = await watched();
    discord.answer = async () => {
      throw new Unconfirmed(503);
    };
    driving.add('k3nny');
    await time.pass(HOUR);
    expect(places()).toEqual(PEOPLE);
  });
});

describe('a convoy', () => {
  test('reminds until it begins whoever Discord did not let be reminded, and not after', async () => {
    const { convoy, discord, startProcess, places } = createWorld();
    await convoy(QUICK, ['501', '502']);
    discord.opening = async (person) => {
      if (person === '502' || time.elapsed < 20 * MINUTE) throw unavailable;
    };
    startProcess();
    await time.pass(30 * MINUTE);
    expect(places()).toEqual(['501']);
    await time.pass(2 * MINUTE);
    discord.opening = async () => {};
    await time.pass(HOUR);
    expect(places()).toEqual(['501']);
  });

  test('tells that it is cancelled once Discord takes it', async () => {
    const { convoy, discord, startProcess, repositories, read } = createWorld();
    const id = await convoy(QUICK, ['501']);
    discord.message = async () => {
      throw tooMany;
    };
    startProcess();
    await repositories.convoys.cancel(QUICK, id, '1', time.clock.now());
    await time.pass(10 * MINUTE);
    discord.message = async () => {};
    await time.pass(HOUR);
    expect(read).toMatchObject([{ place: '501', content: expect.stringContaining('cancelled') }]);
  });

  test('pings its role later, once, if Discord does not take the ping', async () => {
    const { convoy, discord, startProcess, places } = createWorld();
    await convoy(QUICK, [], { role: '77' });
    discord.message = async () => {
      throw tooMany;
    };
    startProcess().kill();
    startProcess();
    await time.pass(2 * MINUTE);
    discord.message = async () => {};
    await time.pass(HOUR);
    expect(places()).toEqual([`80${QUICK}`]);
  });

  test('keeps no entry of a person forgotten while the conversation opens', async () => {
    const { convoy, discord, startProcess, repositories, read } = createWorld();
    const id = await convoy(QUICK, ['501']);
    discord.opening = async () => {
      await repositories.convoys.press(QUICK, id, '501', 'remind', time.clock.now());
    };
    startProcess();
    await time.pass(HOUR);
    expect(read).toEqual([]);
    expect(await repositories.deliveries.since('convoys-of:501', 0)).toEqual([]);
  });
});

describe('a server that Discord answers slowly', () => {
  const slowly = (place: string): Promise<void> =>
    PEOPLE.includes(place) || place === `7${SLOW}`
      ? new Promise((resolve) => time.clock.after(5 * SECOND, resolve))
      : Promise.resolve();

  test("holds up no other one's reminders", async () => {
    const { convoy, discord, startProcess, read } = createWorld();
    await convoy(SLOW, PEOPLE.slice(0, 25));
    await convoy(QUICK, ['901']);
    discord.opening = slowly;
    startProcess();
    await time.pass(25 * MINUTE);
    const [first] = read;
    const quick = read.find(({ place }) => place === '901');
    expect(read).toHaveLength(26);
    expect((quick?.at ?? 0) - (first?.at ?? 0)).toBeLessThanOrEqual(15 * SECOND);
  });

  test.each([
    ['alerts', 'driver', NOON, MINUTE],
    ['digests', 'digest', Date.UTC(2026, 2, 9, 8, 59), 2 * MINUTE],
  ] as const)("holds up no other one's %s", async (_what, kind, start, later) => {
    const { watch, discord, driving, startProcess, places } = createWorld(start);
    const condition = kind === 'driver' ? ({ kind, player: 'k3nny' } as const) : { kind };
    const inGuild = (id: string, guild: string): Watch =>
      channelWatch(id, {
        condition,
        zone: 'UTC',
        place: { kind: 'channel', guild, channel: `7${guild}`, role: null },
      });
    await watch(inGuild('aaaaaa', SLOW), inGuild('bbbbbb', QUICK));
    discord.message = (place) => (place === `7${SLOW}` ? new Promise(() => {}) : Promise.resolve());
    startProcess();
    if (kind === 'driver') await time.pass(15 * MINUTE);
    driving.add('k3nny');
    await time.pass(later);
    expect(places()).toEqual([`7${QUICK}`]);
  });
});
