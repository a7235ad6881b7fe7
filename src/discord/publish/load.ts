import type { Dirent } from 'node:fs';
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

/** Files that are no command: beside the folders of subjects, and in one of them. */
const BESIDE_SUBJECTS = ['subjects.ts', 'README.md'];
const BESIDE_COMMANDS = ['feature.ts', 'README.md'];

interface CommandFile {
  /** The command's own, which is the file's. */
  readonly name: string;
  /** From the folder of all commands: `drivers/profile.ts`. */
  readonly path: string;
}

/**
 * Lists the files of a folder that has a folder for each subject, with a command in each file: `drivers/profile.ts`. What
 * lies deeper is the subject's own. By name. Throws a {@link StartError} that names the first file that is no command.
 */
export async function listCommandFiles(folder: URL): Promise<readonly CommandFile[]> {
  const [subjects, others] = byKind(await entriesOf(folder));
  const stray = others.find(({ name }) => !BESIDE_SUBJECTS.includes(name));
  if (stray !== undefined) throw refusal(stray.name, 'it lies in no folder of a subject');
  const files = await Promise.all(
    subjects.map(async ({ name: subject }) => {
      const [, beside] = byKind(await entriesOf(new URL(`${subject}/`, folder)));
      return beside
        .filter(({ name }) => !BESIDE_COMMANDS.includes(name))
        .map(({ name }) => `${subject}/${name}`);
    }),
  );
  const commands = new Map<string, CommandFile>();
  for (const path of files.flat()) {
    if (extname(path) !== EXTENSION) throw refusal(path, 'only TypeScript files belong here');
    const name = basename(path, EXTENSION);
    const checkedName = CommandName.safeParse(name);
    if (!checkedName.success) throw refusal(path, `its name ${checkedName.error.issues[0]?.message}`);
    const namesake = commands.get(name);
    if (namesake !== undefined)
      throw refusal(path, `commands/${namesake.path} is a command of the same name`);
    commands.set(name, { name, path });
  }
  return [...commands.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function entriesOf(folder: URL): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter(({ name }) => !name.startsWith('.')).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Folders, and everything else. */
function byKind(
  entries: readonly Dirent[],
): readonly [folders: readonly Dirent[], others: readonly Dirent[]] {
  return [entries.filter((entry) => entry.isDirectory()), entries.filter((entry) => !entry.isDirectory())];
}

function refusal(path: string, why: string): StartError {
  return new StartError(`commands/${path} is not a command: ${why}`);
}

/** Loads the commands of all subjects, by name. Throws a {@link StartError} that names the first invalid file. */
export async function loadCommands(folder: URL): Promise<Commands> {
  const commands = new Map<string, AnyCommand>();
  for (const { name, path } of await listCommandFiles(folder))
    commands.set(name, await load(new URL(path, folder), (why) => refusal(path, why)));
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
