import { orFault, ServiceError } from '../base/errors.ts';
import { live, type Priority } from '../service/endpoints.ts';
import { judgeFreshness, orFrozen } from '../service/models/dated.ts';
import type { LiveServer } from '../service/models/live-status.ts';
import type { Context } from './context.ts';

/** Every live file, or why it could not be read; they cost no budget. */
export async function liveFiles({ service }: Pick<Context, 'service'>) {
  const file = (server: LiveServer) => orFault(service.get(live, { server }));
  const [one, two, three, four] = await Promise.all([file('one'), file('two'), file('three'), file('four')]);
  return { one, two, three, four };
}

/** The live files of these servers that show the present; they cost no budget. */
export async function currentFiles(...args: Parameters<typeof knownFiles>) {
  return (await knownFiles(...args)).filter(({ isStale }) => !isStale);
}

/** Returns the live files of these servers, and those that stood still a moment ago, which must not be counted. */
export async function knownFiles(
  servers: readonly LiveServer[],
  { service, now }: Pick<Context, 'service' | 'now'>,
  priority: Priority = 'interactive',
) {
  const files = servers.map(async (server) => {
    const file = await orFault(service.get(live, { server }, { priority }));
    const freshness = file instanceof ServiceError ? 'no-data' : judgeFreshness(file, 'live', now);
    if (file instanceof ServiceError || freshness === 'no-data') return [];
    const { asOf, stale, record } = orFrozen(file, now);
    return [{ server, isStale: freshness === 'stale', stale, asOf, players: record.players }];
  });
  return (await Promise.all(files)).flat();
}
