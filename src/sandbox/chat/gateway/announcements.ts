/** The gateway's events about guilds, their people and their messages. */
import { GatewayDispatchEvents, GatewayIntentBits as Intent } from 'discord.js';
import type { Guild, GuildChannel } from '../guild/guild.ts';
import type { MessageChange } from '../state/messages.ts';
import { guildCreate, messageEvent } from './guild-events.ts';
import type { Sessions } from './sessions.ts';

export interface Announcements {
  /** The guild is there, or there again. */
  guild(guild: Guild): void;
  outage(guild: Guild): void;
  /** The bot is no longer in the guild. */
  removal(guild: Guild): void;
  channel(guild: Guild, channel: GuildChannel): void;
  channelDelete(guild: Guild, channel: GuildChannel): void;
  message(guild: Guild, change: MessageChange): void;
}

export function createAnnouncements(send: Sessions['send']): Announcements {
  return {
    guild(guild) {
      const to = { guildId: guild.facts.id, intents: Intent.Guilds };
      send({ t: GatewayDispatchEvents.GuildCreate, d: guildCreate(guild) }, to);
    },
    outage({ facts: { id } }) {
      const d = { id, unavailable: true } as const;
      send({ t: GatewayDispatchEvents.GuildDelete, d }, { guildId: id, intents: Intent.Guilds });
    },
    removal({ facts: { id } }) {
      send({ t: GatewayDispatchEvents.GuildDelete, d: { id } }, { guildId: id, intents: Intent.Guilds });
    },
    channel({ facts: { id } }, channel) {
      const d = { ...channel, guild_id: id };
      send({ t: GatewayDispatchEvents.ChannelUpdate, d }, { guildId: id, intents: Intent.Guilds });
    },
    channelDelete({ facts: { id } }, channel) {
      const d = { ...channel, guild_id: id };
      send({ t: GatewayDispatchEvents.ChannelDelete, d }, { guildId: id, intents: Intent.Guilds });
    },
    message(guild, change) {
      const announced = messageEvent(guild, change);
      if (announced !== null) send(announced.event, announced.to);
    },
  };
}
