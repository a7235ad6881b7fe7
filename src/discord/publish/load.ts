import { readdir } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { z } from 'zod';
import { StartError } from '../../base/errors.ts';
import type { AnyCommand } from '../../command-kit/command.ts';
import type { CommandFacts } from '../../command-kit/context.ts';
import { type Field, isShown } from '../../command-kit/form.ts';
import type { Option } from '../../command-kit/option.ts';

/** Commands by name. */
export type Commands = ReadonlyMap<string, AnyCommand>;

/** Discord's rule for the names of commands and options. */
export const CommandName = z
  .string()
  .regex(/^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u, {
    error: 'is not a name that Discord accepts: 1 to 32 letters, digits, - or _',
  })
  .refine((name) => name === name.toLowerCase(), { error: 'is not all lower case' });

/** The facts for `/help`. */
export function listFacts(commands: Commands): readonly CommandFacts[] {
  return [...commands].flatMap(([name, command]): readonly CommandFacts[] => {
    const { topic, description, leads = false, permission = null, guildOnly = false } = command;
    const facts = { name, subcommand: null, description, topic, leads, example: {}, permission, guildOnly };
    if ('subcommands' in command)
      return Object.entries(command.subcommands).map(([subcommand, ownParts]) => ({
        ...facts,
        subcommand,
        topic: ownParts.isRetired ? null : topic,
        permission: ownParts.permission ?? permission,
        guildOnly: ownParts.guildOnly ?? guildOnly,
      }));
    if (!('run' in command)) return [facts];
    const { options, example = [] } = command;
    const shownOptions = Object.entries(options).filter(([option]) => example.includes(option));
    return [{ ...facts, example: Object.fromEntries(shownOptions) }];
  });
}

const EXTENSION = '.ts';

/** Discord's limits. One of its 25 options is reserved for the one that a command may get in addition. */
const MAX_COUNTS = { commands: 100, options: 24, choices: 25, fields: 5 };

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
    const checkedName = CommandName.safeParse(name);
    if (!checkedName.success) throw refuse(`its name ${checkedName.error.issues[0]?.message}`);
    commands.set(name, await load(new URL(file.name, folder), refuse));
  }
  if (commands.size === 0) throw new StartError('commands/ holds no command');
  if (commands.size > MAX_COUNTS.commands)
    throw new StartError(
      `commands/ holds more than ${MAX_COUNTS.commands} commands, which is all that Discord accepts`,
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

/** Checks the properties that tell the kinds of commands apart; the compiler has checked the rest. */
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
    .flatMap((part): readonly string[] => Object.keys(part))
    .flatMap(
      (name) => CommandName.safeParse(name).error?.issues.map((issue) => `${name} ${issue.message}`) ?? [],
    )[0];
  if (wrong !== undefined) return wrong;
  const choicesIn = (lists: readonly Readonly<Record<string, Option | Field>>[]) =>
    lists
      .flatMap(Object.values<Option | Field>)
      .flatMap((part) => ('choices' in part ? [Object.keys(part.choices)] : []));
  if (options.some((list) => Object.keys(list).length > MAX_COUNTS.options))
    return `options are more than ${MAX_COUNTS.options}`;
  const shownFields = fields.map((list) => Object.values(list).filter((field) => isShown(field, {})));
  if (shownFields.some((list) => list.length > MAX_COUNTS.fields))
    return `fields are more than ${MAX_COUNTS.fields}`;
  const choices = choicesIn([...options, ...fields]);
  if (choices.some((list) => list.length > MAX_COUNTS.choices))
    return `choices are more than ${MAX_COUNTS.choices}`;
  // Choices stand beside other values in a custom id.
  const torn = choicesIn(fields)
    .flat()
    .find((value) => /[, ]/.test(value));
  return torn === undefined ? null : `${torn} is a choice with a comma or a space`;
}
