import { resolveWithin } from '../../base/clock.ts';
import { connectRedis, PREFIX } from './connection.ts';
import { createRedisDocuments } from './documents.ts';
import { readSettings, whyUnusable } from './reach.ts';
import { toStartError } from './trouble.ts';

/** Ten times as long as a server that answers at all needs. */
const PROBE_TIMEOUT_MS = 1500;

export interface RedisFacts {
  readonly kind: 'redis';
  /** Why it cannot be used, and what to do. */
  readonly trouble: string | null;
  /** Settings that lose data. */
  readonly advice: readonly string[];
  readonly usedBytes: number;
  /** Null where it has no limit of its own. */
  readonly mostBytes: number | null;
}

export async function probeRedis(url: string, collections: readonly string[]) {
  let trouble: unknown = null;
  const connection = connectRedis({
    url,
    onFailure: (error) => {
      trouble = error;
    },
    onAway: () => {},
    onBack: () => {},
  });
  const close = (): void => connection.close();
  const unusable = (why: string) => ({
    facts: { kind: 'redis', trouble: why, advice: [], usedBytes: 0, mostBytes: null } satisfies RedisFacts,
    documents: new Map<string, readonly string[]>(),
    backend: null,
    close,
  });
  if ((await resolveWithin(connection.reached, PROBE_TIMEOUT_MS)) === null)
    return unusable(toStartError(trouble).message);
  try {
    const why = await whyUnusable(connection);
    if (why !== null) return unusable(why);
    // The bot needs the rights to write and to run a script.
    await connection.send('SET', `${PREFIX}:doctor`, '1', 'PX', '1000');
    const all = createRedisDocuments(connection);
    await all.read('', '');
    const documents = new Map<string, readonly string[]>();
    for (const name of collections) documents.set(name, [...(await all.all(name)).values()]);
    const backend = { kind: 'redis', connection, prefix: PREFIX } as const;
    const facts = { kind: 'redis', trouble: null, ...(await readSettings(connection)) } satisfies RedisFacts;
    return { facts, documents, backend, close };
  } catch (error) {
    return unusable(toStartError(error).message);
  }
}
