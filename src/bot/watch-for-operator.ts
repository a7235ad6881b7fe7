import manifest from '../../package.json' with { type: 'json' };
import { within } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import type { createBoards } from '../board/manager.ts';
import { ageOf } from '../cards/kit/age.ts';
import type { Connection } from '../discord/connection.ts';
import type { ShardKeeper } from '../shards/keeper.ts';
import type { Reading } from './answer-people.ts';
import type { Outside } from './open-memory.ts';
import type { Operator } from './operator/operator.ts';
import type { Sample } from './operator/sample.ts';

/** How long a look at the store may take, in ms; whoever asks for health waits. */
const STORE_PATIENCE = 1000;

/**
 * Health and metrics, where HTTP_PORT is set; else null. Loaded only then, because the libraries cost time and
 * memory.
 */
export async function openOperator(
  { http }: Config,
  { clock, log }: Outside,
  open: AsyncDisposableStack,
): Promise<Operator | null> {
  if (http === null) return null;
  const { openOperator: serve } = await import('./operator/operator.ts');
  const failed = (error: unknown): void => log.error({ err: error }, 'health or metrics failed');
  const operator = await serve(http, { clock, version: manifest.version, failed });
  open.defer(() => operator.close());
  log.info({ host: http.host, port: operator.port }, 'serving health and metrics');
  return operator;
}

interface Watched extends Reading {
  readonly connection: Connection;
  readonly keeper: Pick<ShardKeeper, 'shards' | 'standsBy'>;
  readonly boards: Pick<ReturnType<typeof createBoards>, 'kept' | 'writes'>;
}

/** What these parts report about themselves, at each call. */
export function createSampler(
  { store, poll, calls, clock, connection, keeper, boards }: Watched,
  open: AsyncDisposableStack,
): () => Promise<Sample> {
  let polledAt = clock.monotonic();
  const polled = (): void => {
    polledAt = clock.monotonic();
  };
  open.defer(poll.watch(['overview'], polled));
  return async () => {
    const budget = await within(store.ledger.snapshot(), STORE_PATIENCE, clock).catch(() => null);
    const now = clock.now();
    const asOf = poll.facts.overview?.asOf ?? null;
    return {
      ...{ now, budget },
      gateway: {
        ...{ ...connection.gatewayState(), latency: connection.latency() },
        ...{ allShards: keeper.shards(), standsBy: keeper.standsBy() },
      },
      calls: { counts: calls.counts(), cache: calls.cache() },
      boards: { kept: boards.kept(), writes: boards.writes() },
      sincePolled: clock.monotonic() - polledAt,
      overview: {
        asOf,
        isFresh: asOf !== null && ageOf('polled', asOf, now) === 'fresh',
        fault: calls.faultOf('overview'),
      },
    };
  };
}
