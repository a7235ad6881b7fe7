import type {
  ChatInputCommandInteraction,
  MessageComponentInteraction,
  UserContextMenuCommandInteraction,
} from 'discord.js';
import { MessageFlags } from 'discord.js';
import { pressed } from '../app/action.ts';
import { PRIVATE_OPTION } from '../app/command.ts';
import type { Context } from '../app/context.ts';
import type { Reply, Visibility } from '../app/reply.ts';
import { readCustomId } from '../cards/kit/custom-id.ts';
import { UserError } from '../errors.ts';
import type { Translator } from '../i18n/translator.ts';
import { invoked, readArgs } from './args.ts';
import type { Destination } from './deliver.ts';
import type { Commands, LoadedCommand } from './load.ts';
import { type Offer, offerNear } from './offer.ts';

/** What an interaction asks for, whatever kind it is of. */
export interface Asked {
  /** Name of the command; of one that we do not have, what stood there instead. */
  readonly command: string;
  /** For the log: more about it. */
  readonly detail?: Readonly<Record<string, string>>;
  readonly destination: Destination;
  /** Whether a newer record is wanted than the one on the screen. */
  readonly refresh: boolean;
  /** Whether the reader's unit of distance has to be known. */
  readonly showsDistances: boolean;
  /** Throws a UserError for what is not allowed or typed wrongly, before anything is spent. */
  run(context: Context): Promise<Reply>;
  /** What was nearly typed, once `run` has failed; null where nothing is known that is near. */
  offer?(): Offer | null;
}

export function readCommand(interaction: ChatInputCommandInteraction, commands: Commands): Asked {
  const { commandName: name, options } = interaction;
  const command = commands.get(name);
  const invocable = command && invoked(command, options.getSubcommand(false));
  let offer = (): Offer | null => null;
  return {
    command: name,
    destination: { to: visibilityOf(command, interaction), interaction },
    refresh: false,
    showsDistances: command?.showsDistances ?? false,
    async run(context) {
      if (command === undefined || invocable === undefined) throw new UserError(context.t('chat.oldCommand'));
      admit(command, context);
      const args = readArgs(invocable.options, options, context.t);
      offer = () => offerNear(name, invocable, args, context);
      return invocable.run(args, context);
    },
    offer: () => offer(),
  };
}

export function readPress(interaction: MessageComponentInteraction, commands: Commands): Asked {
  const id = readCustomId(interaction.customId);
  const command = id === null ? undefined : commands.get(id.command);
  const values = interaction.isAnySelectMenu() ? interaction.values : [];
  const run = id === null || command?.actions === undefined ? null : pressed(command.actions, id, values);
  return {
    command: id?.command ?? interaction.customId,
    ...(id === null ? {} : { detail: { action: id.action } }),
    destination: isOwn(interaction) ? { to: 'in-place', interaction } : { to: 'private', interaction },
    refresh: id?.refresh ?? false,
    showsDistances: command?.showsDistances ?? false,
    async run(context) {
      if (run === null || command === undefined) throw new UserError(context.t('chat.oldButton'));
      admit(command, context);
      return run(context);
    },
  };
}

/** The entries of the menu on a person, by the English name under which Discord sends them. */
export type UserMenus = ReadonlyMap<string, { readonly name: string; readonly command: LoadedCommand }>;

export function userMenusOf(commands: Commands, english: Translator): UserMenus {
  return new Map(
    [...commands].flatMap(([name, command]) =>
      command.userMenu === undefined ? [] : [[english(command.userMenu.name), { name, command }]],
    ),
  );
}

export function readUserMenu(interaction: UserContextMenuCommandInteraction, menus: UserMenus): Asked {
  const { name, command } = menus.get(interaction.commandName) ?? {};
  return {
    command: name ?? interaction.commandName,
    destination: { to: 'private', interaction },
    refresh: false,
    showsDistances: command?.showsDistances ?? false,
    async run(context) {
      if (command?.userMenu === undefined) throw new UserError(context.t('chat.oldCommand'));
      admit(command, context);
      return command.userMenu.run(interaction.targetId, context);
    },
  };
}

/**
 * Discord hides what somebody may not use, but a guild may have changed what is hidden from whom, and a button stays on
 * the screen for everyone.
 */
function admit({ permission, guildOnly }: LoadedCommand, { person, t }: Context): void {
  if (guildOnly && person.guildId === null) throw new UserError(t('chat.guildOnly'));
  if (permission === 'manage-guild' && !person.mayManage) throw new UserError(t('chat.notAllowed'));
}

/** Who will read the answer. A command that we do not have is nobody else's business. */
function visibilityOf(
  command: LoadedCommand | undefined,
  { options }: ChatInputCommandInteraction,
): Visibility {
  if (command === undefined) return 'private';
  if (command.visibility !== 'choice') return command.visibility;
  return options.getBoolean(PRIVATE_OPTION) === true ? 'private' : 'public';
}

/** Whether the message answers this very person: theirs to change. Another one's stays as it is. */
function isOwn({ message, user }: MessageComponentInteraction): boolean {
  return message.flags.has(MessageFlags.Ephemeral) || message.interactionMetadata?.user.id === user.id;
}
