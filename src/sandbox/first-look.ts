/** What a newcomer finds on the page: a welcome, a profile that somebody has asked for, and a board in its channel. */
import { ChannelType, type Locale, PermissionFlagsBits as Permission } from 'discord.js';
import type { ChatServer, LocalChat } from './chat/chat-server.ts';
import type { Visitor } from './chat/visitor/visitor.ts';
import { namesIn } from './page/chat-view.ts';
import { t } from './page/client/text.ts';
import type { DataService } from './service/data-service.ts';

/**
 * Members use the bot as they would on any day, in the newcomer's language. By somebody else than the page's first
 * visitor where possible, whose private replies would stand below the board. Resolves when the replies are there, or
 * have failed: then the page shows that.
 */
export async function firstLook(chat: ChatServer, dataService: DataService, locale: Locale): Promise<void> {
  const [reader, ...members] = chat.people.map((person) => chat.visitor(person, { locale }));
  const [channel] = chat.channels;
  const live = chat.channels.find(({ name }) => name === 'live-servers');
  const voice = chat.channels.find(({ type }) => type === ChannelType.GuildVoice);
  const [driver] = dataService.drivers;
  const host = members[0] ?? reader;
  if (channel !== undefined && host !== undefined) host.say(channel.id, welcome(chat, dataService, host));
  const offered = (channelId: string, command: string) =>
    members.find((member) => member.commands(channelId).some(({ name }) => name === command));
  const asks: Promise<unknown>[] = [];
  if (live !== undefined) {
    const asked = offered(live.id, 'board')?.invoke(live.id, 'board create', [
      { name: 'channel', value: live.id },
      { name: 'topic', value: 'on' },
      ...(voice === undefined ? [] : [{ name: 'voice', value: voice.id }]),
    ]);
    if (asked !== undefined) asks.push(asked);
  }
  if (channel !== undefined && driver !== undefined) {
    const asked = offered(channel.id, 'profile')?.invoke(channel.id, 'profile', [
      { name: 'player', value: driver },
    ]);
    if (asked !== undefined) asks.push(asked);
  }
  await Promise.allSettled(asks);
}

/** The bot may change the topic of the board's channel, and the status of the first voice channel. */
export function allowHeadline({ channels, botId, moderator }: LocalChat): void {
  const rights = Permission.ManageChannels | Permission.SetVoiceChannelStatus;
  const live = channels.find(({ name }) => name === 'live-servers');
  const voice = channels.find(({ type }) => type === ChannelType.GuildVoice);
  for (const channel of [live, voice])
    if (channel !== undefined)
      moderator.setOverwrite(channel.id, { id: botId, type: 'member', allow: rights, deny: 0n });
}

/** A member suggests what to type. The bot speaks for itself. */
function welcome(chat: ChatServer, dataService: DataService, host: Visitor): string {
  const nameOf = namesIn(chat, host);
  const [driver = ''] = dataService.drivers;
  const [vin = ''] = dataService.vins;
  const [profile, car] = ['profile', 'car'].map((name) => nameOf('command', name) ?? name);
  return t('welcome.text', { profile: profile ?? '', car: car ?? '', driver, vin });
}
