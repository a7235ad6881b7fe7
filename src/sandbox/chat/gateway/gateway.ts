/**
 * Gateway v10 with JSON and without compression: identify, heartbeat, dispatch, resume, and every way to lose the
 * connection.
 */
import type { IncomingMessage, Server } from 'node:http';
import { GatewayCloseCodes, GatewayOpcodes } from 'discord.js';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { refuse, tell } from './frames.ts';
import { presence } from './identify.ts';
import { createLogin, type Login, type LoginParts } from './login.ts';
import { createSessions, type Session, type Sessions } from './sessions.ts';

const HEARTBEAT_INTERVAL = 41_250;

const frame = z.object({ op: z.int(), d: z.unknown() });

interface GatewayOptions extends Omit<LoginParts, 'sessions' | 'url' | 'disconnect'> {
  readonly server: Server;
  /**
   * Called with every frame from the bot, by the name of its opcode: HEARTBEAT, IDENTIFY, PRESENCE_UPDATE, RESUME …
   */
  readonly received: (name: string, data: unknown) => void;
}

export interface Gateway extends Pick<Sessions, 'open' | 'send'> {
  /** For a copy of the bot with an address of its own, or for any. */
  url(copy: string | null): string;
  /** Drops the sockets without a close frame; the sessions can be resumed. */
  drop(): void;
  /** Asks clients to reconnect and resume. */
  reconnect(): void;
  /** Drops sockets and sessions: a resume gets INVALID_SESSION. */
  invalidate(): void;
  /** Closes with a code, for instance 4004 or 4014. */
  disconnect(code: number): void;
  close(): Promise<void>;
}

export function createGateway(options: GatewayOptions): Gateway {
  const sessions = createSessions(options.now);
  const sockets = new WebSocketServer({ server: options.server, maxPayload: 64 * 1024 });

  const url = (copy: string | null): string => urlOf(options.server, copy);

  function disconnect(code: number): void {
    for (const client of sockets.clients) if (client.readyState === WebSocket.OPEN) client.close(code);
  }

  const login = createLogin({ ...options, sessions, url, disconnect });

  function lose(session: Session, socket: WebSocket, code: number): void {
    // A close with 1000 or 1001 ends the session; after any other one it can be resumed.
    if (!sessions.lose(session, socket, code !== 1000 && code !== 1001)) return;
    const [id, count] = session.shard;
    const others = sessions.open.some(({ shard }) => shard[0] === id && shard[1] === count);
    if (!others) options.presence(null, session.shard);
  }

  sockets.on('connection', (socket, request) => {
    const session = converse({ ...options, login }, socket, copyOf(request));
    socket.on('close', (code) => {
      const ended = session();
      if (ended !== null) lose(ended, socket, code);
    });
    // A socket error is followed by its close.
    socket.on('error', () => {});
  });

  return {
    get open() {
      return sessions.open;
    },
    url,
    send: sessions.send,
    drop() {
      for (const client of sockets.clients) client.terminate();
    },
    reconnect() {
      for (const client of sockets.clients) tell(client, GatewayOpcodes.Reconnect, null);
    },
    invalidate() {
      sessions.forgetAll();
      for (const client of sockets.clients) client.terminate();
    },
    disconnect,
    close() {
      for (const client of sockets.clients) client.terminate();
      return new Promise((resolve) => sockets.close(() => resolve()));
    },
  };
}

function urlOf(server: Server, copy: string | null): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the chat server is not listening');
  return `ws://127.0.0.1:${address.port}/gateway${copy === null ? '' : `/${copy}`}`;
}

type Hearing = Pick<GatewayOptions, 'received' | 'presence'> & { readonly login: Login };

/** Takes the frames of a connection. Returns its session, once that has begun. */
function converse(hearing: Hearing, socket: WebSocket, copy: string | null): () => Session | null {
  const { login, received } = hearing;
  let session: Session | null = null;
  tell(socket, GatewayOpcodes.Hello, { heartbeat_interval: HEARTBEAT_INTERVAL });
  socket.on('message', (raw) => {
    const read = frame.safeParse(parseJson(String(raw)));
    if (!read.success) return refuse(socket, GatewayCloseCodes.DecodeError);
    const { op, d } = read.data;
    received(opcodeName(op), d);
    if (op === GatewayOpcodes.Heartbeat) return tell(socket, GatewayOpcodes.HeartbeatAck, null);
    if (op === GatewayOpcodes.Identify || op === GatewayOpcodes.Resume) {
      if (session !== null) return refuse(socket, GatewayCloseCodes.AlreadyAuthenticated);
      session = op === GatewayOpcodes.Identify ? login.begin(socket, copy, d) : login.resume(socket, d);
      return;
    }
    if (session === null) return refuse(socket, GatewayCloseCodes.NotAuthenticated);
    return hear(hearing, socket, session, op, d);
  });
  return () => session;
}

/** A frame of a session that has begun. */
function hear(
  { presence: changed }: Pick<GatewayOptions, 'presence'>,
  socket: WebSocket,
  session: Session,
  op: number,
  data: unknown,
): void {
  const update = op === GatewayOpcodes.PresenceUpdate ? presence.safeParse(data) : null;
  // Requesting members takes one frame and many responses; the bot does not use it, so it is not supported.
  if (update === null) refuse(socket, GatewayCloseCodes.UnknownOpcode);
  else if (update.success) changed(update.data, session.shard);
  else refuse(socket, GatewayCloseCodes.DecodeError);
}

function copyOf({ url = '' }: IncomingMessage): string | null {
  return /^\/gateway\/([\w-]+)/.exec(url)?.[1] ?? null;
}

function opcodeName(op: number): string {
  const name: string | undefined = GatewayOpcodes[op];
  return name === undefined ? String(op) : name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
