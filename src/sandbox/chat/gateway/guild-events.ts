/** The gateway's events about the guild and its messages. */
import {
  type APIMessage,
  type APIUser,
  GatewayDispatchEvents,
  type GatewayGuildCreateDispatchData,
  type GatewayPresenceUpdate,
  type GatewayReadyDispatchData,
  GatewayIntentBits as Intent,
  PresenceUpdateStatus,
} from 'discord.js';
import type { Guild } from '../guild/guild.ts';
import type { MessageChange } from '../state/messages.ts';
import type { BotPresence } from './identify.ts';
import type { Audience, Dispatch } from './sessions.ts';

/** A plain number: the enum has no name for "no flags". */
const NO_FLAGS: number = 0;

/** First events of a session: all its guilds as unavailable, then the available ones one by one. */
export function welcomeTo(
  bot: APIUser,
  guilds: readonly Guild[],
  isAvailable: (guild: Guild) => boolean,
): {
  readonly ready: Pick<GatewayReadyDispatchData, 'user' | 'guilds' | 'application'>;
  readonly guilds: readonly GatewayGuildCreateDispatchData[];
} {
  return {
    ready: {
      user: bot,
      guilds: guilds.map(({ facts: { id } }) => ({ id, unavailable: true })),
      application: { id: bot.id, flags: NO_FLAGS, flags_new: '0' },
    },
    guilds: guilds.filter(isAvailable).map(guildCreate),
  };
}

/** The guild as sent to a session: the bot is the only member in it, since no session has a privileged intent. */
export function guildCreate(guild: Guild): GatewayGuildCreateDispatchData {
  const self = guild.residents.get(guild.bot.id)?.member;
  return {
    ...guild.facts,
    roles: [...guild.roles.values()],
    joined_at: self?.joined_at ?? '',
    large: false,
    unavailable: false,
    member_count: guild.residents.size,
    voice_states: [],
    members: self === undefined ? [] : [self],
    channels: [...guild.channels.values()],
    threads: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

/** The bot's presence as others see it. */
export function botPresence(guild: Guild, sent: BotPresence | null, at: number): GatewayPresenceUpdate {
  const status = sent?.status ?? PresenceUpdateStatus.Online;
  return {
    user: { id: guild.bot.id },
    guild_id: guild.facts.id,
    // Others see "invisible" as offline.
    status: status === PresenceUpdateStatus.Invisible ? PresenceUpdateStatus.Offline : status,
    activities: (sent?.activities ?? []).map(({ name, type, state }, index) => ({
      id: String(index),
      created_at: at,
      name,
      type,
      ...(state !== undefined && { state }),
    })),
    client_status: {},
  };
}

/** A message as a bot without the content intent may read it: only its own and those that mention it have content. */
export function readableByBot(guild: Guild, message: APIMessage): APIMessage {
  const own = message.author.id === guild.bot.id || message.mentions.some(({ id }) => id === guild.bot.id);
  if (own || guild.direct.has(message.channel_id)) return message;
  return { ...message, content: '', embeds: [], attachments: [], components: [] };
}

/** The event for a changed message, and whom it is for. Null for private replies, which have no event. */
export function messageEvent(
  guild: Guild,
  { change, message, readerId }: MessageChange,
): { readonly event: Dispatch; readonly to: Audience } | null {
  if (readerId !== null) return null;
  const direct = guild.direct.has(message.channel_id);
  const where = direct ? {} : { guild_id: guild.facts.id };
  const to = {
    guildId: direct ? null : guild.facts.id,
    intents: direct ? Intent.DirectMessages : Intent.GuildMessages,
  };
  if (change === 'delete') {
    const d = { id: message.id, channel_id: message.channel_id, ...where };
    return { event: { t: GatewayDispatchEvents.MessageDelete, d }, to };
  }
  const author = direct ? undefined : guild.residents.get(message.author.id)?.member;
  const d = {
    ...readableByBot(guild, message),
    ...where,
    ...(author !== undefined && { member: author }),
  };
  const t = change === 'create' ? GatewayDispatchEvents.MessageCreate : GatewayDispatchEvents.MessageUpdate;
  return { event: { t, d }, to };
}
