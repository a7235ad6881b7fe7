import { Keyv } from 'keyv';
import { z } from 'zod';
import { StartError } from '../../errors.ts';
import type { FlightLock } from '../../service/deduplicate/flight-lock.ts';
import type { GuildSettingsStore } from '../guild-settings.ts';
import type { Links } from '../links.ts';
import type { Store } from '../sqlite/store.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { UserData } from '../user-data.ts';
import { createSharedBoardRecords, type SharedBoardRecords } from './board-records.ts';
import { createClaims } from './claims.ts';
import { connectShared, type SharedConnection } from './connection.ts';
import { createFlightLock } from './flight-lock.ts';
import { sharedAdapter } from './keyv-adapter.ts';
import { createSharedGuildSettings, createSharedLinks, createSharedSubscriptions } from './people.ts';
import { createRedisUserData } from './user-data.ts';

/** What must outlive a restart, in one database of Redis or Valkey, for all processes of one bot. */
export interface SharedStore extends Store {
  readonly connection: SharedConnection;
  readonly links: Links;
  readonly guildSettings: GuildSettingsStore;
  readonly subscriptions: Subscriptions;
  readonly userData: UserData;
  readonly boards: SharedBoardRecords;
  readonly lock: FlightLock;
  /** Whether this process is the one to answer the interaction of that id. Rejects when the store is away. */
  readonly claimInteraction: (interactionId: string) => Promise<boolean>;
}

export interface SharedStoreEvents {
  /** Told once for each outage, and when it is over. */
  readonly away: (error: unknown) => void;
  readonly back: () => void;
  /** How the server is set up for losing what it should keep. */
  readonly advice: (advice: string) => void;
  readonly unreadableBoard: (channelId: string) => void;
  readonly unscrubbed: (error: unknown) => void;
}

/** In front of every key, since a database may have other uses, too. */
const PREFIX = 'pitwall';
/** Changed when what is stored changes its form. */
const VERSION = 1;
/** A store that is started together with the bot needs a moment. */
const START_PATIENCE = 5000;

/** Rejects with a {@link StartError} that says what is wrong with it. Later outages are told, and end by themselves. */
export async function openSharedStore(
  url: string,
  events: SharedStoreEvents,
  { patience = START_PATIENCE } = {},
): Promise<SharedStore> {
  let trouble: unknown = null;
  const refused = Promise.withResolvers<false>();
  const connection = connectShared({
    url,
    onAway: (error) => {
      trouble = error;
      if (whyRefused(error) !== null) refused.resolve(false);
      events.away(error);
    },
    onBack: events.back,
  });
  try {
    if (!(await Promise.race([connection.reached(patience), refused.promise])))
      throw new StartError(whyNot(trouble));
    await checkVersion(connection);
    for (const advice of await adviceFor(connection)) events.advice(advice);
  } catch (error) {
    connection.close();
    throw error;
  }

  const taken = new Set<string>();
  const links = createSharedLinks(connection, PREFIX);
  const subscriptions = createSharedSubscriptions(connection, PREFIX);
  const boards = createSharedBoardRecords(connection, {
    prefix: PREFIX,
    unreadable: events.unreadableBoard,
  });
  return {
    connection,
    namespace(name, { maxRows }) {
      if (taken.has(name)) throw new RangeError(`the namespace ${name} is already in use`);
      taken.add(name);
      return new Keyv({
        store: sharedAdapter(connection, { prefix: `${PREFIX}:${name}`, maxRows }),
        // The adapter keeps namespaces apart; Keyv's own prefix mistakes keys that begin like it.
        useKeyPrefix: false,
        serialize: JSON.stringify,
        deserialize: JSON.parse,
        throwOnErrors: true,
        emitErrors: false,
      });
    },
    links,
    guildSettings: createSharedGuildSettings(connection, PREFIX),
    subscriptions,
    boards,
    userData: createRedisUserData(connection, {
      links,
      subscriptions,
      boards,
      unscrubbed: events.unscrubbed,
    }),
    lock: createFlightLock(connection, PREFIX),
    claimInteraction: createClaims(connection, PREFIX),
    close: () => connection.close(),
  };
}

/** Writes it where there is none. A newer one is left as it is. */
async function checkVersion(connection: SharedConnection): Promise<void> {
  const key = `${PREFIX}:version`;
  await connection.send('SET', key, String(VERSION), 'NX');
  const version = z.string().parse(await connection.send('GET', key));
  if (version !== String(VERSION))
    throw new StartError(
      'STORE_URL: the shared store was written by a newer version of Pitwall; use that one, or another database',
    );
}

const Info = z.string();

async function adviceFor(connection: SharedConnection): Promise<readonly string[]> {
  const memory = Info.parse(await connection.send('INFO', 'memory'));
  const persistence = Info.parse(await connection.send('INFO', 'persistence'));
  const isBounded = !/^maxmemory:0\r?$/m.test(memory);
  const evicts = isBounded && !/^maxmemory_policy:noeviction\r?$/m.test(memory);
  return [
    ...(evicts ? ['it may evict the ledger of requests and links: set maxmemory-policy noeviction'] : []),
    ...(/^aof_enabled:1\r?$/m.test(persistence)
      ? []
      : ['it forgets with a restart what it has not saved: set appendonly yes']),
  ];
}

/** In our own words: a library's may hold the address and what is in it. */
function whyNot(trouble: unknown): string {
  const refusal = whyRefused(trouble);
  if (refusal !== null) return `STORE_URL: ${refusal}`;
  const code: unknown = trouble instanceof Error ? Reflect.get(trouble, 'code') : undefined;
  const why = typeof code === 'string' ? ` (${code})` : '';
  return `STORE_URL: the shared store cannot be reached${why}; start it, or correct the host, the port and whether it is rediss`;
}

/** Null where it is worth trying again. */
function whyRefused(trouble: unknown): string | null {
  const text = trouble instanceof Error ? trouble.message : '';
  if (/^(?:WRONGPASS|NOAUTH|NOPERM|ERR AUTH)/.test(text))
    return 'the shared store does not accept the user name and password; correct them';
  if (/^ERR (?:invalid DB|DB index)/i.test(text))
    return 'the shared store has no database of this number; name another one';
  return null;
}
