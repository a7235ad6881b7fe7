/** Where everything is kept that outlives a restart: one file, or one database that several processes share. */

import type { Clock } from '../clock.ts';
import type { StorePlace } from '../config.ts';
import type { Log } from '../log.ts';
import type { Ledger } from '../service/budget/ledger/ledger.ts';
import { openEmbeddedLedger, openSharedLedger } from '../service/budget/ledger/open.ts';
import type { FlightLock } from '../service/deduplicate/flight-lock.ts';
import { type BoardRecords, openBoardRecords } from './board-records.ts';
import { openSharedStore } from './redis/store.ts';
import type { DailyCopy } from './sqlite/daily-copy.ts';
import { openPeople, type People } from './sqlite/people.ts';
import { openStore, type Store } from './sqlite/store.ts';

export interface Stores
  extends Pick<Store, 'namespace'>,
    Pick<People, 'links' | 'guildSettings' | 'subscriptions' | 'userData'> {
  readonly boards: BoardRecords;
  readonly ledger: Ledger;
  /** Between processes; null where there is one only. */
  readonly lock: FlightLock | null;
  /**
   * Whether this process is the one to answer the interaction of that id, which chat tells to all processes. Null where
   * there is one only. Rejects when the store is away.
   */
  readonly claimInteraction: ((interactionId: string) => Promise<boolean>) | null;
  /** Null where copies are the business of whoever runs the server. */
  readonly copies: DailyCopy | null;
  close(): Promise<void>;
}

interface StoresParts {
  readonly clock: Clock;
  readonly log: Log;
}

/** Rejects with a {@link StartError} that says what is wrong with the place. */
export function openStores(place: StorePlace, parts: StoresParts): Promise<Stores> {
  return place.kind === 'embedded' ? openEmbedded(place.file, parts) : openShared(place.url, parts.log);
}

/** Told by a board whose settings cannot be read; it stays as it is. */
const unreadableBoard = (log: Log) => (channelId: string) =>
  log.error({ channelId }, 'the settings of a board cannot be read');

async function openEmbedded(file: string, { clock, log }: StoresParts): Promise<Stores> {
  // First: this one makes the file and its tables.
  const store = openStore(file);
  const people = openPeople(file);
  const boards = openBoardRecords({ file, unreadable: unreadableBoard(log) });
  const ledger = openEmbeddedLedger({ file, clock });
  const { links, guildSettings, subscriptions, userData, copies } = people;
  return {
    namespace: store.namespace,
    ...{ links, guildSettings, subscriptions, userData, copies },
    boards,
    ledger,
    lock: null,
    claimInteraction: null,
    async close() {
      await ledger.close();
      boards.close();
      people.close();
      store.close();
    },
  };
}

async function openShared(url: string, log: Log): Promise<Stores> {
  const store = await openSharedStore(url, {
    away: (error) => log.warn({ err: error }, 'the shared store is out of reach; nothing is sent meanwhile'),
    back: () => log.info('the shared store is back'),
    advice: (advice) => log.warn({ advice }, 'the shared store can lose what it should keep'),
    unreadableBoard: unreadableBoard(log),
    unscrubbed: (error) =>
      log.warn(
        { err: error },
        'somebody was forgotten, but the files of the shared store may hold them until they are written anew',
      ),
  });
  const {
    namespace,
    links,
    guildSettings,
    subscriptions,
    userData,
    boards,
    lock,
    claimInteraction,
    connection,
  } = store;
  const ledger = openSharedLedger({ client: connection, name: 'pitwall:budget' });
  return {
    ...{ namespace, links, guildSettings, subscriptions, userData, boards, lock, claimInteraction },
    ledger,
    copies: null,
    async close() {
      await ledger.close();
      store.close();
    },
  };
}
