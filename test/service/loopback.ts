import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Layer } from '../../src/service/call.ts';
import { createClient, type Service } from '../../src/service/client.ts';
import { createTransport } from '../../src/service/transport/transport.ts';
import { listenOnFreePort } from '../support/listen.ts';

export const places = { game: 'drivesim', chatPath: 'chat_status' };
export const key = 'sEcReT-kEy+/=&42';

/** A server on this machine that answers as a test says, and the real client in front of it. */
export interface Loopback {
  readonly url: string;
  readonly service: Service;
  readonly layer: Layer;
  /** What arrived, oldest first. */
  readonly requests: readonly string[];
  /** Connections that were opened. */
  readonly connections: () => number;
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export async function startLoopback(
  answer: Answer,
  settings: Partial<Parameters<typeof createTransport>[0]> = {},
): Promise<Loopback> {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(request, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}`;
  const transport = createTransport({ url, key, ...settings });
  return {
    url,
    service: createClient({ layer: transport.layer, places }),
    layer: transport.layer,
    requests,
    connections: () => connections,
    async close() {
      await transport.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function answerJson(value: unknown): Answer {
  return (_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  };
}
