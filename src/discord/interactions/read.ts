import {
  type ChatInputCommandInteraction,
  ComponentType,
  type Interaction,
  type MessageComponentInteraction,
  type ModalSubmitInteraction,
  type UserContextMenuCommandInteraction,
} from 'discord.js';
import { z } from 'zod';
import { type Clock, resolveWithin } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { TEXT_CHANNELS } from '../../cards/kit/card.ts';
import { type CustomId, fitsCustomId, readCustomId } from '../../cards/kit/custom-id.ts';
import { findPressedAction } from '../../command-kit/action.ts';
import { type AnyCommand, PRIVATE_OPTION } from '../../command-kit/command.ts';
import { type Context, hasPermission, requireRights } from '../../command-kit/context.ts';
import {
  FORM_ACTION,
  type Form,
  isComplete,
  readValues,
  type Values,
  valuesFromSubject,
  valuesInSubject,
} from '../../command-kit/form.ts';
import { findChoice, type SuggestionContext } from '../../command-kit/option.ts';
import type { Visibility } from '../../command-kit/reply.ts';
import type { Translator } from '../../i18n/translator.ts';
import { guildOf } from '../gateway/guild.ts';
import { isPrivate, personOf } from '../interaction.ts';
import type { Commands } from '../publish/load.ts';
import {
  findForm,
  findInvoked,
  isForeign,
  listOptions,
  type OwnedForm,
  readArgs,
  refuseForeign,
  type TypedOptions,
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
    if (interaction.isAutocomplete()) return { kind: 'suggestions', interaction } as const;
    if (interaction.isChatInputCommand()) return readCommand(interaction, commands);
    if (interaction.isUserContextMenuCommand()) return readUserMenu(interaction, menus);
    if (interaction.isModalSubmit()) return readSubmitted(interaction, commands);
    if (!interaction.isMessageComponent()) return null;
    const id = readCustomId(interaction.customId);
    if (id?.share) return readShare(interaction, id);
    const opening = id === null ? null : reopenedBy(interaction, id, commands);
    return opening ?? readPress(interaction, id, commands);
  };
}

function readCommand(
  interaction: ChatInputCommandInteraction,
  commands: Commands,
): ReplyRequest | WindowRequest {
  const { commandName: name, options } = interaction;
  const subcommand = options.getSubcommand(false);
  const commandText = subcommand === null ? name : `${name} ${subcommand}`;
  const owned = findForm(commands, commandText);
  const command = commands.get(name);
  const invocable = command && findInvoked(command, subcommand);
  let offer = (): SuggestionOffer | null => null;
  const request: ReplyRequest = {
    kind: 'reply',
    name: command === undefined ? UNKNOWN : name,
    command,
    destination: { to: visibilityOf(command, options), interaction },
    async run(context) {
      if (command !== undefined) requireRights(command, context);
      if (invocable === undefined) throw new UserError(context.t('discord.oldCommand'));
      requireRights(invocable, context);
      const args = readArgs(invocable.options, options, {
        guild: guildOf(interaction.guild),
        t: context.t,
        clientT: context.bot.translatorFor(context.person.locale),
        recentNames: context.recentNames,
      });
      offer = () => offerNear(name, invocable, args, context);
      return invocable.run(args, context);
    },
    offer: () => offer(),
  };
  return (owned === null ? null : openedBy(interaction, commandText, owned, request)) ?? request;
}

