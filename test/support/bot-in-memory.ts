/**
 * The bot in memory: its own parts over virtual time, and a store, a Discord and a data service that do what a test says.
 * Processes of one bot share all but their clock.
 */
import { ChannelType, PermissionFlagsBits, Routes } from 'discord.js';
import { features } from '../../commands/subjects.ts';
import type { Clock } from '../../src/base/clock.ts';
import { HOUR, SECOND } from '../../src/base/duration.ts';
import { createJob, startJobs } from '../../src/base/job.ts';
import { createListeners } from '../../src/base/listeners.ts';
import { createLog, logFailures } from '../../src/base/log.ts';
import { createFeatures } from '../../src/bot/features.ts';
import { createRepositories } from '../../src/bot/repositories.ts';
import type { Access } from '../../src/cards/board/board.ts';
import { createViewers } from '../../src/command-kit/viewer.ts';
import { createGuildDrivers } from '../../src/community/accounts/guild-drivers.ts';
import { createHiddenDrivers } from '../../src/community/accounts/hidden-drivers.ts';
import type { Connection } from '../../src/discord/connection.ts';
import { computeRights, type Overwrites, type Permission } from '../../src/discord/permissions.ts';
import type { Core } from '../../src/features/feature.ts';
import type { Observation } from '../../src/service/endpoints.ts';
import type { Subject } from '../../src/service/look-ups.ts';
import { type Facts, noFacts } from '../../src/service/models/facts.ts';
import type { DataService } from '../../src/service/open-data-service.ts';
import type { Documents } from '../../src/store/documents.ts';
import type { VirtualTime } from '../sim/virtual-time.ts';
import { documentsInMemory } from './documents-in-memory.ts';
import { outboxTo } from './messages.ts';
import { noHistory } from './no-history.ts';
import { noNames } from './no-names.ts';
import { failing, liveFile } from './records.ts';
import { startTime } from './start-time.ts';
import { createTranslators } from './translators.ts';

/** Thursday, in winter. */
export const NOON = Date.UTC(2026, 2, 5, 12);
export const [GUILD, ROLE, OWNER, ANNA] = ['1', '5', '9', '7'] as const;

const NOTICES_INTERVAL_MS = 15 * SECOND;
const MAY_SEND = String(PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages);

/** The time of the current test, from `bot` on. */
export let time: VirtualTime;

/** The process ended at that moment. */
class Killed extends Error {}

type Changed = 'connection' | 'dataService' | 'history' | 'hidden' | 'shards';

/** Differences from the usual bot: whole parts, or members of some. */
interface Parts
  extends Partial<Omit<Core, Changed>>,
    Readonly<Partial<{ [Part in Changed]: Partial<Core[Part]> }>> {
  /** The features that are created; their jobs run from `start` on. */
  readonly features?: readonly (keyof typeof features)[];
  /** The time that the test has started; from noon on by default. */
  readonly time?: VirtualTime;
  readonly documents?: Documents;
  /** Writes and messages that are left until a process is killed. */
  readonly stepsToKill?: number;
}

/** One process, and all around it. */
export function bot({ stepsToKill = Number.POSITIVE_INFINITY, ...parts }: Parts = {}) {
  time = parts.time ?? startTime(NOON);
  const { documents = documentsInMemory(time.clock.now) } = parts;
  return startProcess(parts, { ...createSurroundings(), documents, untilKill: { steps: stepsToKill } });
}

type Surroundings = ReturnType<typeof createSurroundings> & {
  readonly documents: Documents;
  readonly untilKill: { steps: number };
};

