import { pressed } from '../../app/action.ts';
import { type AnyCommand, PRIVATE_OPTION } from '../../app/command.ts';
import { type Context, hasPermission } from '../../app/context.ts';
import { FORM_ACTION, readValues, valuesFromSubject } from '../../app/form.ts';
import type { Reply, Visibility } from '../../app/reply.ts';
import { UserError } from '../../base/errors.ts';
import { readCustomId } from '../../cards/kit/custom-id.ts';
import type { Translator } from '../../i18n/translator.ts';
import { fieldsIn, type Interaction, isPrivate } from '../interaction.ts';
import type { Commands } from '../publish/load.ts';
import { formOf, invoked, readArgs, refuseForeign, type Typed, typedIn } from './args.ts';
import type { Destination } from './deliver.ts';
import { againButton } from './form-window.ts';
import { type Offer, offerNear } from './offer.ts';
import type { Result } from './outcome.ts';

/** In place of a name that no command has: an old message or another program may name anything. */
export const UNKNOWN = 'unknown';

/** The request behind an interaction of any kind. */
export interface Asked {
  /** The command's name, or {@link UNKNOWN}. */
  readonly command: string;
  /** Further fields for the log. */
  readonly detail?: Readonly<Record<string, string>>;
  readonly destination: Destination;
  /** Whether a newer record than the one shown is wanted. */
  readonly refresh: boolean;
  /** Whether the viewer's unit of distance is needed. */
  readonly showsDistances: boolean;
  /** Whether a private answer may be shown to the whole channel: it shows what anyone may ask for. */
  readonly isForAnyone: boolean;
  /** Throws a UserError for anything not allowed or invalid, before anything is spent. */
  run(context: Context): Promise<Reply>;
  /** Similar names, once `run` has failed; null where none are known. */
  offer?(): Offer | null;
  /** To be called with how it ended. */
  settled?(result: Result): void;
  /** What to try again with after any failure; null where there is nothing. */
  again?(t: Translator): Offer['row'] | null;
}

/** What follows from the command alone, however it is asked for; undefined: no command of ours. */
export function traitsOf(
  command: Pick<AnyCommand, 'showsDistances' | 'visibility'> | undefined,
): Pick<Asked, 'refresh' | 'showsDistances' | 'isForAnyone'> {
  return {
    refresh: false,
    showsDistances: command?.showsDistances ?? false,
    isForAnyone: command?.visibility === 'choice',
  };
}

export function readCommand(interaction: Interaction<'command'>, commands: Commands): Asked {
  const { name } = interaction.raw.data;
  const typed = typedIn(interaction.raw.data);
  const command = commands.get(name);
  const invocable = command && invoked(command, typed.subcommand);
  let offer = (): Offer | null => null;
  return {
    command: command === undefined ? UNKNOWN : name,
    destination: { to: visibilityOf(command, typed), interaction },
    ...traitsOf(command),
    async run(context) {
      if (command !== undefined) admit(command, context);
      if (invocable === undefined) throw new UserError(context.t('discord.oldCommand'));
      admit(invocable, context);
      const args = readArgs(invocable.options, typed, { guild: interaction.guild, t: context.t });
      offer = () => offerNear(name, invocable, args, context);
      return invocable.run(args, context);
    },
    offer: () => offer(),
  };
}

export function readPress(interaction: Interaction<'press'>, commands: Commands): Asked {
  const { data } = interaction.raw;
  const id = readCustomId(data.custom_id);
  const command = id === null ? undefined : commands.get(id.command);
  const values = 'values' in data ? data.values : [];
  const run = id === null || command?.actions === undefined ? null : pressed(command.actions, id, values);
  return {
    command: id === null || run === null ? UNKNOWN : id.command,
    ...(id === null || run === null ? {} : { detail: { action: id.action } }),
    destination: overMessage(interaction),
    ...traitsOf(command),
    refresh: id?.refresh ?? false,
    async run(context) {
      if (command !== undefined) admit(command, context);
      if (run === null) throw new UserError(context.t('discord.oldButton'));
      return run(context);
    },
  };
}

