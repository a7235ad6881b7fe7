/** IDENTIFY and RESUME: the ways to a session. */
import {
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayGuildCreateDispatchData,
  type GatewayReadyDispatchData,
} from 'discord.js';
import type { WebSocket } from 'ws';
import type { z } from 'zod';
import type { Shard } from '../guild/shard.ts';
import type { BotToken } from '../state/bot-token.ts';
import type { SessionStarts } from '../state/session-starts.ts';
import { refuse, refuseSession } from './frames.ts';
import { type BotPresence, identify, resume, whyRefused } from './identify.ts';
import type { Session, Sessions } from './sessions.ts';

/** An IDENTIFY with the right token. */
export interface Identified {
  /** Unix milliseconds. */
  readonly at: number;
  readonly shard: Shard;
  readonly copy: string | null;
  /** `invalid-session`: faster than `max_concurrency` allows. A number: closed with that code. */
  readonly outcome: 'ready' | 'invalid-session' | GatewayCloseCodes;
}

export interface LoginParts {
  readonly sessions: Sessions;
  readonly url: (copy: string | null) => string;
  /** Closes every connection. */
  readonly disconnect: (code: GatewayCloseCodes) => void;
  readonly token: BotToken;
  readonly starts: SessionStarts;
  readonly now: () => number;
  /** How many guilds a shard has. */
  readonly guildsOn: (shard: Shard) => number;
  /** The contents of READY and the available guilds after it. */
  readonly welcome: (shard: Shard) => {
    readonly ready: Pick<GatewayReadyDispatchData, 'user' | 'guilds' | 'application'>;
    readonly guilds: readonly GatewayGuildCreateDispatchData[];
  };
  readonly identified: (identified: Identified) => void;
  /** The bot's presence as set for the guilds of a shard. Null: none of its sessions is connected any more. */
  readonly presence: (presence: BotPresence | null, shard: Shard) => void;
  readonly connected: () => void;
}

export interface Login {
  /** The socket's new session, or null where there is none. */
  begin(socket: WebSocket, copy: string | null, data: unknown): Session | null;
  resume(socket: WebSocket, data: unknown): Session | null;
}

export function createLogin(parts: LoginParts): Login {
  /** The socket's new session, or null where there is none. */
  function begin(socket: WebSocket, copy: string | null, data: unknown): Session | null {
    const asked = identify.safeParse(data);
    if (!asked.success) return refuse(socket, GatewayCloseCodes.DecodeError);
    const { token, intents, shard } = asked.data;
    if (!parts.token.accepts(token)) return refuse(socket, GatewayCloseCodes.AuthenticationFailed);
    const outcome = outcomeOf(asked.data);
    parts.identified({ at: parts.now(), shard, copy, outcome });
    if (outcome === GatewayCloseCodes.AuthenticationFailed) {
      // The day's IDENTIFYs are used up: nobody stays connected.
      parts.token.reset();
      parts.disconnect(outcome);
      return null;
    }
    if (outcome === 'invalid-session') return refuseSession(socket);
    if (outcome !== 'ready') return refuse(socket, outcome);

    const session = parts.sessions.begin(socket, { shard, intents, copy });
    const { ready, guilds } = parts.welcome(shard);
    const [id, count] = shard;
    const own = {
      v: 10,
      session_id: session.id,
      resume_gateway_url: parts.url(copy),
      shard: [id, count] satisfies Shard,
      // Undocumented: empty for every bot.
      private_channels: [],
    };
    parts.sessions.dispatch(session, { t: GatewayDispatchEvents.Ready, d: { ...ready, ...own } });
    for (const d of guilds) parts.sessions.dispatch(session, { t: GatewayDispatchEvents.GuildCreate, d });
    parts.presence(asked.data.presence ?? null, shard);
    parts.connected();
    return session;
  }

  function outcomeOf(asked: z.output<typeof identify>): Identified['outcome'] {
    if (!parts.starts.count()) return GatewayCloseCodes.AuthenticationFailed;
    const refusal = whyRefused(asked, parts.guildsOn);
    if (refusal !== null) return refusal;
    return parts.starts.begin(asked.shard[0]) ? 'ready' : 'invalid-session';
  }

  function resumed(socket: WebSocket, data: unknown): Session | null {
    const asked = resume.safeParse(data);
    if (!asked.success) return refuse(socket, GatewayCloseCodes.DecodeError);
    const { token, session_id, seq } = asked.data;
    if (!parts.token.accepts(token)) return refuse(socket, GatewayCloseCodes.AuthenticationFailed);
    const session = parts.sessions.resume(socket, session_id, seq);
    if (session === null) return refuseSession(socket);
    parts.sessions.dispatch(session, { t: GatewayDispatchEvents.Resumed, d: { _trace: [] } });
    parts.connected();
    return session;
  }

  return { begin, resume: resumed };
}