function createSurroundings() {
  return {
    /** The guild and the bot's part in it, and counts of what the bot does. */
    state: {
      ...{ holds: true, isThere: true, isTimedOut: false, access: { kind: 'open' } as Access },
      ...{ stayedSince: 0, clockSkew: 0, polled: 0, refreshed: 0, listening: 0 },
      overwrites: [{ id: GUILD, allow: MAY_SEND, deny: '0' }] as Overwrites | null,
    },
    discord: {
      /** Asked before a conversation is opened; resolves later, or rejects. */
      opening: async (_personId: string): Promise<void> => {},
      /** Asked before a message is taken. */
      message: async (_place: string): Promise<void> => {},
      /** Asked after a message is taken. */
      answer: async (_place: string): Promise<void> => {},
    },
    /** Requests to Discord: `put /path`. */
    requests: [] as string[],
    /** Messages that arrived; their place is a person's conversation or a channel. */
    messages: [] as {
      readonly place: string;
      readonly at: number;
      readonly content: string;
      readonly body: unknown;
    }[],
    /** The lines of the log. */
    lines: [] as unknown[],
    /** The drivers on server One; its file cannot be read while there are none. */
    driving: new Set<string>(),
    wants: new Set<() => readonly Subject[]>(),
    observations: createListeners<[Observation, number]>(),
    changed: createListeners<[string]>(),
  };
}