/** A form that was filled in. */
export function readSubmitted(interaction: Interaction<'submission'>, commands: Commands): Asked {
  const id = readCustomId(interaction.raw.data.custom_id);
  const {
    name = UNKNOWN,
    command,
    form,
  } = (id?.action === FORM_ACTION ? formOf(commands, id.command) : null) ?? {};
  const given = fieldsIn(interaction).map((field) => {
    const text = 'value' in field && typeof field.value === 'string' ? field.value.replaceAll(',', ' ') : '';
    return [field.custom_id, 'values' in field ? field.values.join(' ') : text] as const;
  });
  const begun = form === undefined ? {} : valuesFromSubject(form, id?.subject ?? '');
  const values = form === undefined ? null : readValues(form, Object.fromEntries(given), begun);
  return {
    command: name,
    detail: { action: FORM_ACTION },
    destination: { to: 'private', interaction },
    ...traitsOf(command),
    async run(context) {
      // First: whoever may not use it any more reads that, whatever has become of the form.
      if (command !== undefined) admit(command, context);
      if (form !== undefined) admit(form, context);
      if (form === undefined || values === null) throw new UserError(context.t('discord.oldCommand'));
      for (const [field, { kind }] of Object.entries(form.fields))
        refuseForeign(kind, values[field] ?? '', { guild: interaction.guild, t: context.t });
      return form.submit(values, context, begun);
    },
    again: (t) =>
      id === null || form === undefined || values === null ? null : againButton(id.command, form, values, t),
  };
}

/** Entries of people's context menus, by their English name, which Discord sends. */
type UserMenus = ReadonlyMap<string, { readonly name: string; readonly command: AnyCommand }>;

export function userMenusOf(commands: Commands, english: Translator): UserMenus {
  return new Map(
    [...commands].flatMap(([name, command]) =>
      command.userMenu === undefined ? [] : [[english(command.userMenu.name), { name, command }]],
    ),
  );
}

export function readUserMenu(interaction: Interaction<'user-menu'>, menus: UserMenus): Asked {
  const { data } = interaction.raw;
  const { name, command } = menus.get(data.name) ?? {};
  return {
    command: name ?? UNKNOWN,
    destination: { to: 'private', interaction },
    ...traitsOf(command),
    async run(context) {
      if (command?.userMenu === undefined) throw new UserError(context.t('discord.oldCommand'));
      admit(command, context);
      return command.userMenu.run(data.target_id, context);
    },
  };
}

/**
 * Discord hides commands that a person may not use, but a guild can override that, and a button is visible to
 * everyone.
 */
export function admit(
  { permission, guildOnly }: Pick<AnyCommand, 'permission' | 'guildOnly'>,
  { person, t }: Context,
): void {
  if (guildOnly && person.guildId === null) throw new UserError(t('discord.guildOnly'));
  if (permission !== undefined && !hasPermission(person, permission))
    throw new UserError(t(permission === 'manage-roles' ? 'discord.notAllowedRoles' : 'discord.notAllowed'));
}

/** Who sees the reply. For an unknown command, only the person. */
function visibilityOf(command: AnyCommand | undefined, { options }: Typed): Visibility {
  if (command === undefined) return 'private';
  if (command.visibility !== 'choice') return command.visibility;
  // Of another kind, it is from another version's form: the command says so.
  return options.get(PRIVATE_OPTION)?.value === true ? 'private' : 'public';
}

/** Into the message where it was asked, if that is a reply to this person: nobody else may change it. */
function overMessage(interaction: Interaction<'press'>): Destination {
  const {
    userId,
    raw: { message },
  } = interaction;
  const isOwn =
    message !== undefined && (isPrivate(message) || message.interaction_metadata?.user.id === userId);
  return { to: isOwn ? 'in-place' : 'private', interaction };
}
