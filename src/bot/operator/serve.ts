import manifest from '../../../package.json' with { type: 'json' };
import type { ListenAddress } from '../../base/config/listen-address.ts';
import type { Runtime } from '../../base/runtime.ts';
import { type Operator, openOperator } from './operator.ts';
import { createSampler, type Sampled } from './sampler.ts';

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
