import { z } from 'zod';
import type { DeliverParts } from '../../../../commands/alerts/jobs/deliver.ts';
import { createPauseNotices } from '../../../../commands/alerts/jobs/pause-notices.ts';
import { createWatchRounds } from '../../../../commands/alerts/jobs/watch-rounds.ts';
import { newWatchState } from '../../../../commands/alerts/models/observe.ts';
import type { Watch } from '../../../../commands/alerts/models/watch.ts';
import { createWatches } from '../../../../commands/alerts/models/watches.ts';
import { SECOND } from '../../../../src/base/duration.ts';
import { createLog } from '../../../../src/base/log.ts';
import { createRuns } from '../../../../src/base/runs.ts';
import type { Access } from '../../../../src/cards/board/board.ts';
import type { Outage } from '../../../../src/community/history/history.ts';
import { createDeliveries } from '../../../../src/messages/outbox/ledger.ts';
import type {
  OpenConversation,
  OutgoingMessage,
  Recipient,
  SendOutcome,
} from '../../../../src/messages/outbox/message.ts';
import type { Subject } from '../../../../src/service/look-ups.ts';
import { documentsInMemory } from '../../../support/documents-in-memory.ts';
import { outboxOver } from '../../../support/messages.ts';
import { liveFile, servers } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';

/** A process that keeps the alerts. */
export type WatchRounds = ReturnType<typeof createWatchRounds> & {
  /** Resolves when none of its messages is under way. */
  idle(): Promise<void>;
};
type Outgoing = OutgoingMessage & { readonly to: Recipient };

/** Noon in London, in winter. */
export const NOON = Date.UTC(2026, 2, 5, 12);

/** One store, and as many processes over it as a test starts. */
export function alertsInMemory() {
  const documents = documentsInMemory();
  const stores = {
    watches: createWatches(documents),
    deliveries: createDeliveries(documents),
    pauseNotices: createPauseNotices(documents),
  };
  const sent: Outgoing[] = [];
  let now = NOON;
  /** Drivers on server One, and how many of them are police; null: the file cannot be read. */
  let online: readonly string[] | null = [];
  let police: number | null = null;
  /** When the file was last written. */
  let writtenAt: number | null = null;

  function file() {
    if (online === null) return null;
    const asOf = writtenAt ?? now;
    const named = online.map((un, index) => [String(index), { un, u: index }] as const);
    const flagged = Array.from(
      { length: police ?? 0 },
      (_, index) => [String(index), { cop: true }] as const,
    );
    const body =
      police === null
        ? { n: 'One', t: asOf, ps: Object.fromEntries(named) }
        : { server: 'One', time: asOf, players: Object.fromEntries(flagged) };
    return { record: { ...liveFile(body), time: null }, asOf };
  }

  const emptyFile = () => ({ record: { ...liveFile({ n: 'Two', t: now, ps: {} }), time: null }, asOf: now });

  const all = {
    ...stores,
    /** Another server has a file, on which nobody drives. */
    isTwoThere: false,
    /** Alerts that have been set when nothing was true. */
    watching: (...watches: readonly Watch[]) =>
      Promise.all(watches.map((watch) => stores.watches.add({ watch, state: newWatchState }))),
    sent,
    subjects: [] as readonly Subject[],
    polling: 0,
    /** What Discord says to a message. */
    chat: async (_message: Outgoing): Promise<SendOutcome> => 'sent',
    /** What Discord says when a conversation is opened; null: it is open. */
    opening: async (
      _to: Recipient,
    ): Promise<Exclude<SendOutcome, 'sent' | 'perhaps-sent' | 'refused'> | null> => null,
    /** Failures of messages under way. */
    failures: [] as unknown[],
    /** What never waits for an answer that is not there, as the processes' own runs. */
    runs: createRuns({ after: () => () => {} }, (error) => void all.failures.push(error)),
    /** The bot's rights in every channel, as the gateway has reported them. */
    access: { kind: 'open' } as Access,
    tell: async (..._whom: Parameters<DeliverParts['tell']>) => false,
    hidden: new Set<string>(),
    /** The time zones that people have chosen. */
    zones: new Map<string, string>(),
    /** As history knows them, by the server's name. */
    outages: new Map<string | null, readonly Outage[]>(),
    doubtful: 0,
    texts: () => sent.map(({ content }) => content),
    be(players: readonly string[] | null): void {
      online = players;
    },
    patrol(count: number): void {
      police = count;
    },
    /** The file stands still from now on, or goes on. */
    freeze(isFrozen = true): void {
      writtenAt = isFrozen ? now : null;
    },
    /** A process that keeps the alerts. */
    start(holds = () => true): WatchRounds {
      const clock = { now: () => now, monotonic: () => now, after: () => () => {} };
      const runs = createRuns(clock, (error) => void all.failures.push(error));
      const open: OpenConversation = async (to) =>
        (await all.opening(to)) ?? {
          async post(message) {
            sent.push({ ...message, to });
            return all.chat({ ...message, to });
          },
        };
      const { deliveries } = stores;
      const log = createLog({
        level: 'warn',
        secrets: [],
        stream: {
          write(line) {
            all.doubtful += z.object({ count: z.number().default(0) }).parse(JSON.parse(line)).count;
          },
        },
      });
      const { outbox } = outboxOver(open, { clock, documents, deliveries, log });
      const rounds = createWatchRounds({
        access: () => all.access,
        inZone: async (watch) => ({ ...watch, zone: all.zones.get(watch.person) ?? watch.zone }),
        tell: (...whom) => all.tell(...whom),
        ...stores,
        clock,
        runs,
        outbox,
        retry: () => {},
        poll: {
          get facts() {
            const guests = online?.length ?? 0;
            const overview = servers({ one: { online: true, guests, maxGuests: 12 } });
            return {
              overview: { record: overview, asOf: writtenAt ?? now },
              live: { one: file(), two: all.isTwoThere ? emptyFile() : null, three: null, four: null },
              chat: null,
            };
          },
          watch() {
            all.polling += 1;
            return () => {
              all.polling -= 1;
            };
          },
        },
        holds,
        unwatched: async () => all.hidden,
        outages: async (server) => all.outages.get(server) ?? [],
        translatorOf: async ({ locale }) => createTranslators()(locale),
      });
      return {
        ...rounds,
        idle: runs.idle,
        async round() {
          await rounds.round();
          if (holds()) await outbox.round();
        },
      };
    },
    /** Rounds four times a minute for that long, in each process. */
    async pass(ms: number, ...processes: readonly WatchRounds[]): Promise<void> {
      for (let passed = 0; passed < ms; passed += 15 * SECOND) {
        now += 15 * SECOND;
        await Promise.all(
          processes.map(async (each) => {
            await each.round();
            await each.idle();
          }),
        );
        all.subjects = processes.flatMap((each) => each.subjects());
      }
    },
    /** The machine's clock is set. */
    step(ms: number): void {
      now += ms;
    },
    now: () => now,
  };
  return all;
}