/** `id`: null for one that no card has written. */
function readPress(
  interaction: MessageComponentInteraction,
  id: CustomId | null,
  commands: Commands,
): ReplyRequest {
  const command = id === null ? undefined : commands.get(id.command);
  const values = interaction.isAnySelectMenu() ? interaction.values : [];
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

/** A form that was filled in. */
function readSubmitted(interaction: ModalSubmitInteraction, commands: Commands): ReplyRequest {
  const id = readCustomId(interaction.customId);
  const {
    name = UNKNOWN,
    command,
    form,
  } = (id?.action === FORM_ACTION ? findForm(commands, id.command) : null) ?? {};
  const answers = interaction.fields.fields.map(
    (field, name) => [name, Answer.safeParse(field).data] as const,
  );
  const guild = guildOf(interaction.guild);
  const initialValues = form === undefined ? {} : valuesFromSubject(form, id?.subject ?? '');
  const sentValues = form === undefined ? {} : readValues(form, Object.fromEntries(answers), initialValues);
  const kinds = Object.entries(form?.fields ?? {}).map(([field, { kind }]) => [field, kind] as const);
  const values: Partial<Values> = Object.fromEntries(
    kinds.flatMap(([field, kind]) => {
      const value = sentValues[field];
      return value === undefined || isForeign(kind, value, guild) ? [] : [[field, value]];
    }),
  );
  let offer = (): SuggestionOffer | null => null;
  return {
    kind: 'reply',
    name,
    command,
    detail: { action: FORM_ACTION },
    destination: form?.replacesMessage ? overMessage(interaction) : { to: 'private', interaction },
    async run(context) {
      // First: whoever may not use it any more reads that, whatever has become of the form.
      if (command !== undefined) requireRights(command, context);
      if (form !== undefined) requireRights(form, context);
      if (form === undefined) throw new UserError(context.t('discord.oldCommand'));
      offer = () => offerAs(form.sameAs ?? '', values, commands, context);
      if (isComplete(form, values)) return form.submit(values, context, initialValues);
      await form.keep?.(values, context);
      for (const [field, kind] of kinds)
        refuseForeign(kind, sentValues[field] ?? '', { guild, t: context.t });
      throw new UserError(context.t('discord.oldChoice'));
    },
    offer: () => offer(),
    again(t) {
      if (id === null || form === undefined) return null;
      const subject = valuesInSubject(form, values);
      // Two long texts and all choices are more than an id takes.
      const fits = fitsCustomId({ command: id.command, action: FORM_ACTION, subject });
      return fits ? openButton(id.command, subject, t('setup.again')) : null;
    },
  };
}

/** Similar names for the values of a form, as buttons of the command that does the same. */
function offerAs(
  name: string,
  values: Partial<Values>,
  commands: Commands,
  context: SuggestionContext,
): SuggestionOffer | null {
  const command = commands.get(name);
  if (command === undefined || !('run' in command)) return null;
  const args = Object.keys(command.options).map((option) => [option, values[option] ?? null] as const);
  return offerNear(name, command, Object.fromEntries(args), context);
}

/**
 * The answer in a field: its text, the value of the choice, or the values of several with spaces between them. Refuses other
 * shapes, whatever discord.js calls them: they come from outside.
 */
const Answer = z.union([
  z
    .object({
      type: z.literal(ComponentType.TextInput),
      value: z.string().nullish(),
      values: z.undefined().optional(),
    })
    .transform(({ value }) => value ?? ''),
  z.object({ type: z.literal(ComponentType.RadioGroup), value: z.string() }).transform(({ value }) => value),
  z
    .object({
      type: z.literal([
        ComponentType.StringSelect,
        ComponentType.CheckboxGroup,
        ComponentType.ChannelSelect,
        ComponentType.RoleSelect,
      ]),
      values: z.array(z.string().regex(/^\S+$/)),
    })
    .transform(({ values }) => [...new Set(values)].join(' ')),
]);

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
  interaction: UserContextMenuCommandInteraction,
  menus: ReturnType<typeof userMenusOf>,
): ReplyRequest {
  const { name, command } = menus.get(interaction.commandName) ?? {};
  return {
    kind: 'reply',
    name: name ?? UNKNOWN,
    command,
    destination: { to: 'private', interaction },
    async run(context) {
      if (command?.userMenu === undefined) throw new UserError(context.t('discord.oldCommand'));
      requireRights(command, context);
      return command.userMenu.run(interaction.targetId, context);
    },
  };
}

