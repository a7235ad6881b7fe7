import type { APIModalSubmission } from 'discord.js';
import { z } from 'zod';
import { type Clock, resolveWithin } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { type CustomId, readCustomId } from '../../cards/kit/custom-id.ts';
import { findPressedAction } from '../../command-kit/action.ts';
import { type AnyCommand, PRIVATE_OPTION } from '../../command-kit/command.ts';
import { type Context, hasPermission, requireRights } from '../../command-kit/context.ts';
import {
  FORM_ACTION,
  type Form,
  readValues,
  type Values,
  valuesFromSubject,
  valuesInSubject,
} from '../../command-kit/form.ts';
import { findChoice } from '../../command-kit/option.ts';
import type { Visibility } from '../../command-kit/reply.ts';
import type { Translator } from '../../i18n/translator.ts';
import { TEXT_CHANNELS } from '../gateway/guilds.ts';
import { type Interaction, isPrivate } from '../interaction.ts';
import type { Commands } from '../publish/load.ts';
import {
  findForm,
  findInvoked,
  type OwnedForm,
  readArgs,
  refuseForeign,
  type TypedOptions,
  typedIn,
} from './args.ts';
import { formWindow, openButton } from './form-window.ts';
import { offerNear, type SuggestionOffer } from './offer.ts';
import { type Destination, type ReplyRequest, UNKNOWN, type WindowRequest } from './request.ts';
import { createShareReader } from './share.ts';

/** Reads an interaction by its kind and its custom id; null for a kind that the bot has registered nothing of. */
export function createReader(parts: {
  readonly commands: Commands;
  /** Discord sends menu entries by their English names. */
  readonly english: Translator;
  readonly clock: Pick<Clock, 'monotonic'>;
}) {
  const { commands } = parts;
  const menus = userMenusOf(commands, parts.english);
  const readShare = createShareReader(parts);
  return (interaction: Interaction) => {
    switch (interaction.kind) {
      case 'completion':
        return { kind: 'suggestions', interaction } as const;
      case 'command':
        return readCommand(interaction, commands);
      case 'user-menu':
        return readUserMenu(interaction, menus);
      case 'press': {
        const id = readCustomId(interaction.raw.data.custom_id);
        if (id?.share) return readShare(interaction, id);
        const opening = id === null ? null : reopenedBy(interaction, id, commands);
        return opening ?? readPress(interaction, id, commands);
      }
      case 'submission':
        return readSubmitted(interaction, commands);
      case 'other':
        return null;
    }
  };
}

function readCommand(interaction: Interaction<'command'>, commands: Commands): ReplyRequest | WindowRequest {
  const { name } = interaction.raw.data;
  const typedOptions = typedIn(interaction.raw.data);
  const commandText = typedOptions.subcommand === null ? name : `${name} ${typedOptions.subcommand}`;
  const owned = findForm(commands, commandText);
  const opening = owned === null ? null : openedBy(interaction, commandText, owned, typedOptions);
  if (opening !== null) return opening;
  const command = commands.get(name);
  const invocable = command && findInvoked(command, typedOptions.subcommand);
  let offer = (): SuggestionOffer | null => null;
  return {
    kind: 'reply',
    name: command === undefined ? UNKNOWN : name,
    command,
    destination: { to: visibilityOf(command, typedOptions), interaction },
    async run(context) {
      if (command !== undefined) requireRights(command, context);
      if (invocable === undefined) throw new UserError(context.t('discord.oldCommand'));
      requireRights(invocable, context);
      const args = readArgs(invocable.options, typedOptions, {
        guild: interaction.guild,
        ...{ t: context.t, clientT: context.bot.translatorFor(context.person.locale) },
        recentNames: context.recentNames,
      });
      offer = () => offerNear(name, invocable, args, context);
      return invocable.run(args, context);
    },
    offer: () => offer(),
  };
}

/** `id`: null for one that no card has written. */
function readPress(interaction: Interaction<'press'>, id: CustomId | null, commands: Commands): ReplyRequest {
  const { data } = interaction.raw;
  const command = id === null ? undefined : commands.get(id.command);
  const values = 'values' in data ? data.values : [];
  const run =
    id === null || command?.actions === undefined ? null : findPressedAction(command.actions, id, values);
  return {
    kind: 'reply',
    command,
    ...(id === null || run === null
      ? { name: UNKNOWN }
      : { name: id.command, detail: { action: id.action } }),
    destination: overMessage(interaction),
    refresh: id?.refresh ?? false,
    async run(context) {
      if (command !== undefined) requireRights(command, context);
      if (run === null) throw new UserError(context.t('discord.oldButton'));
      return run(context);
    },
  };
}

