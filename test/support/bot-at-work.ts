/** A bot whose features and jobs are started one by one, over virtual time and a Discord that counts requests. */
import { ChannelType, PermissionFlagsBits, Routes } from 'discord.js';
import { onTestFinished } from 'vitest';
import { HOUR } from '../../src/base/duration.ts';
import { createListeners } from '../../src/base/listeners.ts';
import type { Runtime } from '../../src/base/runtime.ts';
import type { Bot } from '../../src/bot/bot.ts';
import { createRepositories } from '../../src/bot/repositories.ts';
import type { Access } from '../../src/cards/board/board.ts';
import { createGuildDrivers } from '../../src/community/accounts/guild-drivers.ts';
import { computeRights, type Overwrites, type Permission } from '../../src/discord/permissions.ts';
import type { Observation } from '../../src/service/endpoints.ts';
import type { Subject } from '../../src/service/look-ups.ts';
import { noFacts } from '../../src/service/models/facts.ts';
import { VirtualTime } from '../sim/virtual-time.ts';
import { documentsInMemory } from './documents-in-memory.ts';
import { outboxTo } from './messages.ts';
import { noHistory } from './no-history.ts';
import { createTranslators } from './translators.ts';

export const NOON = Date.UTC(2026, 2, 5, 12);
export const [GUILD, ROLE, OWNER, ANNA] = ['1', '5', '9', '7'] as const;

/** Clock and resources of the current test, from `botAtWork` on. */
export let time: VirtualTime;
export let resources: AsyncDisposableStack;

const SEEN_AND_SENT = String(PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages);

/** The parts that features and jobs ask for, over virtual time; the others are missing. */
export function botAtWork() {
  time = new VirtualTime(NOON);
  const uninstall = time.install();
  resources = new AsyncDisposableStack();
  onTestFinished(async () => {
    await time.until(resources.disposeAsync());
    uninstall();
  });
  const documents = documentsInMemory(time.clock.now);
  const repositories = createRepositories(documents);
  const wants = new Set<() => readonly Subject[]>();
  const observations = createListeners<[Observation, number]>();
  const changed = createListeners<[string]>();
  const state = {
    ...{ holds: true, isThere: true, isTimedOut: false, access: { kind: 'open' } as Access, isAway: false },
    ...{ polled: 0, refreshed: 0, listening: 0, hasRole: false, stayedSince: 0, clockSkew: 0 },
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
      audienceOf: () => (state.isThere ? 'everyone' : 'nobody'),
      mayView: () => true,
      clockSkew: () => state.clockSkew,
      isClockRight: async () => Math.abs(state.clockSkew) < 3 * HOUR,
      rightsOf(id: string, { id: memberId, roles: memberRoles = [] }: { id: string; roles?: string[] }) {
        const roles = new Map([ROLE, '6'].map((role) => [role, '0']));
        const { may, mayIn } = computeRights({ id, ownerId: OWNER, memberId, memberRoles, roles });
        const type = ChannelType.GuildText;
        const inChannel = (_channel: string, right: Permission) =>
          state.overwrites === null ? null : mayIn({ type, overwrites: state.overwrites }, right);
        return { may, mayIn: inChannel };
      },
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
    shards: { mayAct: () => state.holds },
    boards: { changed() {}, syncMessage: async () => true },
    hidden: {
      isHidden: () => false,
      isLinked: () => true,
      unwatched: async () => new Set<string>(),
      async refresh() {
        state.refreshed += 1;
      },
    },
    history: noHistory.history,
    guildDrivers: createGuildDrivers(documents, () => false),
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
      lookUps: {
        want: (subjects: () => readonly Subject[]) =>
          counted(() => {
            wants.add(subjects);
            return () => void wants.delete(subjects);
          }),
      },
    },
    viewerOf: async () => ({ t: createTranslators()('en-GB') }),
    translatorFor: createTranslators(),
  } as unknown as Bot;
  const { rest } = parts.connection;
  const { outbox } = outboxTo(rest, { clock: time.clock, documents });
  /** Notices that a person gets once a day are only listed. */
  const send: typeof outbox.send = async (message: Parameters<typeof outbox.send>[0]) => {
    const { kind, to } = message;
    if ('compose' in message || kind === 'convoy-notice' || to.kind === 'channel')
      return outbox.send(message);
    notices.push({ personId: to.personId, kind, content: message.content });
    return 'sent';
  };
  Object.assign(parts, { outbox: { ...outbox, send } });
  const runtime = {
    ...{ clock: time.clock, resources },
    log: { debug: log, info: log, warn: log, error: log },
  } as unknown as Runtime;
  /** Look-ups that are wanted now. */
  const wanted = () =>
    [...wants].flatMap((subjects) => subjects()).map(({ kind, name }) => `${kind} ${name}`);
  const observed = (one: Observation) => observations.call(one, time.clock.now());
  return { parts, runtime, state, repositories, changed, requests, notices, lines, wanted, observed };
}
