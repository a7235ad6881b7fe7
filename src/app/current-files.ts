import { isCurrent } from '../cards/servers/is-current.ts';
import { orFault, ServiceError } from '../errors.ts';
import { live } from '../service/endpoints.ts';
import type { LiveServer, LiveStatus } from '../service/models/live-status.ts';
import type { Context } from './context.ts';

interface CurrentFile {
  readonly server: LiveServer;
  readonly players: LiveStatus['players'];
}

/** Of these servers' live files, which cost no budget, those that tell of now. */
export async function currentFiles(
  servers: readonly LiveServer[],
  { service, now }: Pick<Context, 'service' | 'now'>,
): Promise<readonly CurrentFile[]> {
  const files = servers.map(async (server) => {
    const file = await orFault(service.get(live, { server }));
    return file instanceof ServiceError || !isCurrent(file, now)
      ? []
      : [{ server, players: file.record.players }];
  });
  return (await Promise.all(files)).flat();
}
