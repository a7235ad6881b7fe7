import { Locale } from 'discord.js';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { ChatServer } from '../chat/chat-server.ts';
import type { Visitor } from '../chat/visitor/visitor.ts';
import type { DataService } from '../service/data-service.ts';
import { namesIn, viewOfChannels, viewOfCommands, viewOfMembers, viewOfMenu } from './chat-view.ts';
import { viewOfMessage } from './message-view.ts';
import { perform } from './perform.ts';
import { type FaultView, type HintView, type Push, Request, type Snapshot } from './protocol.ts';

interface Needs {
  readonly client: WebSocket;
  /** The page's visitor; by default the first person. */
  readonly as: string | null;
  /** The reader's language (BCP 47), in which the bot is asked; by default the visitor's own. */
  readonly language: string | null;
  readonly chat: ChatServer;
  readonly dataService: DataService;
  /** All open pages: the data service's faults are switched for everyone. */
  readonly others: ReadonlySet<WebSocket>;
  /** Somebody looks at the page, in that language. */
  readonly visited: (locale: Locale) => void;
}

/** One open page: shows what its visitor may see, and does what they ask. Ends with its socket. */
export function openSession({ client, as, language, chat, dataService, others, visited }: Needs): void {
  const me = chat.people.find((person) => person === as) ?? chat.people[0];
  if (me === undefined) throw new Error('nobody lives in this chat');
  const locale = z.enum(Locale).safeParse(language);
  const visitor = chat.visitor(me, locale.success ? { locale: locale.data } : {});
  const nameOf = namesIn(chat, visitor);
  const push = (message: Push): void => send(client, message);

  /** Others' private replies, and their conversations with the bot, are none of this page's. */
  const sees = (channelId: string, readerId: string | null): boolean =>
    (readerId === null || readerId === me) &&
    viewOfChannels(chat, visitor).some(({ id }) => id === channelId);

  const unsubscribe = chat.subscribe((event) => {
    if (event.type === 'message') {
      if (sees(event.message.channel_id, event.readerId))
        push({ type: 'message', message: viewOfMessage(event.message, nameOf, chat.channels) });
    } else if (event.type === 'message-delete') {
      push({ type: 'message-delete', channelId: event.channelId, messageId: event.messageId });
    } else if (event.type === 'commands') {
      push({ type: 'commands', ...commandsAndHints(visitor, chat, dataService) });
    } else if (event.type === 'channels') {
      push({ type: 'channels', channels: viewOfChannels(chat, visitor) });
    } else if (event.type === 'members') push({ type: 'members', members: viewOfMembers(chat) });
    else if (event.type === 'faults') push({ type: 'faults', faults: faultsOf(chat, dataService) });
    else if (event.type === 'payload') push({ type: 'requests', count: spent(dataService) });
  });
  client.on('close', unsubscribe);
  client.on('error', () => client.terminate());
  client.on('message', (data) => {
    const request = readRequest(String(data));
    if (request === null) {
      client.close(1007, 'not a request');
      return;
    }
    void perform(request.action, { visitor, chat, dataService }).then((answer) => {
      push({ type: 'answer', id: request.id, answer });
      // The data service's faults are switched for everyone; the chat server tells its own.
      if (request.action.type === 'fault')
        for (const other of others) send(other, { type: 'faults', faults: faultsOf(chat, dataService) });
    });
  });

  push({ type: 'snapshot', snapshot: snapshotFor(me, visitor, chat, dataService) });
  push({ type: 'requests', count: spent(dataService) });
  visited(visitor.locale);
}

function send(client: WebSocket, message: Push): void {
  if (client.readyState === WebSocket.OPEN) client.send(JSON.stringify(message));
}

/** Null for anything our page does not send. */
function readRequest(text: string): Request | null {
  try {
    return Request.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function snapshotFor(me: string, visitor: Visitor, chat: ChatServer, dataService: DataService): Snapshot {
  const nameOf = namesIn(chat, visitor);
  const members = viewOfMembers(chat);
  const channels = viewOfChannels(chat, visitor);
  const own = members.find(({ id }) => id === me);
  if (own === undefined) throw new Error('the visitor is no member');
  return {
    guild: chat.guildName,
    me: own,
    people: members.filter(({ app }) => !app),
    channels,
    members,
    messages: channels.flatMap(({ id }) =>
      visitor.messages(id).map((message) => viewOfMessage(message, nameOf, chat.channels)),
    ),
    faults: faultsOf(chat, dataService),
    ...commandsAndHints(visitor, chat, dataService),
    drivers: dataService.drivers,
  };
}

function faultsOf(chat: ChatServer, dataService: DataService): readonly FaultView[] {
  return [
    ...dataService.faults.map(({ name, on }) => ({ side: 'service' as const, name, on, once: false })),
    ...chat.faults.map((fault) => ({ side: 'chat' as const, ...fault })),
  ];
}

/** Hints use only published commands, with a driver who exists. */
function commandsAndHints(
  visitor: Visitor,
  chat: ChatServer,
  dataService: DataService,
): Pick<Snapshot, 'commands' | 'menu' | 'hints'> {
  const commands = viewOfCommands(visitor, chat);
  const nameOf = namesIn(chat, visitor);
  // The things to show to friends: a driver, a driver's month, the drivers online, the ranking, the best time.
  const hints = ['profile', 'recap', 'live', 'top', 'busy'].flatMap((name): readonly HintView[] => {
    const command = commands.guild.find((one) => one.name === nameOf('command', name));
    const [first] = command?.options ?? [];
    const isOfDriver = name === 'profile' || name === 'recap';
    const value = isOfDriver ? dataService.drivers[0] : first?.choices[0]?.name;
    if (command === undefined) return [];
    // Rankings and hours answer without an option.
    if (first?.required !== true && !isOfDriver) return [{ command: command.name, option: null, value: '' }];
    return first === undefined || value === undefined
      ? []
      : [{ command: command.name, option: first.name, value }];
  });
  return { commands, menu: viewOfMenu(visitor), hints };
}

/** Without the live files, which need no key. */
function spent(dataService: DataService): number {
  return dataService.requests.filter(({ path }) => !path.startsWith('/json/')).length;
}
