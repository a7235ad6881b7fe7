import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { listenOnFreePort } from './listen.ts';
import type { PostgresServer } from './postgres.ts';

/** A way to the server on which everything can get lost. */
export async function startProxy({ folder }: Pick<PostgresServer, 'folder'>) {
  const sockets = new Set<Socket>();
  let [isSwallowing, isRefusing] = [false, false];
  const proxy = createServer((from) => {
    if (isRefusing) {
      from.destroy();
      return;
    }
    const to = createConnection(join(folder, '.s.PGSQL.5432'));
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.on('data', (bytes) => isSwallowing || other.write(bytes));
      one.on('close', () => isSwallowing || other.destroy());
      one.on('error', () => {});
    }
  });
  const port = await listenOnFreePort(proxy);
  return {
    place: { host: '127.0.0.1', port },
    /** Everything gets lost without a word from now on. */
    swallow(): void {
      isSwallowing = true;
    },
    /** Every connection is broken, and none is made until it is called with false. */
    refuse(whether = true): void {
      isRefusing = whether;
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