function startProcess({ features: names = [], ...parts }: Parts, all: Surroundings) {
  const { state, discord, requests, messages, lines } = all;
  let isAlive = true;
  function live(): void {
    if (!isAlive) throw new Killed();
  }
  /** A kill comes before or after what is done. */
  function step(): void {
    if (isAlive && all.untilKill.steps === 0) isAlive = false;
    all.untilKill.steps -= 1;
    live();
  }
  const ownTime = time;
  const clock: Clock = {
    ...ownTime.clock,
    after: (ms, callback) => ownTime.clock.after(ms, () => isAlive && callback()),
  };
  const log = createLog({
    level: 'info',
    secrets: [],
    stream: { write: (line) => void (isAlive && lines.push(JSON.parse(line))) },
  });
  const runtime = { clock, log, resources: new AsyncDisposableStack() };
  const documents: Documents = {
    ...all.documents,
    read: (...given) => Promise.try(live).then(() => all.documents.read(...given)),
    all: (...given) => Promise.try(live).then(() => all.documents.all(...given)),
    async commit(...given) {
      step();
      const isDone = await all.documents.commit(...given);
      step();
      return isDone;
    },
  };
  const repositories = createRepositories(documents);
  const translatorFor = createTranslators();

  const asked =
    <Given extends unknown[]>(method: string, answer: (path: string, ...given: Given) => unknown) =>
    async (path: string, ...given: Given) => {
      live();
      requests.push(`${method} ${path}`);
      return answer(path, ...given);
    };
  const roles = [ROLE, '6'].map((id) => ({
    ...{ id, name: id, position: Number(id), managed: false, permissions: '0' },
  }));
  const rest = {
    get: asked('get', (path) =>
      path === Routes.guild(GUILD)
        ? { owner_id: OWNER, roles }
        : {
            roles: path.endsWith('/3') ? ['6'] : [],
            joined_at: '2026-01-01T00:00:00Z',
          },
    ),
    put: asked('put', () => ({})),
    patch: asked('patch', () => ({})),
    delete: asked('delete', () => ({})),
    post: asked('post', async (path, options?: { readonly body?: unknown }) => {
      const { recipient_id: id = '', content = '' } = (options?.body ?? {}) as Record<string, string>;
      if (path === Routes.userChannels()) {
        await discord.opening(id);
        return { id };
      }
      if (!path.endsWith('/messages')) return { id: '1' };
      const place = path.split('/')[2] ?? '';
      step();
      await discord.message(place);
      messages.push({ place, at: ownTime.elapsed, content, body: options?.body });
      await discord.answer(place);
      step();
      return { id: '1' };
    }),
  };
  /** Counts who listens. */
  const counted = (stop: () => void) => {
    state.listening += 1;
    return () => {
      state.listening -= 1;
      stop();
    };
  };
  const connection = {
    rest: rest as Connection['rest'],
    access: () => state.access,
    stayedSince: () => state.stayedSince,
    ownerOf: () => OWNER,
    permissionsOf: () => '0',
    mayInGuild: () => true,
    userId: () => '3',
    isThere: () => state.isThere,
    isTimedOut: () => state.isTimedOut,
    audienceOf: () => (state.isThere ? 'everyone' : 'nobody'),
    mayView: () => true,
    clockSkew: () => state.clockSkew,
    isClockRight: async () => Math.abs(state.clockSkew) < 3 * HOUR,
    rightsOf(id, { id: memberId, roles: memberRoles = [] }) {
      const permissions = new Map(roles.map((role) => [role.id, role.permissions]));
      const { may, mayIn } = computeRights({ id, ownerId: OWNER, memberId, memberRoles, roles: permissions });
      const type = ChannelType.GuildText;
      const inChannel = (_channel: string, right: Permission) =>
        state.overwrites === null ? null : mayIn({ type, overwrites: state.overwrites }, right);
      return { may, mayIn: inChannel };
    },
    onAccess: (listener, failed) => counted(all.changed.listen(listener, failed)),
    ...parts.connection,
    // Other members are undefined: a feature that begins to use one fails here.
  } satisfies Partial<Connection>;

  const hiddenDrivers = createHiddenDrivers(repositories.links, { hidden: [], shown: [] }, clock);
  const hidden = {
    ...hiddenDrivers,
    async refresh() {
      state.refreshed += 1;
      await hiddenDrivers.refresh();
    },
    ...parts.hidden,
  };
  const { outbox } = outboxTo(connection.rest, { clock, documents, log, maySend: () => isAlive });
  const poll: DataService['poll'] = {
    get facts(): Facts {
      if (all.driving.size === 0) return noFacts;
      const ps = Object.fromEntries([...all.driving].map((un, u) => [u, { un, u }]));
      const one = {
        record: { ...liveFile({ n: 'One', t: clock.now(), ps }), time: null },
        asOf: clock.now(),
      };
      return { ...noFacts, live: { ...noFacts.live, one } };
    },
    isReady: () => true,
    watch() {
      state.polled += 1;
      return () => {
        state.polled -= 1;
      };
    },
    hurry() {},
  };
  const service = failing('unavailable', { sent: 'no' });
  const core: Core = {
    store: { documents },
    ...{ repositories, outbox, translatorFor, shownNames: noNames },
    guildDrivers: createGuildDrivers(documents, hidden.isHidden),
    viewerOf: createViewers({ translatorFor, service, store: repositories, failed: () => {} }),
    pictures: { draw: async () => null },
    boards: { changed() {}, syncMessage: async () => true },
    ...parts,
    connection: connection as Connection,
    dataService: {
      ...{ service, poll },
      observations: {
        ...all.observations,
        listen: (listener, failed) => counted(all.observations.listen(listener, failed)),
      },
      lookUps: {
        want: (subjects: () => readonly Subject[]) => {
          all.wants.add(subjects);
          return counted(() => void all.wants.delete(subjects));
        },
      },
      ...parts.dataService,
    } as DataService,
    shards: {
      owns: () => state.holds,
      mayAct: () => isAlive && state.holds,
      isSure: () => isAlive && state.holds,
      processes: () => 1,
      mayAnswer: async () => true,
      connect: async () => {},
      end: async () => {},
      count: () => 1,
      ...parts.shards,
    },
    history: { ...noHistory.history, ...parts.history },
    hidden,
  };
  const doors = Object.fromEntries(names.map((name) => [name, features[name]]));
  const created = createFeatures(core, runtime, doors);

  return {
    ...all,
    ...{ core, runtime, repositories, outbox: core.outbox, resources: runtime.resources },
    /** Requests of commands, by feature. */
    features: created.requests,
    /** Starts the jobs of the features, and the one that sends what is unsent. */
    start(): void {
      const sendUnsent = async (): Promise<void> => void (await core.outbox.round());
      const job = createJob(clock, NOTICES_INTERVAL_MS, sendUnsent, logFailures(log, 'notices'));
      core.outbox.onRetry(job.runWithin);
      startJobs(runtime.resources, [job]);
      created.startJobs();
    },
    kill(): void {
      isAlive = false;
    },
    isAlive: () => isAlive,
    /** Another process, over the same store, Discord and data service. */
    again: () => startProcess({ ...parts, features: names }, all),
    /** Look-ups that are wanted now. */
    wanted: () => [...all.wants].flatMap((of) => of()).map(({ kind, name }) => `${kind} ${name}`),
    /** The places of messages, one for each. */
    places: () => messages.map(({ place }) => place).toSorted(),
    observed: (one: Observation) => all.observations.call(one, clock.now()),
  };
}
