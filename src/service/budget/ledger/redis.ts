import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { json } from '../../../base/json.ts';
import { blankEstimate, CLIENT_KEY, QuotaEstimate } from '../estimate.ts';
import {
  type Change,
  type Counts,
  type LedgerSnapshot,
  type LedgerStore,
  MARGIN_MS,
} from './ledger-store.ts';
import { keysOf, READ, WRITE } from './redis-scripts.ts';

/**
 * What the store needs from a Redis or Valkey client; node-redis has it. It must reject at once while disconnected
 * (`disableOfflineQueue`), and soon when there is no answer (`commandOptions: { timeout: 500 }`).
 */
export interface ScriptClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** A transaction is retried when another process wrote first; this many conflicts in a row are no coincidence. */
const ATTEMPTS = 50;

const count = z.number();
/** Empty text: no time. */
const time = z.string().transform((text) => (text === '' ? null : Number(text)));
/** The result of `READ`, in its order. */
const Reply = z
  .tuple([
    z.string(),
    z.string(),
    z.string().transform(Number),
    count,
    count,
    count,
    count,
    count,
    count,
    count,
    time,
    time,
    time,
  ])
  .transform(
    ([token, stored, now, interactive, background, lately, quarter, uncounted, inFlight, ...rest]) => {
      const [sinceReset, nextRelease, nextBackgroundRelease, lastBackgroundAt] = rest;
      const counts: Counts = {
        interactive,
        background,
        interactiveLately: lately,
        interactiveQuarter: quarter,
        uncounted,
        inFlight,
        sinceReset,
        nextRelease,
        nextBackgroundRelease,
        lastBackgroundAt,
      };
      const estimate = json(QuotaEstimate).safeParse(stored);
      const snapshot: LedgerSnapshot = {
        now,
        estimate: estimate.success ? estimate.data : blankEstimate(now),
        counts,
      };
      return { token, snapshot };
    },
  );

/**
 * Permits in Redis or Valkey, shared by all processes that use the same `name`, on the server's clock. A
 * transaction reads in one script, decides here, and writes in another, which does nothing if anything was written
 * in between.
 */
export function openRedisLedgerStore({
  client,
  name,
}: {
  readonly client: ScriptClient;
  readonly name: string;
}): LedgerStore {
  const keys = keysOf(name);
  const read = scriptOf(client, READ, keys);
  const write = scriptOf(client, WRITE, keys);

  async function writeChange(token: string, { now }: LedgerSnapshot, change: Change): Promise<boolean> {
    const { estimate, ...entries } = change;
    const firstInForce = now - estimate.limit.windowMs - MARGIN_MS;
    const written = await write([
      token,
      randomUUID(),
      String(now),
      JSON.stringify(estimate),
      String(firstInForce),
      JSON.stringify(entries),
    ]);
    return written === 1;
  }

  return {
    transaction: async (decide) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const reply = await read([String(CLIENT_KEY.windowMs), String(MARGIN_MS)]);
        const { token, snapshot } = Reply.parse(reply);
        const { change, result } = decide(snapshot);
        if (change === null || (await writeChange(token, snapshot, change))) return result;
      }
      throw new Error('too many processes write the ledger at once');
    },
    // The connection is the store's.
    close: async () => {},
  };
}

/** Runs a script by its hash, and sends it where the server does not have it (any more). */
function scriptOf(
  client: ScriptClient,
  script: string,
  keys: string[],
): (values: string[]) => Promise<unknown> {
  const sha = createHash('sha1').update(script).digest('hex');
  return async (values) => {
    const options = { keys, arguments: values };
    try {
      return await client.evalSha(sha, options);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return client.eval(script, options);
    }
  };
}
