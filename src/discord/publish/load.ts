import { readdir } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { z } from 'zod';
import { StartError } from '../../base/errors.ts';
import type { AnyCommand } from '../../command-kit/command.ts';
import type { CommandFacts } from '../../command-kit/context.ts';
import type { Field } from '../../command-kit/form.ts';
import type { Option } from '../../command-kit/option.ts';

/** By name. */
export type Commands = ReadonlyMap<string, AnyCommand>;

/** Discord's rule for the names of commands and options. */
export const CommandName = z
  .string()
  .regex(/^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u, {
    error: 'is not a name that Discord accepts: 1 to 32 letters, digits, - or _',
  })
  .refine((name) => name === name.toLowerCase(), { error: 'is not all lower case' });

/** The facts for `/help`. */
export function factsOf(commands: Commands): readonly CommandFacts[] {
  return [...commands].flatMap(([name, command]): readonly CommandFacts[] => {
    const { topic, description, leads = false, permission = null, guildOnly = false } = command;
    const facts = { name, subcommand: null, description, topic, leads, example: {}, permission, guildOnly };
    if ('subcommands' in command)
      return Object.entries(command.subcommands).map(([subcommand, own]) => ({
        ...facts,
        subcommand,
        permission: own.permission ?? permission,
        guildOnly: own.guildOnly ?? guildOnly,
      }));
    if (!('run' in command)) return [facts];
    const { options, example = [] } = command;
    const shown = Object.entries(options).filter(([option]) => example.includes(option));
    return [{ ...facts, example: Object.fromEntries(shown) }];
  });
}

const EXTENSION = '.ts';

/** Discord's limits. One of its 25 options is reserved for the one that a command may get in addition. */
const MOST = { commands: 100, options: 24, choices: 25, fields: 5 };

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
  if (commands.size > MOST.commands)
    throw new StartError(
      `commands/ holds more than ${MOST.commands} commands, which is all that Discord accepts`,
    );
  return commands;
}

async function load(file: URL, refuse: (why: string) => StartError): Promise<AnyCommand> {
  const loaded: { readonly default?: unknown } = await import(file.href).catch((error: unknown) => {
    throw refuse(
      `it cannot be loaded (${error instanceof Error ? error.message.split('\n', 1)[0] : typeof error})`,
    );
  });
  const { default: command } = loaded;
  if (command === undefined) throw refuse('it has no default export');
  if (!isCommand(command))
    throw refuse('its default export is not what defineCommand, defineGroup or defineFormCommand returns');
  const problem = problemOf(command);
  if (problem !== null) throw refuse(problem);
  return command;
}

/** By what tells the kinds of commands apart; the compiler has checked the rest where they are defined. */
function isCommand(value: unknown): value is AnyCommand {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['run', 'subcommands', 'form'].some((part) => part in value)
  );
}

/** Checks what types can neither count nor spell; null: nothing is wrong. */
function problemOf(command: AnyCommand): string | null {
  const groups = 'subcommands' in command ? [command.subcommands] : [];
  const parts = 'subcommands' in command ? Object.values(command.subcommands) : [command];
  const options = parts.flatMap((part) => ('options' in part ? [part.options] : []));
  const fields = parts.flatMap(({ form }) => (form === undefined ? [] : [form.fields]));
  const wrong = [...groups, ...options, ...fields]
    .flatMap((named): readonly string[] => Object.keys(named))
    .flatMap(
      (name) => CommandName.safeParse(name).error?.issues.map((issue) => `${name} ${issue.message}`) ?? [],
    )[0];
  if (wrong !== undefined) return wrong;
  const choicesIn = (lists: readonly Readonly<Record<string, Option | Field>>[]) =>
    lists
      .flatMap(Object.values<Option | Field>)
      .flatMap((one) => ('choices' in one ? [Object.keys(one.choices)] : []));
  if (options.some((list) => Object.keys(list).length > MOST.options))
    return `options are more than ${MOST.options}`;
  const shown = fields.map((list) => Object.values(list).filter(({ kind }) => kind !== 'kept'));
  if (shown.some((list) => list.length > MOST.fields)) return `fields are more than ${MOST.fields}`;
  const choices = choicesIn([...options, ...fields]);
  if (choices.some((list) => list.length > MOST.choices)) return `choices are more than ${MOST.choices}`;
  // Choices stand beside other values in a custom id.
  const torn = choicesIn(fields)
    .flat()
    .find((value) => /[, ]/.test(value));
  return torn === undefined ? null : `${torn} is a choice with a comma or a space`;
}
