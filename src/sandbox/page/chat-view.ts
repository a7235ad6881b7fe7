import {
  type APIApplicationCommand,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
} from 'discord-api-types/v10';
import type { ChatServer } from '../chat/chat-server.ts';
import type { NameOf } from './markdown.ts';
import type { ChoiceView, CommandView, MemberView, OptionView } from './protocol.ts';

export function namesIn(chat: ChatServer): NameOf {
  return (kind, id) => {
    if (kind === 'channel') return chat.channels.find((channel) => channel.id === id)?.name ?? null;
    if (kind === 'role') return null;
    return viewOfMembers(chat).find((member) => member.id === id)?.name ?? null;
  };
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

/** Slash commands, each subcommand as one of its own. */
export function viewOfCommands(
  commands: readonly APIApplicationCommand[],
  chat: ChatServer,
): readonly CommandView[] {
  return commands
    .filter(({ type }) => type === ApplicationCommandType.ChatInput)
    .flatMap(({ name, description, options = [] }) => leaves(name, description, options, chat))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** What the bot has put into the menu on a person. */
export function viewOfMenu(commands: readonly APIApplicationCommand[]): readonly string[] {
  return commands.filter(({ type }) => type === ApplicationCommandType.User).map(({ name }) => name);
}

function leaves(
  name: string,
  description: string,
  options: readonly APIApplicationCommandOption[],
  chat: ChatServer,
): readonly CommandView[] {
  const below = options.flatMap((option) =>
    option.type === ApplicationCommandOptionType.Subcommand ||
    option.type === ApplicationCommandOptionType.SubcommandGroup
      ? leaves(`${name} ${option.name}`, option.description, option.options ?? [], chat)
      : [],
  );
  if (below.length > 0) return below;
  const own = options.flatMap((option) =>
    option.type === ApplicationCommandOptionType.Subcommand ||
    option.type === ApplicationCommandOptionType.SubcommandGroup
      ? []
      : [viewOfOption(option, chat)],
  );
  return [{ name, description, options: own }];
}

const kinds: Partial<Record<ApplicationCommandOptionType, OptionView['kind']>> = {
  [ApplicationCommandOptionType.String]: 'text',
  [ApplicationCommandOptionType.Integer]: 'integer',
  [ApplicationCommandOptionType.Number]: 'number',
  [ApplicationCommandOptionType.Boolean]: 'boolean',
  [ApplicationCommandOptionType.User]: 'user',
  [ApplicationCommandOptionType.Channel]: 'channel',
};

function viewOfOption(option: APIApplicationCommandBasicOption, chat: ChatServer): OptionView {
  const kind = kinds[option.type] ?? 'other';
  return {
    name: option.name,
    description: option.description,
    kind,
    required: option.required ?? false,
    suggested: 'autocomplete' in option && option.autocomplete === true,
    choices: [...choicesOf(kind, chat), ...('choices' in option ? (option.choices ?? []) : [])].map(
      ({ name, value }) => ({ name, value }),
    ),
  };
}

function choicesOf(kind: OptionView['kind'], chat: ChatServer): readonly ChoiceView[] {
  if (kind === 'boolean')
    return [
      { name: 'True', value: true },
      { name: 'False', value: false },
    ];
  if (kind === 'channel') return chat.channels.map(({ id, name }) => ({ name: `#${name ?? id}`, value: id }));
  if (kind === 'user') return viewOfMembers(chat).map(({ id, name }) => ({ name, value: id }));
  return [];
}
