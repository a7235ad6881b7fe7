/** The bot's edits of channels: their topics, and the statuses of voice channels. */
import { ChannelType, PermissionFlagsBits as Permission } from 'discord.js';
import { z } from 'zod';
import { refusal } from '../api-error.ts';
import type { Guild, GuildChannel } from '../guild/guild.ts';
import type { Guilds } from '../guild/guilds.ts';
import { readForm, text } from '../judge/form.ts';
import { RATES } from '../rest/rate-limits.ts';
import type { Answer, RestRequest, Route } from '../rest/rest.ts';
import { requireChannel } from './places.ts';

/** In characters. */
const TOPIC = 1024;
const STATUS = 500;

/** Any other field is refused: above all, a bot that renames a channel would be noticed. */
const topicForm = z.strictObject({ topic: text(TOPIC).nullable() });
const statusForm = z.strictObject({ status: text(STATUS).nullable() });

export interface ChannelEdits {
  /** By channel; those without one are absent. */
  readonly statuses: ReadonlyMap<string, string>;
  readonly routes: readonly Route[];
}

/** Called after the change. */
export interface ChannelChanges {
  channel(guild: Guild, channel: GuildChannel): void;
  voiceStatus(guild: Guild, channelId: string, status: string | null): void;
}

export function createChannelEdits(guilds: Guilds, changes: ChannelChanges): ChannelEdits {
  const statuses = new Map<string, string>();

  function setTopic({ body }: RestRequest, channelId = ''): Answer {
    const channel = requireChannel(guilds, channelId, Permission.ManageChannels);
    if (channel?.type !== ChannelType.GuildText) throw refusal('wrong-channel-type');
    const { topic } = readForm(topicForm, body);
    const guild = guilds.of(channelId);
    const changed = { ...channel, topic: topic === '' ? null : topic };
    guild.channels.set(channelId, changed);
    changes.channel(guild, changed);
    return { status: 200, body: changed };
  }

  /** The bot is never connected to a voice channel, so that it needs Manage Channels as well. */
  function setStatus({ body }: RestRequest, channelId = ''): Answer {
    const needed = Permission.Connect | Permission.SetVoiceChannelStatus | Permission.ManageChannels;
    const channel = requireChannel(guilds, channelId, needed);
    if (channel?.type !== ChannelType.GuildVoice) throw refusal('wrong-channel-type');
    const { status } = readForm(statusForm, body);
    if (status === null || status === '') statuses.delete(channelId);
    else statuses.set(channelId, status);
    changes.voiceStatus(guilds.of(channelId), channelId, statuses.get(channelId) ?? null);
    return { status: 204 };
  }

  return {
    statuses,
    routes: [
      { method: 'PATCH', path: '/channels/*', rate: RATES.topic, handle: setTopic },
      { method: 'PUT', path: '/channels/*/voice-status', rate: RATES.voiceStatus, handle: setStatus },
    ],
  };
}
