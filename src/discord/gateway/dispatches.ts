/** Dispatches of Discord, before discord.js applies them: it would also apply the half that it can read of one. */
import { GatewayDispatchEvents, InteractionType } from 'discord.js';
import { z } from 'zod';
import type { Log } from '../../base/log.ts';

/** A message of the gateway, as the library hands it to its users before it reads it. */
interface Packet {
  t: string;
  d: unknown;
}

/** A kind that the library has no handler for. */
const UNREADABLE = 'UNREADABLE';

/**
 * Returns a function that renames a dispatch that cannot be read, so that the library does nothing with it, and takes from an
 * interaction what would become the guild's. Logs a warning once for each kind: only Discord can mend it.
 */
export function createDispatchGuard(log: Log): (packet: Packet) => void {
  const warned = new Set<string>();
  return (packet) => {
    const { t, d } = packet;
    const result = schemas[t]?.safeParse(d);
    if (result === undefined) return;
    if (result.success) {
      if (t === GatewayDispatchEvents.InteractionCreate) packet.d = result.data;
      return;
    }
    const [issue] = result.error.issues;
    const why = `${issue?.path.join('.')}: ${issue?.message}`;
    log[warned.has(t) ? 'debug' : 'warn']({ t, why }, 'a dispatch cannot be read');
    warned.add(t);
    packet.t = UNREADABLE;
  };
}

const id = z.string();
const bits = z.string().regex(/^\d+$/);
const role = z.object({ id, permissions: bits, colors: z.object({}).optional() });
const overwrite = z.object({ id, allow: bits, deny: bits });
const channel = z.object({ id, permission_overwrites: z.array(overwrite).optional() });
const member = z.object({ user: z.object({ id }), roles: z.array(id) });
const guild = { id, roles: z.array(role) };

const message = z
  .looseObject({ id, channel_id: id })
  .transform(({ resolved, thread, referenced_message, message_snapshots, ...message }) => message);
const user = z.looseObject({ id });

/**
 * An interaction without the channels, roles and threads that it describes: the library would keep each as the guild's own, and
 * rights are computed from what it keeps. Their ids stay. It has what the library reads at once: somebody, and the message of a
 * component.
 */
const interaction = z
  .looseObject({
    id,
    token: z.string(),
    type: z.number(),
    data: z.looseObject({
      resolved: z.object({ users: z.unknown().optional(), members: z.unknown().optional() }).optional(),
    }),
    user: user.optional(),
    member: z.looseObject({ user }).optional(),
    message: message.optional(),
  })
  .refine(({ user, member }) => user !== undefined || member !== undefined, { path: ['user'] })
  .refine(({ type, message }) => type !== InteractionType.MessageComponent || message !== undefined, {
    path: ['message'],
  });

/** The parts of dispatches that decide about rights. */
const schemas: Readonly<Partial<Record<string, z.ZodType>>> = {
  [GatewayDispatchEvents.Ready]: z.object({ user: z.object({ id }), guilds: z.array(z.object({ id })) }),
  [GatewayDispatchEvents.GuildCreate]: z.union([
    z.object({ id, unavailable: z.literal(true) }),
    z.object({ ...guild, channels: z.array(channel), members: z.array(member) }),
  ]),
  [GatewayDispatchEvents.GuildDelete]: z.object({ id }),
  [GatewayDispatchEvents.GuildUpdate]: z.object(guild),
  [GatewayDispatchEvents.GuildMemberUpdate]: member.extend({ guild_id: id }),
  [GatewayDispatchEvents.GuildRoleCreate]: z.object({ guild_id: id, role }),
  [GatewayDispatchEvents.GuildRoleUpdate]: z.object({ guild_id: id, role }),
  [GatewayDispatchEvents.ChannelCreate]: channel,
  [GatewayDispatchEvents.ChannelUpdate]: channel,
  [GatewayDispatchEvents.InteractionCreate]: interaction,
};
