import {
  type APIApplicationCommand,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ChannelType,
  type Locale,
  type LocalizationMap,
  PermissionFlagsBits,
  PresenceUpdateStatus,
} from 'discord.js';
import type { ChatServer } from '../chat/chat-server.ts';
import type { Visitor } from '../chat/visitor/visitor.ts';
import type { ChatGuild } from '../service/world/chat.ts';
import type { NameOf } from './markdown.ts';
import type {
  ChannelView,
  ChoiceView,
  CommandView,
  MemberView,
  OfferedCommands,
  OptionView,
} from './protocol.ts';

/** The names as the visitor sees them. */
export function namesIn(chat: ChatServer, visitor: Visitor): NameOf {
  return (kind, id) => {
    if (kind === 'command-id') return visitor.commands().find((command) => command.id === id)?.name ?? null;
    if (kind === 'command') return pathIn(visitor, id);
    if (kind === 'channel') return chat.channels.find((channel) => channel.id === id)?.name ?? null;
    if (kind === 'role') return chat.roles.find((role) => role.id === id)?.name ?? null;
    return viewOfMembers(chat).find((member) => member.id === id)?.name ?? null;
  };
}

/** A menu's entry, or a command with its subcommands, in the visitor's language; null if not offered. */
function pathIn(visitor: Visitor, path: string): string | null {
  const entry = visitor
    .commands()
    .find(({ type, name }) => type !== ApplicationCommandType.ChatInput && name === path);
  if (entry !== undefined) return nameIn(entry, visitor.locale);
  const [first, ...rest] = path.split(' ');
  const command = visitor.commands().find(({ name }) => name === first);
  if (command === undefined) return null;
  const names = [nameIn(command, visitor.locale)];
  let { options = [] } = command;
  for (const step of rest) {
    const option = options.find(({ name }) => name === step);
    if (option === undefined) return null;
    names.push(nameIn(option, visitor.locale));
    options = 'options' in option ? (option.options ?? []) : [];
  }
  return names.join(' ');
}

type Described = Pick<APIApplicationCommand, 'description' | 'description_localizations'>;

interface Localised {
  readonly name: string;
  readonly name_localizations?: LocalizationMap | null;
}

function nameIn({ name, name_localizations }: Localised, locale: Locale): string {
  return name_localizations?.[locale] ?? name;
}

function descriptionIn({ description, description_localizations }: Described, locale: Locale): string {
  return description_localizations?.[locale] ?? description;
}

export function viewOfMembers(chat: ChatServer): readonly MemberView[] {
  const activity = chat.presence?.activities?.[0];
  return chat.members.map(({ user, nick, status }) => {
    const app = user.bot ?? false;
    const said = activity?.state ?? activity?.name ?? null;
    return {
      id: user.id,
      name: nick ?? user.global_name ?? user.username,
      app,
      status: app && chat.presence !== null ? (chat.presence.status ?? status) : status,
      activity: app ? said : null,
    };
  });
}

/** As the data service tells of it: the same people as on the page. */
export function widgetOf(chat: ChatServer): ChatGuild {
  const channels = viewOfGuildChannels(chat).filter(({ type }) => type === 'voice');
  const members = viewOfMembers(chat).filter(({ status }) => status !== PresenceUpdateStatus.Offline);
  return {
    name: chat.guildName,
    channels: channels.map(({ name }, position) => ({ position, name })),
    members: members.map(({ name: username, status }) => ({ username, status })),
  };
}

/** The visitor's conversation with the bot, then the server's channels in their order. */
export function viewOfChannels(chat: ChatServer, visitor: Visitor): readonly ChannelView[] {
  const name = viewOfMembers(chat).find(({ app }) => app)?.name ?? '';
  return [{ type: 'direct', id: chat.directChannel(visitor.id), name }, ...viewOfGuildChannels(chat)];
}

/** Text and voice channels. */
function viewOfGuildChannels({ channels }: ChatServer): readonly Exclude<ChannelView, { type: 'direct' }>[] {
  return channels.flatMap((channel): ReturnType<typeof viewOfGuildChannels>[number][] => {
    const { id } = channel;
    if (channel.type === ChannelType.GuildText) {
      const everyone = channel.permission_overwrites?.find((each) => each.id === channel.guild_id);
      const quiet = (BigInt(everyone?.deny ?? 0) & PermissionFlagsBits.SendMessages) !== 0n;
      return [{ type: 'text', id, name: channel.name, topic: channel.topic ?? null, quiet }];
    }
    if (channel.type === ChannelType.GuildVoice) return [{ type: 'voice', id, name: channel.name }];
    return [];
  });
}

