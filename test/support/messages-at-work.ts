/** A feature's messages over a Discord that refuses or answers slowly, and a process that is killed. */

import { DiscordAPIError, HTTPError, Routes } from 'discord.js';
import { onTestFinished } from 'vitest';
import type { features } from '../../commands/subjects.ts';
import type { Clock } from '../../src/base/clock.ts';
import { createListeners } from '../../src/base/listeners.ts';
import type { Runtime } from '../../src/base/runtime.ts';
import type { Bot } from '../../src/bot/bot.ts';
import { createRepositories } from '../../src/bot/repositories.ts';
import { createGuildDrivers } from '../../src/community/accounts/guild-drivers.ts';
import { VirtualTime } from '../sim/virtual-time.ts';
import { documentsInMemory } from './documents-in-memory.ts';
import { outboxTo } from './messages.ts';
import { noHistory } from './no-history.ts';
import { openFeature } from './open-feature.ts';
import { liveFile } from './records.ts';
import { createTranslators } from './translators.ts';

/** Thursday, in winter. */
export const NOON = Date.UTC(2026, 2, 5, 12);
export const PEOPLE = Array.from({ length: 30 }, (_, n) => `5${String(n).padStart(2, '0')}`);
/** The guilds that Discord answers slowly and quickly. */
export const [SLOW, QUICK] = ['1', '2'] as const;

/** Clock of the current test, from `createWorld` on. */
export let time: VirtualTime;

export const tooMany = new DiscordAPIError(
  { code: 40003, message: 'You are opening direct messages too fast' },
  ...([40003, 403, 'POST', 'https://chat.example', {}] as const),
);
export const blocked = new DiscordAPIError(
  { code: 200000, message: 'Message was blocked by automatic moderation' },
  ...([200000, 400, 'POST', 'https://chat.example', {}] as const),
);
export const unavailable = new HTTPError(503, 'no', 'POST', 'https://chat.example', {});

/** One store and one Discord, for the processes of one feature. */
export function createWorld(name: keyof typeof features, start = NOON) {
  time = new VirtualTime(start);
  onTestFinished(time.install());
  const { clock } = time;
  const documents = documentsInMemory(clock.now);
  const repositories = createRepositories(documents);
  const driving = new Set(['somebody']);
  const failures: unknown[] = [];
  /** Messages that arrived; their place is a person's conversation or a channel. */
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
        ...{ userId: () => '3', clockSkew: () => 0, isClockRight: async () => true },
        ...{ isThere: () => true, onAccess: () => ignore },
      },
      shards: { mayAct: () => isAlive },
      boards: { changed: ignore, syncMessage: async () => true },
      hidden: { isHidden: () => false, unwatched: async () => new Set<string>() },
      history: noHistory.history,
      shownNames: { nicknameOf: () => null },
      pictures: { draw: async () => null },
      guildDrivers: createGuildDrivers(documents, () => false),
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
      ...outboxTo(rest, { clock: mine, documents }),
    } as unknown as Bot;
    openFeature(name, parts, runtime).start();
    return {
      kill(): void {
        isAlive = false;
      },
    };
  }

  return {
    ...{ documents, repositories, driving, failures, read, discord, startProcess },
    places: () => read.map(({ place }) => place).toSorted(),
  };
}
