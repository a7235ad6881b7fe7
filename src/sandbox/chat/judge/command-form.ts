/** The valid form of an application command, by Discord's rules. */
import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  ChannelType,
  InteractionContextType,
  Locale,
  ApplicationCommandOptionType as OptionType,
} from 'discord.js';
import { z } from 'zod';
import { complain, lengthOf, list, readForm, text, verbatim } from './form.ts';

/** In characters, or a count. */
const COMMAND_LIMITS = {
  name: 32,
  description: 100,
  options: 25,
  choices: 25,
  choiceName: 100,
  choiceValue: 100,
  optionText: 6000,
  /** Names, descriptions and choice values of one command with its options. */
  all: 8000,
  slash: 100,
  menus: 15,
} as const;

const NAME = /^[-_'\p{L}\p{N}\p{Script=Devanagari}\p{Script=Thai}]{1,32}$/u;

const name = z.string().superRefine((value, context) => {
  if (value.length === 0) complain(context, 'BASE_TYPE_REQUIRED', 'This field is required');
  else if (lengthOf(value) > COMMAND_LIMITS.name)
    complain(context, 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${COMMAND_LIMITS.name} in length.`);
  else if (!NAME.test(value) || value !== value.toLowerCase())
    complain(context, 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid');
});

function localised<S extends z.ZodType<string>>(item: S) {
  return z.partialRecord(z.enum(Locale), item);
}

const names = localised(name).exactOptional();
const description = text(COMMAND_LIMITS.description, 1);
const descriptions = localised(description).exactOptional();
const described = {
  name,
  name_localizations: names,
  description,
  description_localizations: descriptions,
};
const onlyTrue = z.literal(true).exactOptional();
const required = { required: onlyTrue };

function choice<V extends z.ZodType>(value: V) {
  return z.object({
    name: text(COMMAND_LIMITS.choiceName, 1),
    name_localizations: localised(text(COMMAND_LIMITS.choiceName, 1)).exactOptional(),
    value,
  });
}

/** Either suggestions or a fixed list, never both. */
const suggested = { autocomplete: z.literal(true), choices: z.tuple([]).exactOptional() };

function fixed<V extends z.ZodType<string | number>>(value: V) {
  return {
    autocomplete: z.literal(false).exactOptional(),
    choices: list(choice(value), COMMAND_LIMITS.choices).exactOptional(),
  };
}

const textBase = {
  type: z.literal(OptionType.String),
  ...described,
  ...required,
  min_length: z.int().min(0).max(COMMAND_LIMITS.optionText).exactOptional(),
  max_length: z.int().min(1).max(COMMAND_LIMITS.optionText).exactOptional(),
};

const textOption = z.discriminatedUnion('autocomplete', [
  z.object({ ...textBase, ...suggested }),
  z.object({ ...textBase, ...fixed(verbatim(COMMAND_LIMITS.choiceValue, 1)) }),
]);

function numberOption<T extends OptionType.Integer | OptionType.Number>(type: T) {
  const base = {
    type: z.literal(type),
    ...described,
    ...required,
    min_value: z.number().exactOptional(),
    max_value: z.number().exactOptional(),
  };
  return z.discriminatedUnion('autocomplete', [
    z.object({ ...base, ...suggested }),
    z.object({ ...base, ...fixed(z.number()) }),
  ]);
}

const entityOption = z.object({
  type: z.literal([
    OptionType.Boolean,
    OptionType.User,
    OptionType.Role,
    OptionType.Mentionable,
    OptionType.Attachment,
  ]),
  ...described,
  ...required,
});

const { GuildDirectory: _, ...channelTypes } = ChannelType;
const optionChannelType = z.enum(channelTypes);

const channelOption = z.object({
  type: z.literal(OptionType.Channel),
  ...described,
  ...required,
  channel_types: z.array(optionChannelType).exactOptional(),
});

// By its type, so that an option is read once and not as each of these kinds.
const value = z.discriminatedUnion('type', [
  textOption,
  numberOption(OptionType.Integer),
  numberOption(OptionType.Number),
  entityOption,
  channelOption,
]);
type ValueOption = z.output<typeof value>;

const values = list(value, COMMAND_LIMITS.options).superRefine((options, context) => {
  unique(options, context);
  options.forEach((one, index) => {
    const optionalBefore = options.slice(0, index).some((before) => before.required !== true);
    if (one.required === true && optionalBefore)
      complain(
        context,
        'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
        'Required options must be placed before non-required options',
        [index],
      );
  });
});

const subcommand = z.object({
  type: z.literal(OptionType.Subcommand),
  ...described,
  options: values.exactOptional(),
});

const group = z.object({
  type: z.literal(OptionType.SubcommandGroup),
  ...described,
  options: list(subcommand, COMMAND_LIMITS.options, 1).superRefine(unique),
});

const options = z.union([
  list(z.discriminatedUnion('type', [subcommand, group]), COMMAND_LIMITS.options, 1).superRefine(unique),
  values,
]);

function unique(all: readonly { readonly name: string }[], context: z.core.$RefinementCtx): void {
  all.forEach((one, index) => {
    if (all.findIndex((other) => other.name === one.name) !== index)
      complain(context, 'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS', 'Option name already exists', [
        index,
        'name',
      ]);
  });
}

const common = {
  name_localizations: names,
  default_member_permissions: z
    .string()
    .regex(/^\d{1,20}$/, 'Value is not a permission bitfield.')
    .exactOptional(),
  contexts: z.array(z.enum(InteractionContextType)).exactOptional(),
  integration_types: z.array(z.enum(ApplicationIntegrationType)).exactOptional(),
  dm_permission: z.boolean().exactOptional(),
  nsfw: z.boolean().exactOptional(),
};

const slash = z
  .object({
    ...common,
    type: z.literal(ApplicationCommandType.ChatInput).default(ApplicationCommandType.ChatInput),
    name,
    description,
    description_localizations: descriptions,
    options: options.exactOptional(),
  })
  .superRefine((command, context) => {
    if (sizeOf(command) > COMMAND_LIMITS.all)
      complain(
        context,
        'APPLICATION_COMMAND_TOO_LARGE',
        `Command exceeds maximum size (${COMMAND_LIMITS.all})`,
      );
  });

const menu = z.object({
  ...common,
  type: z.literal([ApplicationCommandType.User, ApplicationCommandType.Message]),
  // Unlike slash commands, these may have upper case and spaces.
  name: text(COMMAND_LIMITS.name, 1),
  name_localizations: localised(text(COMMAND_LIMITS.name, 1)).exactOptional(),
  description: z.literal('').optional(),
});

/** Null counts as absent, and Discord omits `required` and `autocomplete` where they are false. */
function pruned(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(pruned);
  if (typeof part !== 'object' || part === null) return part;
  const said = ([key, inner]: [string, unknown]) =>
    inner !== null && !(inner === false && (key === 'required' || key === 'autocomplete'));
  return Object.fromEntries(
    Object.entries(part)
      .filter(said)
      .map(([key, inner]) => [key, pruned(inner)]),
  );
}

const command = z.preprocess(pruned, z.union([slash, menu]));

const all = z.array(command).superRefine((commands, context) => {
  commands.forEach((one, index) => {
    if (commands.findIndex(({ name, type }) => name === one.name && type === one.type) !== index)
      complain(context, 'APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique', [
        index,
        'name',
      ]);
  });
  for (const { type, limit } of [
    { type: ApplicationCommandType.ChatInput, limit: COMMAND_LIMITS.slash },
    { type: ApplicationCommandType.User, limit: COMMAND_LIMITS.menus },
    { type: ApplicationCommandType.Message, limit: COMMAND_LIMITS.menus },
  ])
    if (commands.filter((one) => one.type === type).length > limit)
      complain(context, 'BASE_TYPE_BAD_LENGTH', `Must be ${limit} or fewer in length.`);
});

export type CommandForm = z.output<typeof command>;
export type OptionForm = ValueOption | z.output<typeof subcommand> | z.output<typeof group>;

/** Validates a list of commands; throws 50035 with the path of each error. */
export function readCommands(body: unknown): readonly CommandForm[] {
  return readForm(all, body);
}

type Translations = Readonly<Partial<Record<Locale, string>>>;

/** The total length of names, descriptions and choice values, with the longest translation of each. */
function sizeOf(part: {
  readonly name: string;
  readonly name_localizations?: Translations;
  readonly description: string;
  readonly description_localizations?: Translations;
  readonly options?: readonly OptionForm[];
}): number {
  const longest = (own: string, others: Translations = {}) =>
    Math.max(lengthOf(own), ...Object.values(others).map((other) => lengthOf(other)));
  const own =
    longest(part.name, part.name_localizations) + longest(part.description, part.description_localizations);
  return (part.options ?? []).reduce((sum, option) => {
    const picks = 'choices' in option ? (option.choices ?? []) : [];
    const inner = 'options' in option ? sizeOf(option) : sizeOf({ ...option, options: [] });
    return sum + inner + picks.reduce((length, pick) => length + lengthOf(`${pick.name}${pick.value}`), 0);
  }, own);
}
