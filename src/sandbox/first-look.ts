/** What a newcomer finds on the page: a welcome, a profile that somebody has asked for, and a board in its channel. */
import type { ChatServer } from './chat/chat-server.ts';
import type { DataService } from './service/data-service.ts';

/** A member suggests what to type. The bot speaks for itself. */
export function welcome(chat: ChatServer, dataService: DataService): void {
  const channel = chat.channels[0];
  const host = chat.people[1] ?? chat.people[0];
  if (channel === undefined || host === undefined) return;
  const [driver] = dataService.drivers;
  const [vin] = dataService.vins;
  chat
    .visitor(host)
    .say(
      channel.id,
      `Welcome! **Pitwall** knows everybody who drives here. Type \`/profile\` and start with a name, \`${driver}\` for one, or look a car up with \`/car\`, say \`${vin}\`.\n-# The ⚡ above breaks things on purpose: see what the bot says then.`,
    );
}

/**
 * Members use the bot as they would on any day. By somebody else than the page's first visitor where possible, whose
 * private replies would stand below the board. Resolves when the replies are there, or have failed: then the page shows that.
 */
export async function useBot(chat: ChatServer, dataService: DataService): Promise<void> {
  const [channel] = chat.channels;
  const live = chat.channels.find(({ name }) => name === 'live-servers');
  const [driver] = dataService.drivers;
  const [reader, ...members] = chat.people.map((person) => chat.visitor(person));
  // In the language of the page's first visitor.
  const alike = members.filter(({ locale }) => locale === reader?.locale);
  const offered = (channelId: string, command: string) =>
    [...alike, ...members].find((member) => member.commands(channelId).some(({ name }) => name === command));
  const asks: Promise<unknown>[] = [];
  if (live !== undefined) {
    const asked = offered(live.id, 'board')?.invoke(live.id, 'board create', []);
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
