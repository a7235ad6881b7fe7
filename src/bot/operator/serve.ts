import manifest from '../../../package.json' with { type: 'json' };
import { within } from '../../base/clock.ts';
import type { ListenAddress } from '../../base/config/listen-address.ts';
import type { Runtime } from '../../base/runtime.ts';
import { judge } from '../../service/models/dated.ts';
import type { Bot } from '../bot.ts';
import { type Operator, openOperator } from './operator.ts';
import type { Sample } from './sample.ts';

/** How long a look at the store may take, in ms; whoever asks for health waits. */
const STORE_PATIENCE = 1000;

type Sampled = Pick<Bot, 'storeHealth' | 'dataService' | 'connection' | 'cluster' | 'boards'>;

/** Takes a sample at each call. */
function createSampler(
  { storeHealth, dataService: { ledger, poll, calls }, connection, cluster, boards }: Sampled,
  { clock, resources }: Runtime,
): () => Promise<Sample> {
  let polledAt = clock.monotonic();
  const polled = (): void => {
    polledAt = clock.monotonic();
  };
  resources.defer(poll.watch(['overview'], polled));
  return async () => {
    const budget = await within(ledger.snapshot(), STORE_PATIENCE, clock).catch(() => null);
    const now = clock.now();
    const { overview } = poll.facts;
    return {
      now,
      budget,
      store: storeHealth(),
      gateway: {
        ...connection.gatewayState(),
        latency: connection.latency(),
        allShards: cluster.shards(),
        standsBy: cluster.standsBy(),
      },
      calls: { counts: calls.counts(), cache: calls.cache() },
      boards: { statuses: boards.statuses(), writes: boards.writes },
      sincePolled: clock.monotonic() - polledAt,
      overview: {
        asOf: overview?.asOf ?? null,
        isFresh: overview !== null && judge(overview, 'polled', now) === 'live',
        fault: calls.faultOf('overview'),
      },
    };
  };
}

interface ServedOperator extends Pick<Operator, 'count'> {
  /** From now on health is that of this bot; before that, it is starting. */
  watch(bot: Sampled): void;
}

/** Serves health and metrics until the end. */
export async function serveOperator(address: ListenAddress, runtime: Runtime): Promise<ServedOperator> {
  const { clock, log, resources } = runtime;
  const failed = (error: unknown): void => log.error({ err: error }, 'health or metrics failed');
  const operator = await openOperator(address, { clock, version: manifest.version, failed });
  resources.defer(() => operator.close());
  log.info({ host: address.host, port: operator.port }, 'serving health and metrics');
  return {
    count: operator.count,
    watch: (bot) => operator.watch(createSampler(bot, runtime)),
  };
}
