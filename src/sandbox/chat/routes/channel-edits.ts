/** The bot's edits of channels: their topics. */
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

/** Any other field is refused: above all, a bot that renames a channel would be noticed. */
const topicForm = z.strictObject({ topic: text(TOPIC).nullable() });

/** Called after the change. */
export interface ChannelChanges {
  channel(guild: Guild, channel: GuildChannel): void;
}

export function createChannelEdits(guilds: Guilds, changes: ChannelChanges): readonly Route[] {
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

  return [{ method: 'PATCH', path: '/channels/*', rate: RATES.topic, handle: setTopic }];
}
