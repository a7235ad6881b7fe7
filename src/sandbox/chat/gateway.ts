/**
 * Gateway v10 with JSON and without compression: identify, heartbeat, dispatch, resume, and every way to lose the
 * connection.
 */
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import {
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  type GatewayGuildCreateDispatchData,
  GatewayIntentBits,
  GatewayOpcodes,
  type GatewayReadyDispatchData,
  PresenceUpdateStatus,
} from 'discord-api-types/v10';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';

const HEARTBEAT_INTERVAL = 41_250;
/** Events stored per session for a resume. */
const REPLAYED = 1000;

/** Intents that must be granted to an application. */
const PRIVILEGED =
  GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences | GatewayIntentBits.MessageContent;
const KNOWN_INTENTS = Object.values(GatewayIntentBits)
  .filter((bit) => typeof bit === 'number')
  .reduce((sum, bit) => sum | bit, 0);

type Unnumbered<P> = P extends unknown ? Omit<P, 'op' | 's'> : never;
/** An event before a session numbers it. */
export type Dispatch = Unnumbered<GatewayDispatchPayload>;

const presence = z.object({
  // Libraries omit it in IDENTIFY.
  since: z.number().nullish(),
  activities: z.array(
    z.object({
      name: z.string().max(128),
      type: z.int(),
      state: z.string().max(128).nullish(),
      url: z.string().nullish(),
    }),
  ),
  status: z.enum(PresenceUpdateStatus),
  afk: z.boolean(),
});
export type BotPresence = z.output<typeof presence>;

const frame = z.object({ op: z.int(), d: z.unknown() });
/** Some libraries send the token with `Bot `, as over REST; Discord accepts both. */
const Token = z.string().transform((token) => token.replace(/^Bot /, ''));
const identify = z.object({
  token: Token,
  intents: z.int().min(0),
  properties: z.looseObject({}),
  presence: presence.nullish(),
  shard: z.tuple([z.int(), z.int()]).nullish(),
});
const resume = z.object({ token: Token, session_id: z.string(), seq: z.int().min(0) });

interface Session {
  readonly id: string;
  readonly intents: number;
  seq: number;
  readonly sent: { readonly seq: number; readonly text: string }[];
  socket: WebSocket | null;
}

export interface GatewayOptions {
  readonly server: Server;
  readonly token: string;
  /** Privileged intents granted to the application. */
  readonly granted: number;
  /** The contents of READY and the guild after it. Null guild: unavailable. */
  readonly welcome: (intents: number) => {
    readonly ready: Pick<GatewayReadyDispatchData, 'user' | 'guilds' | 'application'>;
    readonly guild: GatewayGuildCreateDispatchData | null;
  };
  /**
   * Called with every frame from the bot, by the name of its opcode: HEARTBEAT, IDENTIFY, PRESENCE_UPDATE, RESUME …
   */
  readonly received: (name: string, data: unknown) => void;
  readonly presence: (presence: BotPresence | null) => void;
  readonly connected: () => void;
}

export interface Gateway {
  /** How many sessions are connected. */
  readonly connections: number;
  readonly url: string;
  /** Sends to every session with one of `intents` (0: all sessions), now or when it resumes. */
  send(event: Dispatch | ((intents: number) => Dispatch), intents: number): void;
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
  const sessions = new Map<string, Session>();
  const sockets = new WebSocketServer({ server: options.server, maxPayload: 64 * 1024 });

  function url(): string {
    const address = options.server.address();
    if (address === null || typeof address === 'string') throw new Error('the chat server is not listening');
    return `ws://127.0.0.1:${address.port}/gateway`;
  }

  function open(): readonly Session[] {
    return [...sessions.values()].filter(({ socket }) => socket?.readyState === WebSocket.OPEN);
  }

  function dispatch(session: Session, event: Dispatch): void {
    session.seq += 1;
    const text = JSON.stringify({ op: GatewayOpcodes.Dispatch, s: session.seq, ...event });
    session.sent.push({ seq: session.seq, text });
    if (session.sent.length > REPLAYED) session.sent.shift();
    session.socket?.send(text);
  }

