import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locale } from 'discord.js';
import { WebSocketServer } from 'ws';
import type { ChatServer } from '../chat/chat-server.ts';
import type { DataService } from '../service/data-service.ts';
import type { Assets } from './assets.ts';
import { openSession } from './session.ts';

interface Page {
  readonly url: string;
  close(): Promise<void>;
}

interface Needs {
  readonly assets: Assets;
  readonly chat: ChatServer;
  readonly dataService: DataService;
  /** The preferred port; a free one if it is taken or omitted. */
  readonly port?: number;
  /** Called whenever somebody opens the page, with the language that they read. */
  readonly visited?: (locale: Locale) => void;
}

/** Only its own files and messages' pictures, no inline script or style, and no string that becomes markup. */
const policyFor = (chatOrigin: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' ${chatOrigin}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;

/** Serves the page on loopback, and updates every open one over a WebSocket. */
export async function startPage({
  assets,
  chat,
  dataService,
  port = 0,
  visited = () => {},
}: Needs): Promise<Page> {
  const server = createServer((request, response) => {
    const asset = isLocal(request)
      ? assets.get(URL.parse(request.url ?? '', 'http://page')?.pathname ?? '')
      : undefined;
    if (asset === undefined || request.method !== 'GET') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is nothing here.\n');
      return;
    }
    response
      .writeHead(200, {
        'content-type': asset.type,
        'content-security-policy': policyFor(new URL(chat.apiUrl).origin),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      .end(asset.body);
  });
  await listen(server, port);

  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  server.on('upgrade', (request, socket, head) => {
    // Another site's page may open a socket to this machine: its origin shows it.
    if (!isLocal(request) || request.headers.origin !== `http://${request.headers.host}`) {
      // A client that is already gone would end the process with an unhandled error.
      socket.on('error', () => {}).end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      const asked = URL.parse(request.url ?? '', 'http://page')?.searchParams;
      const [as = null, language = null] = [asked?.get('as'), asked?.get('lang')];
      openSession({ client, as, language, chat, dataService, others: sockets.clients, visited });
    });
  });

  return {
    url: `http://127.0.0.1:${portOf(server)}/`,
    async close() {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Only under local host names, so that an external name resolving to this machine (DNS rebinding) is refused. */
function isLocal(request: IncomingMessage): boolean {
  return /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(request.headers.host ?? '');
}

async function listen(server: Server, port: number): Promise<void> {
  const taken = await new Promise<boolean>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(true) : reject(error);
    server.once('error', failed).listen(port, '127.0.0.1', () => {
      server.off('error', failed);
      resolve(false);
    });
  });
  if (taken) await once(server.listen(0, '127.0.0.1'), 'listening');
}

function portOf(server: Server): number {
  const address: string | AddressInfo | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the page listens on no port');
  return address.port;
}