const Field = z.object({
  custom_id: z.string(),
  value: z.string().optional().catch(undefined),
  values: z.array(z.string()).optional().catch(undefined),
});
const WindowRow = z.object({
  component: Field.nullable().catch(null),
  components: z.array(Field.nullable().catch(null)).catch([]),
});

/** The fields of a form, without what cannot be read: a form that lacks one is answered all the same. */
function fieldsOf({ components }: APIModalSubmission): readonly z.output<typeof Field>[] {
  const rows = z.array(WindowRow.nullable().catch(null)).catch([]).parse(components);
  return rows
    .flatMap((row) => [row?.component ?? null, ...(row?.components ?? [])])
    .filter((field) => field !== null);
}

/** A form that was filled in. */
function readSubmitted(interaction: Interaction<'submission'>, commands: Commands): ReplyRequest {
  const id = readCustomId(interaction.raw.data.custom_id);
  const {
    name = UNKNOWN,
    command,
    form,
  } = (id?.action === FORM_ACTION ? findForm(commands, id.command) : null) ?? {};
  const fields = fieldsOf(interaction.raw.data).map(
    ({ custom_id, value = '', values }) => [custom_id, values?.join(' ') ?? value] as const,
  );
  const initialValues = form === undefined ? {} : valuesFromSubject(form, id?.subject ?? '');
  const values = form === undefined ? null : readValues(form, Object.fromEntries(fields), initialValues);
  return {
    ...{ kind: 'reply', name, command },
    detail: { action: FORM_ACTION },
    destination: form?.replacesMessage ? overMessage(interaction) : { to: 'private', interaction },
    async run(context) {
      // First: whoever may not use it any more reads that, whatever has become of the form.
      if (command !== undefined) requireRights(command, context);
      if (form !== undefined) requireRights(form, context);
      if (form === undefined || values === null) throw new UserError(context.t('discord.oldCommand'));
      for (const [field, { kind }] of Object.entries(form.fields))
        refuseForeign(kind, values[field] ?? '', { guild: interaction.guild, t: context.t });
      return form.submit(values, context, initialValues);
    },
    again: (t) =>
      id === null || form === undefined || values === null
        ? null
        : openButton(id.command, valuesInSubject(form, values), t('setup.again')),
  };
}

/** Entries of people's context menus, by their English name, which Discord sends. */
function userMenusOf(
  commands: Commands,
  english: Translator,
): ReadonlyMap<string, { readonly name: string; readonly command: AnyCommand }> {
  return new Map(
    [...commands].flatMap(([name, command]) =>
      command.userMenu === undefined ? [] : [[english(command.userMenu.name), { name, command }]],
    ),
  );
}

function readUserMenu(
  interaction: Interaction<'user-menu'>,
  menus: ReturnType<typeof userMenusOf>,
): ReplyRequest {
  const { data } = interaction.raw;
  const { name, command } = menus.get(data.name) ?? {};
  return {
    kind: 'reply',
    name: name ?? UNKNOWN,
    command,
    destination: { to: 'private', interaction },
    async run(context) {
      if (command?.userMenu === undefined) throw new UserError(context.t('discord.oldCommand'));
      requireRights(command, context);
      return command.userMenu.run(data.target_id, context);
    },
  };
}

/** For an unknown command, only the person. */
function visibilityOf(command: AnyCommand | undefined, { options }: TypedOptions): Visibility {
  if (command === undefined) return 'private';
  if (command.visibility === 'shareable') return 'private';
  if (command.visibility !== 'choice') return command.visibility;
  // An option of another type comes from another version's form; the command reports it.
  return options.get(PRIVATE_OPTION)?.value === true ? 'private' : 'public';
}

/** Into the message where it was asked, if that is a reply to this person: nobody else may change it. */
function overMessage(interaction: Interaction<'press' | 'submission'>): Destination {
  const {
    person,
    raw: { message },
  } = interaction;
  const isOwn =
    message !== undefined && (isPrivate(message) || message.interaction_metadata?.user.id === person.id);
  return { to: isOwn ? 'in-place' : 'private', interaction };
}