  /** The socket's new session, or null where it was refused. */
  function begin(socket: WebSocket, data: unknown): Session | null {
    const asked = identify.safeParse(data);
    if (!asked.success) return refuse(socket, GatewayCloseCodes.DecodeError);
    const { token, intents } = asked.data;
    if (token !== options.token) return refuse(socket, GatewayCloseCodes.AuthenticationFailed);
    if ((intents & ~KNOWN_INTENTS) !== 0) return refuse(socket, GatewayCloseCodes.InvalidIntents);
    if ((intents & PRIVILEGED & ~options.granted) !== 0)
      return refuse(socket, GatewayCloseCodes.DisallowedIntents);

    const session: Session = { id: randomBytes(16).toString('hex'), intents, seq: 0, sent: [], socket };
    sessions.set(session.id, session);
    const { ready, guild } = options.welcome(intents);
    const own = { v: 10, session_id: session.id, resume_gateway_url: url() };
    const shard =
      asked.data.shard === undefined || asked.data.shard === null ? {} : { shard: asked.data.shard };
    dispatch(session, { t: GatewayDispatchEvents.Ready, d: { ...ready, ...own, ...shard } });
    if (guild !== null) dispatch(session, { t: GatewayDispatchEvents.GuildCreate, d: guild });
    options.presence(asked.data.presence ?? null);
    options.connected();
    return session;
  }

  function comeBack(socket: WebSocket, data: unknown): Session | null {
    const asked = resume.safeParse(data);
    if (!asked.success) return refuse(socket, GatewayCloseCodes.DecodeError);
    const { token, session_id, seq } = asked.data;
    if (token !== options.token) return refuse(socket, GatewayCloseCodes.AuthenticationFailed);
    const session = sessions.get(session_id);
    const first = session?.sent[0]?.seq ?? 0;
    if (session === undefined || seq > session.seq || seq + 1 < first) {
      sessions.delete(session_id);
      socket.send(JSON.stringify({ op: GatewayOpcodes.InvalidSession, d: false, s: null, t: null }));
      return null;
    }
    session.socket?.close(GatewayCloseCodes.UnknownError);
    session.socket = socket;
    for (const missed of session.sent) if (missed.seq > seq) socket.send(missed.text);
    dispatch(session, { t: GatewayDispatchEvents.Resumed, d: undefined });
    options.connected();
    return session;
  }

  function refuse(socket: WebSocket, code: GatewayCloseCodes): null {
    socket.close(code, GatewayCloseCodes[code]);
    return null;
  }

  sockets.on('connection', (socket) => {
    let session: Session | null = null;
    const hello = {
      op: GatewayOpcodes.Hello,
      d: { heartbeat_interval: HEARTBEAT_INTERVAL },
      s: null,
      t: null,
    };
    socket.send(JSON.stringify(hello));

    socket.on('message', (raw) => {
      const read = frame.safeParse(parseJson(String(raw)));
      if (!read.success) return refuse(socket, GatewayCloseCodes.DecodeError);
      const { op, d } = read.data;
      options.received(opcodeName(op), d);
      if (op === GatewayOpcodes.Heartbeat)
        return socket.send(JSON.stringify({ op: GatewayOpcodes.HeartbeatAck, d: null, s: null, t: null }));
      if (op === GatewayOpcodes.Identify || op === GatewayOpcodes.Resume) {
        if (session !== null) return refuse(socket, GatewayCloseCodes.AlreadyAuthenticated);
        session = op === GatewayOpcodes.Identify ? begin(socket, d) : comeBack(socket, d);
        return;
      }
      if (session === null) return refuse(socket, GatewayCloseCodes.NotAuthenticated);
      if (op === GatewayOpcodes.PresenceUpdate) {
        const update = presence.safeParse(d);
        if (!update.success) return refuse(socket, GatewayCloseCodes.DecodeError);
        return options.presence(update.data);
      }
      // Requesting members takes one frame and many responses; the bot does not use it, so it is not supported.
      return refuse(socket, GatewayCloseCodes.UnknownOpcode);
    });

    socket.on('close', (code) => {
      if (session === null || session.socket !== socket) return;
      session.socket = null;
      // A close with 1000 or 1001 ends the session; after any other one it can be resumed.
      if (code === 1000 || code === 1001) sessions.delete(session.id);
      if (open().length === 0) options.presence(null);
    });
    // A socket error is followed by its close.
    socket.on('error', () => {});
  });

  return {
    get connections() {
      return open().length;
    },
    get url() {
      return url();
    },
    send(event, intents) {
      for (const session of sessions.values()) {
        if (intents !== 0 && (session.intents & intents) === 0) continue;
        dispatch(session, typeof event === 'function' ? event(session.intents) : event);
      }
    },
    drop() {
      for (const { socket } of open()) socket?.terminate();
    },
    reconnect() {
      for (const { socket } of open())
        socket?.send(JSON.stringify({ op: GatewayOpcodes.Reconnect, d: null, s: null, t: null }));
    },
    invalidate() {
      const lost = open();
      sessions.clear();
      for (const { socket } of lost) socket?.terminate();
    },
    disconnect(code) {
      for (const { socket } of open()) socket?.close(code);
    },
    close() {
      for (const client of sockets.clients) client.terminate();
      return new Promise((resolve) => sockets.close(() => resolve()));
    },
  };
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
