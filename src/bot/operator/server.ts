import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ListenAddress } from '../../base/config/listen-address.ts';
import { codeOf, StartError } from '../../base/errors.ts';

export interface OperatorPage {
  readonly status: 200 | 503;
  readonly type: string;
  readonly body: string;
}

/** Pages by path. */
type Pages = Readonly<Record<string, () => Promise<OperatorPage> | OperatorPage>>;

const REQUEST_TIMEOUT_MS = 5000;
/** Open connections at most; one scraper and a few probes use one each. */
const MAX_CONNECTIONS = 32;
/** A scraper's headers take a few hundred bytes. */
const HEADER_BYTES = 8192;

/**
 * Serves pages to GET and HEAD, one request a connection. Throws a {@link StartError} where it cannot listen.
 * `failed`: a page threw; its client gets 500 without the reason. `timeoutMs`: how long a client has in ms for its
 * request, and as long to take each part of the answer.
 */
export async function servePages(
  { host, port }: ListenAddress,
  pages: Pages,
  failed: (error: unknown) => void,
  timeoutMs: number = REQUEST_TIMEOUT_MS,
): Promise<{
  /** The port it listens on, also where any free one was asked for. */
  readonly port: number;
  close(): Promise<void>;
}> {
  const server = createServer(
    {
      headersTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      connectionsCheckingInterval: timeoutMs / 5,
      maxHeaderSize: HEADER_BYTES,
    },
    (request, response) => {
      answer(request, response, pages).catch((error: unknown) => {
        failed(error);
        send(response, 500, 'text/plain', 'internal error\n');
      });
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(timeoutMs, (socket) => socket.destroy());
  await listen(server, { host, port });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      const close = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await close;
    },
  };
}

async function answer(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  pages: Pages,
): Promise<void> {
  const path = url.split('?', 1).join();
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page === undefined) return send(response, 404, 'text/plain', 'not found\n');
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return send(response, 405, 'text/plain', 'only GET and HEAD\n');
  }
  const { status, type, body } = await page();
  send(response, status, type, body);
}

/** Node leaves the body out of an answer to HEAD. */
function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    // Kept connections would use up the few that are allowed.
    connection: 'close',
  });
  response.end(body);
}

async function listen(server: Server, { host, port }: ListenAddress): Promise<void> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const code = codeOf(error) || 'unknown';
    // The process before this one may still be ending.
    throw new StartError(`HTTP_PORT: cannot listen on port ${port} of ${host}: ${reasonOf(code)}`, {
      mayPass: code === 'EADDRINUSE',
    });
  }
}

function reasonOf(code: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return 'another program has it. Choose another port';
    case 'EACCES':
      return 'not allowed. Choose a port above 1023';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'this machine has no such address';
    default:
      return code;
  }
}
