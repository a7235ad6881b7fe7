/** The gateway's sessions: each has a shard, numbers its events, and keeps them for a resume. */
import { randomBytes } from 'node:crypto';
import {
  GatewayCloseCodes,
  type GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayOpcodes,
  type GatewayResumedDispatch,
} from 'discord.js';
import { WebSocket } from 'ws';
import { type Shard, serves } from '../guild/shard.ts';

/** Events stored per session for a resume. */
const REPLAYED = 1000;
/** A session without a connection is kept for this long, in ms; Discord publishes no figure. */
const KEPT = 5 * 60_000;

type Unnumbered<P> = P extends unknown ? Omit<P, 'op' | 's'> : never;
interface Resumed {
  readonly t: GatewayDispatchEvents.Resumed;
  /** Undocumented, but sent by Discord, and read by several libraries. */
  readonly d: { readonly _trace: readonly string[] };
}
/** An event before a session numbers it. */
export type Dispatch = Unnumbered<Exclude<GatewayDispatchPayload, GatewayResumedDispatch>> | Resumed;

export interface Session {
  readonly id: string;
  readonly shard: Shard;
  readonly intents: number;
  /** Address of the bot's copy, if each copy has its own. */
  readonly copy: string | null;
}

/** Whom an event is for. */
export interface Audience {
  /** Null: for the first shard. */
  readonly guildId: string | null;
  /** Sessions with one of these; 0: all. */
  readonly intents: number;
}

interface Kept extends Session {
  seq: number;
  readonly sent: { readonly seq: number; readonly text: string }[];
  socket: WebSocket | null;
  lostAt: number;
}

export interface Sessions {
  /** The connected ones. */
  readonly open: readonly Session[];
  begin(socket: WebSocket, asked: Omit<Session, 'id'>): Session;
  /** Replays what came after `seq`. Null where the session is unknown or no longer has all of that. */
  resume(socket: WebSocket, id: string, seq: number): Session | null;
  dispatch(session: Session, event: Dispatch): void;
  /** To every session that it is for, now or when that resumes. Returns those, and whether each is connected. */
  send(event: Dispatch, to: Audience): readonly { readonly session: Session; readonly live: boolean }[];
  /** The connection is gone. `resumable`: the session is not. False if it has another connection by now. */
  lose(session: Session, socket: WebSocket, resumable: boolean): boolean;
  forgetAll(): void;
}

export function createSessions(now: () => number): Sessions {
  const sessions = new Map<string, Kept>();
  const isOpen = ({ socket }: Kept): boolean => socket?.readyState === WebSocket.OPEN;

  function deliver(session: Kept, event: Dispatch): void {
    session.seq += 1;
    const text = JSON.stringify({ op: GatewayOpcodes.Dispatch, s: session.seq, ...event });
    session.sent.push({ seq: session.seq, text });
    if (session.sent.length > REPLAYED) session.sent.shift();
    session.socket?.send(text);
  }

  return {
    get open() {
      return [...sessions.values()].filter(isOpen);
    },
    begin(socket, asked) {
      for (const [id, old] of sessions)
        if (old.socket === null && now() - old.lostAt > KEPT) sessions.delete(id);
      const id = randomBytes(16).toString('hex');
      const session: Kept = { ...asked, id, seq: 0, sent: [], socket, lostAt: 0 };
      sessions.set(id, session);
      return session;
    },
    resume(socket, id, seq) {
      const session = sessions.get(id);
      const first = session?.sent[0]?.seq ?? 0;
      if (session === undefined || seq > session.seq || seq + 1 < first) {
        sessions.delete(id);
        return null;
      }
      session.socket?.close(GatewayCloseCodes.UnknownError);
      session.socket = socket;
      for (const missed of session.sent) if (missed.seq > seq) socket.send(missed.text);
      return session;
    },
    dispatch({ id }, event) {
      const session = sessions.get(id);
      if (session !== undefined) deliver(session, event);
    },
    send(event, to) {
      const reached = [...sessions.values()].filter((session) => isFor(session, to));
      return reached.map((session) => {
        const live = isOpen(session);
        deliver(session, event);
        return { session, live };
      });
    },
    lose({ id }, socket, resumable) {
      const session = sessions.get(id);
      if (session === undefined) return true;
      if (session.socket !== socket) return false;
      session.socket = null;
      session.lostAt = now();
      if (!resumable) sessions.delete(id);
      return true;
    },
    forgetAll: () => sessions.clear(),
  };
}

function isFor({ shard, intents: own }: Session, { guildId, intents }: Audience): boolean {
  return serves(shard, guildId) && (intents === 0 || (own & intents) !== 0);
}
