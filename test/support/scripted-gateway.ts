import { once } from 'node:events';
import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { listenOnFreePort } from './listen.ts';

/** A gateway that says what a test wants and nothing else: it greets nobody by itself. */
export interface ScriptedGateway {
  readonly apiUrl: string;
  readonly url: string;
  /** Resolves when the next connection is open on both sides. */
  connected(): Promise<void>;
  readonly connections: () => number;
  /** Answers the next attempt to connect with 503. */
  refuseNext(): void;
  /** Greets the last connection, which then identifies; resolves with what it says. */
  greet(): Promise<string>;
  /** Greets the last connection, which ends instead of logging in; resolves with its code. */
  greetUnanswered(): Promise<number>;
  /** Resolves with the code with which the last connection is ended by the other side. */
  closed(): Promise<number>;
  /** Sends the last connection any message. */
  say(message: object): void;
  /** One event for the last connection. */
  send(t: string, d: object): void;
  /** Resolves with the next thing that the last connection says. */
  received(): Promise<string>;
  /** Reads nothing more from the last connection, which stays open: the network is away, or a firewall has forgotten it. */
  freeze(): void;
  /** Ends the last connection. */
  end(code: number): void;
  close(): Promise<void>;
}

export async function startScriptedGateway(): Promise<ScriptedGateway> {
  const server = createServer((_, answer) => {
    const session_start_limit = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 };
    const body = JSON.stringify({ url: `ws://127.0.0.1:${port}`, shards: 1, session_start_limit });
    answer.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
  });
  let refusals = 0;
  const sockets = new WebSocketServer({
    server,
    verifyClient(_, answer) {
      const isRefused = refusals > 0;
      if (isRefused) refusals -= 1;
      answer(!isRefused, 503);
    },
  });
  const opened: WebSocket[] = [];
  const open = Promise.withResolvers<void>();
  let next = open;
  let sequence = 0;
  sockets.on('connection', (socket) => {
    opened.push(socket);
    socket.on('pong', () => {
      next.resolve();
      next = Promise.withResolvers();
    });
    socket.ping();
  });
  const port = await listenOnFreePort(server);

  function say(frame: object): void {
    opened.at(-1)?.send(JSON.stringify(frame));
  }

  async function closed(): Promise<number> {
    const socket = opened.at(-1);
    if (socket === undefined) throw new Error('there is no connection');
    return z.int().parse((await once(socket, 'close'))[0]);
  }

  const hello = { op: 10, d: { heartbeat_interval: 60_000 } };

  return {
    apiUrl: `http://127.0.0.1:${port}/api`,
    url: `ws://127.0.0.1:${port}`,
    connected: () => next.promise,
    connections: () => opened.length,
    refuseNext() {
      refusals += 1;
    },
    async greet() {
      const socket = opened.at(-1);
      if (socket === undefined) throw new Error('there is no connection');
      const identified = once(socket, 'message');
      say(hello);
      return String((await identified)[0]);
    },
    async greetUnanswered() {
      const socket = opened.at(-1);
      socket?.on('message', (text) => {
        throw new Error(`it says ${text}`);
      });
      const code = closed();
      say(hello);
      return code;
    },
    closed,
    say,
    send(t, d) {
      sequence += 1;
      say({ op: 0, s: sequence, t, d });
    },
    async received() {
      const socket = opened.at(-1);
      if (socket === undefined) throw new Error('there is no connection');
      return String((await once(socket, 'message'))[0]);
    },
    freeze: () => opened.at(-1)?.pause(),
    end: (code) => opened.at(-1)?.close(code),
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
