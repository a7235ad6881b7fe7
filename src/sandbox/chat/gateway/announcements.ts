/** The gateway's events about guilds, their people and their messages. */
import { GatewayDispatchEvents, GatewayIntentBits as Intent } from 'discord.js';
import type { Guild, GuildChannel, Resident } from '../guild/guild.ts';
import type { MessageChange } from '../state/messages.ts';
import { guildCreate, messageEvent, presenceOf } from './guild-events.ts';
import type { Sessions } from './sessions.ts';

export interface Announcements {
  /** The guild is there, or there again. */
  guild(guild: Guild): void;
  outage(guild: Guild): void;
  channel(guild: Guild, channel: GuildChannel): void;
  voiceStatus(guild: Guild, channelId: string, status: string | null): void;
  message(guild: Guild, change: MessageChange): void;
  presence(guild: Guild, resident: Resident): void;
}

/** `granted`: privileged intents of the bot. */
export function createAnnouncements(send: Sessions['send'], granted: number): Announcements {
  return {
    guild(guild) {
      const t = GatewayDispatchEvents.GuildCreate;
      const to = { guildId: guild.facts.id, intents: Intent.Guilds };
      send((intents) => ({ t, d: guildCreate(guild, intents) }), to);
    },
    outage({ facts: { id } }) {
      const d = { id, unavailable: true } as const;
      send({ t: GatewayDispatchEvents.GuildDelete, d }, { guildId: id, intents: Intent.Guilds });
    },
    channel({ facts: { id } }, channel) {
      const d = { ...channel, guild_id: id };
      send({ t: GatewayDispatchEvents.ChannelUpdate, d }, { guildId: id, intents: Intent.Guilds });
    },
    voiceStatus({ facts: { id } }, channelId, status) {
      const d = { id: channelId, guild_id: id, status };
      send({ t: GatewayDispatchEvents.VoiceChannelStatusUpdate, d }, { guildId: id, intents: Intent.Guilds });
    },
    message(guild, change) {
      const announced = messageEvent(guild, granted, change);
      if (announced !== null) send(announced.event, announced.to);
    },
    presence(guild, resident) {
      const d = presenceOf(guild, resident);
      const to = { guildId: guild.facts.id, intents: Intent.GuildPresences };
      send({ t: GatewayDispatchEvents.PresenceUpdate, d }, to);
    },
  };
}
