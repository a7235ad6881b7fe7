import { z } from 'zod';
import { within } from '../../base/clock.ts';
import { connectRedis, PREFIX, type RedisConnection } from './connection.ts';
import { createRedisDocuments } from './documents.ts';
import { adviceFor, whyUnusable } from './reach.ts';
import { startErrorOf } from './trouble.ts';

/** A server that answers at all does so within a tenth of this, in ms. */
const PATIENCE = 1500;

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
  if ((await within(connection.reached, PATIENCE)) === null) return unusable(startErrorOf(trouble).message);
  try {
    const why = await whyUnusable(connection);
    if (why !== null) return unusable(why);
    // What the bot needs the right to do: to write, and to run a script.
    await connection.send('SET', `${PREFIX}:doctor`, '1', 'PX', '1000');
    const all = createRedisDocuments(connection, async () => []);
    await all.read('', '');
    const documents = new Map<string, readonly string[]>();
    for (const name of collections) documents.set(name, [...(await all.all(name)).values()]);
    const backend = { kind: 'redis', connection, prefix: PREFIX } as const;
    return { facts: await factsOf(connection), documents, backend, close };
  } catch (error) {
    return unusable(startErrorOf(error).message);
  }
}

async function factsOf(connection: RedisConnection): Promise<RedisFacts> {
  const memory = z.string().parse(await connection.send('INFO', 'memory'));
  const figure = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(memory)?.[1] ?? 0);
  const most = figure('maxmemory');
  return {
    kind: 'redis',
    trouble: null,
    advice: await adviceFor(connection),
    usedBytes: figure('used_memory'),
    mostBytes: most === 0 ? null : most,
  };
}
