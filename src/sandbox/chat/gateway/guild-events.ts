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
import type { Guild, Resident } from '../guild/guild.ts';
import type { MessageChange } from '../state/messages.ts';
import type { BotPresence } from './identify.ts';
import type { Audience, Dispatch } from './sessions.ts';

/** A plain number: the enum has no name for "no flags". */
const NO_FLAGS: number = 0;

/** First events of a session: all its guilds as unavailable, then the available ones one by one. */
export function welcomeTo(
  bot: APIUser,
  guilds: readonly Guild[],
  intents: number,
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
    guilds: guilds.filter(isAvailable).map((one) => guildCreate(one, intents)),
  };
}

/** The guild as sent to a session: only the bot as a member, unless the session may see the others. */
export function guildCreate(guild: Guild, intents: number): GatewayGuildCreateDispatchData {
  const all = [...guild.residents.values()];
  const everybody = (intents & (Intent.GuildMembers | Intent.GuildPresences)) !== 0;
  const known = all.filter(({ member }) => everybody || member.user.id === guild.bot.id);
  const self = guild.residents.get(guild.bot.id)?.member;
  return {
    ...guild.facts,
    roles: [...guild.roles.values()],
    joined_at: self?.joined_at ?? '',
    large: false,
    unavailable: false,
    member_count: all.length,
    voice_states: [],
    members: known.map(({ member }) => member),
    channels: [...guild.channels.values()],
    threads: [],
    presences: (intents & Intent.GuildPresences) === 0 ? [] : all.map((one) => presenceOf(guild, one)),
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

export function presenceOf(guild: Guild, { member, status }: Resident): GatewayPresenceUpdate {
  return {
    user: { id: member.user.id },
    guild_id: guild.facts.id,
    status: receivable(status),
    activities: [],
    client_status: {},
  };
}

/** The bot's presence as others see it. */
export function botPresence(guild: Guild, sent: BotPresence | null, at: number): GatewayPresenceUpdate {
  return {
    user: { id: guild.bot.id },
    guild_id: guild.facts.id,
    status: receivable(sent?.status ?? PresenceUpdateStatus.Online),
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

/** Others see "invisible" as offline. */
function receivable(status: PresenceUpdateStatus) {
  return status === PresenceUpdateStatus.Invisible ? PresenceUpdateStatus.Offline : status;
}

/** A message as the bot may read it: without the content intent, only its own and those that mention it. */
export function readableByBot(guild: Guild, grantedIntents: number, message: APIMessage): APIMessage {
  const own = message.author.id === guild.bot.id || message.mentions.some(({ id }) => id === guild.bot.id);
  if (own || guild.direct.has(message.channel_id) || (grantedIntents & Intent.MessageContent) !== 0)
    return message;
  return { ...message, content: '', embeds: [], attachments: [], components: [] };
}

/** The event for a changed message, and whom it is for. Null for private replies, which have no event. */
export function messageEvent(
  guild: Guild,
  grantedIntents: number,
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
    ...readableByBot(guild, grantedIntents, message),
    ...where,
    ...(author !== undefined && { member: author }),
  };
  const t = change === 'create' ? GatewayDispatchEvents.MessageCreate : GatewayDispatchEvents.MessageUpdate;
  return { event: { t, d }, to };
}