/** Slash commands in the visitor's language, one entry per subcommand. */
export function viewOfCommands(visitor: Visitor, chat: ChatServer): OfferedCommands {
  const [inGuild] = chat.channels;
  return {
    guild: viewOfCommandsIn(inGuild?.id, visitor, chat),
    direct: viewOfCommandsIn(chat.directChannel(visitor.id), visitor, chat),
  };
}

function viewOfCommandsIn(
  channelId: string | undefined,
  visitor: Visitor,
  chat: ChatServer,
): readonly CommandView[] {
  return visitor
    .commands(channelId)
    .filter(({ type }) => type === ApplicationCommandType.ChatInput)
    .flatMap((command) => leaves(TOP, command, command.options ?? [], { chat, locale: visitor.locale }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** The bot's entries in a person's context menu. */
export function viewOfMenu(visitor: Visitor): readonly string[] {
  return visitor
    .commands()
    .filter(({ type }) => type === ApplicationCommandType.User)
    .map((command) => nameIn(command, visitor.locale));
}

interface Reader {
  readonly chat: ChatServer;
  readonly locale: Locale;
}

type Called = Pick<CommandView, 'name' | 'untranslated'>;

const TOP: Called = { name: '', untranslated: '' };

function leaves(
  above: Called,
  command: APIApplicationCommand | APIApplicationCommandOption,
  options: readonly APIApplicationCommandOption[],
  reader: Reader,
): readonly CommandView[] {
  const called: Called = {
    name: `${above.name} ${nameIn(command, reader.locale)}`.trim(),
    untranslated: `${above.untranslated} ${command.name}`.trim(),
  };
  const below: CommandView[] = [];
  const own: OptionView[] = [];
  for (const option of options)
    if (
      option.type === ApplicationCommandOptionType.Subcommand ||
      option.type === ApplicationCommandOptionType.SubcommandGroup
    )
      below.push(...leaves(called, option, option.options ?? [], reader));
    else own.push(viewOfOption(option, reader));
  if (below.length > 0) return below;
  return [{ ...called, description: descriptionIn(command, reader.locale), options: own }];
}

const kinds: Partial<Record<ApplicationCommandOptionType, OptionView['kind']>> = {
  [ApplicationCommandOptionType.String]: 'text',
  [ApplicationCommandOptionType.Integer]: 'integer',
  [ApplicationCommandOptionType.Number]: 'number',
  [ApplicationCommandOptionType.Boolean]: 'boolean',
  [ApplicationCommandOptionType.User]: 'user',
  [ApplicationCommandOptionType.Channel]: 'channel',
  [ApplicationCommandOptionType.Role]: 'role',
};

function viewOfOption(option: APIApplicationCommandBasicOption, { chat, locale }: Reader): OptionView {
  const kind = kinds[option.type] ?? 'other';
  return {
    name: nameIn(option, locale),
    untranslated: option.name,
    description: descriptionIn(option, locale),
    kind,
    required: option.required ?? false,
    suggested: 'autocomplete' in option && option.autocomplete === true,
    choices: [
      ...choicesOf(option, chat),
      ...('choices' in option ? (option.choices ?? []) : []).map((choice) => ({
        name: nameIn(choice, locale),
        value: choice.value,
      })),
    ],
  };
}

function choicesOf(option: APIApplicationCommandBasicOption, chat: ChatServer): readonly ChoiceView[] {
  if (option.type === ApplicationCommandOptionType.User)
    return viewOfMembers(chat).map(({ id, name }) => ({ name, value: id }));
  if (option.type === ApplicationCommandOptionType.Role)
    return chat.roles.map(({ id, name }) => ({ name: `@${name}`, value: id }));
  if (option.type !== ApplicationCommandOptionType.Channel) return [];
  const types = new Set<ChannelType>(option.channel_types ?? []);
  return viewOfGuildChannels(chat).flatMap(({ id, name, type }) => {
    const isVoice = type === 'voice';
    const fits = types.size === 0 || types.has(isVoice ? ChannelType.GuildVoice : ChannelType.GuildText);
    return fits ? [{ name: isVoice ? name : `#${name}`, value: id }] : [];
  });
}
