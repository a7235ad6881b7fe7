import { readdir } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { z } from 'zod';
import { type AnyCommand, PRIVATE_OPTION } from '../../app/command.ts';
import { type CommandFacts, permissions } from '../../app/context.ts';
import { StartError } from '../../base/errors.ts';

/** By name. */
export type Commands = ReadonlyMap<string, AnyCommand>;

/** Discord's rule for the names of commands and options. */
const Name = z.string().regex(/^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u, {
  error: 'is not a name that Discord accepts: 1 to 32 letters, digits, - or _',
});
export const CommandName = Name.refine((name) => name === name.toLowerCase(), {
  error: 'is not all lower case',
});

const callable = z.custom((value) => typeof value === 'function', { error: 'is not a function' });

/** A module namespace, which is an object without a prototype. */
const Module = z.custom<{ readonly default?: unknown }>(
  (value) => typeof value === 'object' && value !== null,
);

const described = { description: z.string() };
const option = { ...described, required: z.boolean() };

const Options = z
  .record(
    CommandName,
    z.discriminatedUnion('kind', [
      z.strictObject({
        ...option,
        kind: z.literal('text'),
        schema: z.instanceof(z.ZodType),
        wrong: z.string(),
        complete: callable.optional(),
        didYouMean: callable.optional(),
      }),
      z.strictObject({ ...option, kind: z.literal('choice'), choices: z.record(z.string(), z.string()) }),
      z.strictObject({ ...option, kind: z.enum(['channel', 'voice', 'role', 'user', 'member', 'flag']) }),
      z.strictObject({ ...option, kind: z.literal('count'), min: z.int(), max: z.int() }),
    ]),
  )
  // One of Discord's 25 is reserved for the option that a command may get in addition.
  .refine((options) => Object.keys(options).length < 25, { error: 'are more than 24' })
  .refine((options) => !Object.hasOwn(options, PRIVATE_OPTION), {
    error: `may not be named ${PRIVATE_OPTION}: that is what visibility 'choice' adds`,
  });

const field = { label: z.string(), hint: z.string().optional() };

/** Of values that fit the pattern, since they stand beside others in a custom id. */
const choicesLike = (value: RegExp) =>
  z
    .record(z.string().regex(value), z.string())
    .refine((choices) => Object.keys(choices).length <= 25, { error: 'are more than 25' });

const Form = z.strictObject({
  title: z.string(),
  permission: z.enum(permissions).optional(),
  about: z.array(z.string()).optional(),
  fields: z
    .record(
      CommandName,
      z.discriminatedUnion('kind', [
        z.strictObject({ ...field, kind: z.enum(['channel', 'role']) }),
        z.strictObject({ ...field, kind: z.literal('text'), optional: z.literal(true).optional() }),
        z.strictObject({ ...field, kind: z.literal('choice'), choices: choicesLike(/^[^,]+$/) }),
        z.strictObject({ ...field, kind: z.literal('several'), choices: choicesLike(/^[^, ]+$/) }),
        z.strictObject({ kind: z.literal('kept') }),
      ]),
    )
    .refine((fields) => Object.values(fields).filter(({ kind }) => kind !== 'kept').length <= 5, {
      error: 'are more than 5',
    }),
  begin: callable,
  submit: callable,
});

const common = {
  ...described,
  visibility: z.enum(['public', 'private', 'choice']),
  topic: z.enum(['drivers', 'servers', 'yours', 'guild', 'bot']),
  leads: z.literal(true).optional(),
  permission: z.enum(permissions).optional(),
  guildOnly: z.literal(true).optional(),
  userMenu: z.strictObject({ name: z.string(), run: callable }).optional(),
  actions: z.record(z.string(), z.strictObject({ press: z.instanceof(z.ZodType), run: callable })).optional(),
  showsDistances: z.literal(true).optional(),
};

const invocable = {
  ...described,
  options: Options,
  run: callable,
  retryAction: callable.optional(),
  form: Form.optional(),
  permission: z.enum(permissions).optional(),
  guildOnly: z.literal(true).optional(),
};

/** The parts of a command that can be checked without calling it; the compiler has checked the rest. */
const Plain = z
  .strictObject({ ...common, ...invocable, example: z.array(z.string()).default([]) })
  .refine(({ options, example }) => example.every((name) => Object.hasOwn(options, name)), {
    path: ['example'],
    error: 'names an option that it does not have',
  });
const Group = z.strictObject({ ...common, subcommands: z.record(CommandName, z.strictObject(invocable)) });

const OpensForm = z.strictObject({ ...common, form: Form });

function shapeOf(value: unknown): z.ZodType {
  if (typeof value !== 'object' || value === null) return Plain;
  if ('subcommands' in value) return Group;
  return 'form' in value && !('run' in value) ? OpensForm : Plain;
}

/** The facts for `/help`. */
export function factsOf(commands: Commands): readonly CommandFacts[] {
  return [...commands].flatMap(([name, command]): readonly CommandFacts[] => {
    const { topic, leads = false, permission = null, guildOnly = false } = command;
    const facts = { name, topic, leads, permission, guildOnly };
    if ('subcommands' in command)
      return Object.entries(command.subcommands).map(([subcommand, own]) => ({
        ...facts,
        subcommand,
        description: command.description,
        permission: own.permission ?? permission,
        guildOnly: own.guildOnly ?? guildOnly,
        example: {},
      }));
    if (!('run' in command))
      return [{ ...facts, subcommand: null, description: command.description, example: {} }];
    const { description, options, example = [] } = command;
    const shown = Object.entries(options).filter(([option]) => example.includes(option));
    return [{ ...facts, subcommand: null, description, example: Object.fromEntries(shown) }];
  });
}

const EXTENSION = '.ts';

/** Discord's maximum number of commands per bot. */
const LIMIT = 100;

/** Loads a folder of commands, one per file beside its README.md. Throws a {@link StartError} that names the first invalid file. */
export async function loadCommands(folder: URL): Promise<Commands> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries
    .filter(({ name }) => !name.startsWith('.') && name !== 'README.md')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const commands = new Map<string, AnyCommand>();
  for (const file of files) {
    const refuse = (why: string) => new StartError(`commands/${file.name} is not a command: ${why}`);
    if (!file.isFile() || extname(file.name) !== EXTENSION) throw refuse('only TypeScript files belong here');
    const name = basename(file.name, EXTENSION);
    const named = CommandName.safeParse(name);
    if (!named.success) throw refuse(`its name ${named.error.issues[0]?.message}`);
    commands.set(name, await load(new URL(file.name, folder), refuse));
  }
  if (commands.size === 0) throw new StartError('commands/ holds no command');
  if (commands.size > LIMIT)
    throw new StartError(`commands/ holds more than ${LIMIT} commands, which is all that Discord accepts`);
  return commands;
}

async function load(file: URL, refuse: (why: string) => StartError): Promise<AnyCommand> {
  const loaded: unknown = await import(file.href).catch((error: unknown) => {
    throw refuse(`it cannot be loaded (${error instanceof Error ? firstLine(error.message) : typeof error})`);
  });
  const { default: command } = Module.parse(loaded);
  if (command === undefined) throw refuse('it has no default export');
  if (isCommand(command)) return command;
  const issue = shapeOf(command).safeParse(command).error?.issues[0];
  throw refuse([issue?.path.map(String).join('.'), issue?.message].filter(Boolean).join(': '));
}

function isCommand(value: unknown): value is AnyCommand {
  return shapeOf(value).safeParse(value).success;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