/** Opens the form of a command that lacks what its answer needs, or says only what its form is about; null for any other. `commandText`: as in custom ids. */
function openedBy(
  interaction: Interaction<'command'>,
  commandText: string,
  owned: OwnedForm,
  { subcommand, options: sentOptions }: TypedOptions,
): WindowRequest | null {
  const { subjectOptions = [], needs = [], permission } = owned.form;
  const optionValues = [...sentOptions.values()];
  const isIncomplete = needs.some((name) => !sentOptions.has(name));
  if (!isIncomplete && !optionValues.every(({ name }) => subjectOptions.includes(name))) return null;
  // Anyone else gets the command's own answer, which there is for everyone.
  if (permission !== undefined && !hasPermission(interaction.person, permission)) return null;
  const options = findInvoked(owned.command, subcommand)?.options ?? {};
  const givenFor = ({ t, bot, person }: Context): Given =>
    Object.fromEntries(
      optionValues.map(({ name, value }) => {
        const option = options[name];
        const languages = [bot.translatorFor(person.locale), t];
        const choice =
          option?.kind === 'choice' ? findChoice(option.choices, String(value), languages) : null;
        return [name, choice ?? String(value)];
      }),
    );
  return openingOf({ called: commandText, givenFor, interaction }, owned);
}

/** A button that opens a form with what was filled in before; null for another one. */
function reopenedBy(
  interaction: Interaction<'press'>,
  { action, command: called, subject }: CustomId,
  commands: Commands,
): WindowRequest | null {
  const owned = action === FORM_ACTION ? findForm(commands, called) : null;
  if (owned === null) return null;
  const chosenValue = 'values' in interaction.raw.data ? interaction.raw.data.values[0] : undefined;
  const [about] = owned.form.subjectOptions ?? [];
  const isMenu = chosenValue !== undefined && about !== undefined;
  const text = isMenu ? valuesInSubject(owned.form, { [about]: chosenValue }) : subject;
  const givenValues = valuesFromSubject(owned.form, text);
  // A choice fills in nothing: the form begins as it does for that option.
  const values = isMenu ? {} : givenValues;
  return openingOf({ called, givenFor: () => givenValues, values, interaction }, owned);
}

/** Options that a form is opened for. */
type Given = Parameters<Form['begin']>[1];

/** How long the values to begin with may take, in ms. */
const INITIAL_VALUES_TIMEOUT_MS = 1000;

/** `values`: what the person had filled in before. */
function openingOf(
  {
    called: commandText,
    givenFor,
    values = {},
    interaction,
  }: {
    readonly called: string;
    readonly interaction: WindowRequest['interaction'];
    /** For the person who has sent them. */
    readonly givenFor: (context: Context) => Given;
    readonly values?: Partial<Values>;
  },
  { name, command, form }: OwnedForm,
): WindowRequest {
  return {
    kind: 'window',
    name,
    interaction,
    async window(context, clock) {
      requireRights(command, context);
      requireRights(form, context);
      const givenOptions = givenFor(context);
      const reply = (await form.choose?.(context, givenOptions)) ?? null;
      if (reply !== null) return { reply };
      const initialValues =
        (await resolveWithin(form.begin(context, givenOptions), INITIAL_VALUES_TIMEOUT_MS, clock)) ?? {};
      const offers = (channelId: string): boolean => isOffered(interaction, channelId);
      const nameOf = (channelId: string) => channelName(interaction, channelId);
      return formWindow(
        commandText,
        form,
        { initialValues, values: { ...initialValues, ...values }, offers, nameOf },
        context.t,
      );
    },
  };
}

/** Name of the given channel, which is the one of the request or an option's. */
function channelName(
  { raw: { channel, data } }: WindowRequest['interaction'],
  channelId: string,
): string | null {
  const channels = 'resolved' in data ? data.resolved : undefined;
  const channelFacts =
    channels !== undefined && 'channels' in channels ? channels.channels?.[channelId] : undefined;
  return (
    channelFacts?.name ?? (channel.id === channelId && 'name' in channel ? (channel.name ?? null) : null)
  );
}

/** A menu of channels offers it: no voice channel, no thread, and none that is gone. */
function isOffered({ guild }: Interaction, channelId: string): boolean {
  const type = guild?.channels.get(channelId)?.type;
  return TEXT_CHANNELS.some((each) => each === type);
}
