import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { WebSocket as Socket, type WebSocket, WebSocketServer } from 'ws';
import type { ChatServer } from '../../src/sandbox/chat/chat-server.ts';
import { listenOnFreePort } from './listen.ts';

/**
 * Sits between the bot and the local chat server and forwards everything; a test can inject data that Discord would
 * never send.
 */
export interface Tap {
  /** For DISCORD_API_URL. */
  readonly apiUrl: string;
  /** Sends the bot one gateway event, whatever it is; undefined: of no kind. */
  inject(type: string | undefined, data: unknown): void;
  /** Discord's answer to a request that it never sees; null: it does. By method and path. */
  answerFor(decide: (method: string, path: string) => FalseAnswer | null): void;
  /** Cuts the live connection, and refuses every new one until it is set back. */
  setAway(away: boolean): void;
  close(): Promise<void>;
}

interface FalseAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Discord's own number. */
  readonly code?: number;
}

export async function tap(chat: ChatServer): Promise<Tap> {
  const behind = new URL(chat.apiUrl);
  const open = new Set<WebSocket>();
  let gateway = '';
  let sequence = 0;
  let isAway = false;

  let falsely: Parameters<Tap['answerFor']>[0] = () => null;

  const server = createServer((asked, answer) => {
    const { method = '', url: path = '', headers } = asked;
    const instead = falsely(method, path);
    if (instead !== null) {
      const { status, headers: also, code } = instead;
      const body = code === undefined ? '' : JSON.stringify({ code, message: 'as a test wants it' });
      answer.writeHead(status, { 'content-type': 'application/json', ...also }).end(body);
      return;
    }
    const passed = request(
      { host: behind.hostname, port: behind.port, method, path, headers },
      async (response) => {
        let body = Buffer.concat(await Array.fromAsync<Buffer>(response));
        if (path.endsWith('/gateway/bot')) {
          const told = JSON.parse(body.toString());
          gateway = told.url;
          body = Buffer.from(JSON.stringify({ ...told, url: `ws://127.0.0.1:${port}` }));
        }
        const { 'transfer-encoding': _, ...rest } = response.headers;
        answer.writeHead(response.statusCode ?? 500, { ...rest, 'content-length': body.length }).end(body);
      },
    );
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });

  const port = await listenOnFreePort(server);
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (bot) => {
    if (isAway) return bot.terminate();
    const server = new Socket(gateway);
    const waiting: string[] = [];
    open.add(bot);
    server.on('open', () => {
      for (const text of waiting) server.send(text);
    });
    server.on('message', (text) => {
      const frame = JSON.parse(String(text));
      if (typeof frame.s === 'number') sequence = frame.s;
      if (frame.t === 'READY') frame.d.resume_gateway_url = `ws://127.0.0.1:${port}`;
      bot.send(JSON.stringify(frame));
    });
    bot.on('message', (text) => {
      if (server.readyState === Socket.OPEN) server.send(String(text));
      else waiting.push(String(text));
    });
    server.on('close', (code) => bot.close(code === 1006 ? 4000 : code));
    bot.on('close', () => {
      open.delete(bot);
      server.terminate();
    });
    server.on('error', () => bot.terminate());
  });

  return {
    apiUrl: `http://127.0.0.1:${port}${behind.pathname}`,
    inject(type, data) {
      sequence += 1;
      for (const bot of open) bot.send(JSON.stringify({ op: 0, s: sequence, t: type, d: data }));
    },
    answerFor(decide) {
      falsely = decide;
    },
    setAway(away) {
      isAway = away;
      if (away) for (const bot of open) bot.terminate();
    },
    async close() {
      for (const bot of sockets.clients) bot.terminate();
      sockets.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