/** For an unknown command, only the person. */
function visibilityOf(command: AnyCommand | undefined, options: TypedOptions): Visibility {
  if (command === undefined) return 'private';
  if (command.visibility === 'shareable') return 'private';
  if (command.visibility !== 'choice') return command.visibility;
  // An option of another type comes from another version's form; the command reports it.
  return options.get(PRIVATE_OPTION)?.value === true ? 'private' : 'public';
}

/** Into the message where it was asked, if that is a reply to this person: nobody else may change it. */
function overMessage(interaction: MessageComponentInteraction | ModalSubmitInteraction): Destination {
  const { message, user } = interaction;
  const isOwn = isPrivate(message) || message?.interactionMetadata?.user.id === user.id;
  if (isOwn && (interaction.isMessageComponent() || interaction.isFromMessage()))
    return { to: 'in-place', interaction };
  return { to: 'private', interaction };
}

/**
 * Opens the form of a command that lacks what its answer needs, or says only what its form is about; null for any other.
 * `commandText`: as in custom ids. `request`: the command's own answer, for options of which the form says that they are enough.
 */
function openedBy(
  interaction: ChatInputCommandInteraction,
  commandText: string,
  owned: OwnedForm,
  request: ReplyRequest,
): WindowRequest | null {
  const { subjectOptions = [], needs = [], permission, isEnough, isForButtons = false } = owned.form;
  if (isForButtons) return null;
  const optionValues = listOptions(interaction.options);
  const isIncomplete = needs.some((name) => interaction.options.get(name) === null);
  const isOpened = isIncomplete || optionValues.every(({ name }) => subjectOptions.includes(name));
  if (!isOpened && isEnough === undefined) return null;
  // Anyone else gets the command's own answer, which there is for everyone.
  if (permission !== undefined && !hasPermission(personOf(interaction), permission)) return null;
  const options = findInvoked(owned.command, interaction.options.getSubcommand(false))?.options ?? {};
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
  const opening = openingOf({ called: commandText, givenFor, interaction }, owned);
  if (isOpened || isEnough === undefined) return opening;
  return {
    ...opening,
    async window(context, clock) {
      const asking = isEnough(givenFor(context), context);
      // An answer can be deferred, a window cannot.
      const isAnswered = (await resolveWithin(asking, INITIAL_VALUES_TIMEOUT_MS, clock)) ?? true;
      return isAnswered ? { request } : opening.window(context, clock);
    },
  };
}

/** A button that opens a form with what was filled in before, or with its subject alone as a choice does; null for another one. */
function reopenedBy(
  interaction: MessageComponentInteraction,
  { action, command: called, subject }: CustomId,
  commands: Commands,
): WindowRequest | null {
  const owned = action === FORM_ACTION ? findForm(commands, called) : null;
  if (owned === null) return null;
  const chosenValue = interaction.isAnySelectMenu() ? interaction.values[0] : undefined;
  const [about] = owned.form.subjectOptions ?? [];
  // Values of a window stand between commas.
  const subjectAlone = chosenValue ?? (subject.includes(',') ? undefined : subject);
  const isFirst = subjectAlone !== undefined && about !== undefined;
  const text = isFirst ? valuesInSubject(owned.form, { [about]: subjectAlone }) : subject;
  const givenValues = valuesFromSubject(owned.form, text);
  // It fills in nothing: the form begins as it does for that option.
  const values = isFirst ? {} : givenValues;
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
      const menus = form.menus?.(initialValues, context) ?? {};
      const channels = guildOf(interaction.guild)?.channels;
      // No voice channel, no thread, and none that is gone.
      const offers = (channelId: string): boolean =>
        TEXT_CHANNELS.some((type) => type === channels?.get(channelId)?.type);
      const nameOf = (channelId: string): string | null => channels?.get(channelId)?.name ?? null;
      return formWindow(
        commandText,
        form,
        { initialValues, values: { ...initialValues, ...values }, menus, offers, nameOf },
        context.t,
      );
    },
  };
}
