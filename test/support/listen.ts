import { once } from 'node:events';
import type { Server } from 'node:net';

/** Makes the server listen on any free port of this machine, and resolves with that port. */
export async function listenOnFreePort(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
