import { readdir } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { z } from 'zod';
import type { Command } from '../command.ts';
import { StartError } from '../errors.ts';

/** By name. */
export type Commands = ReadonlyMap<string, Command>;

/** Chat's rule for the names of commands and options. */
const Name = z.string().regex(/^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u, {
  error: 'is no name that chat takes: 1 to 32 letters, digits, - or _',
});
const LowerCase = Name.refine((name) => name === name.toLowerCase(), { error: 'is not all lower case' });

const callable = z.custom((value) => typeof value === 'function', { error: 'is not a function' });

/** A namespace of exports, which is an object without a prototype. */
const Module = z.custom<{ readonly default?: unknown }>(
  (value) => typeof value === 'object' && value !== null,
);

/** What can be told of a command without calling it; the compiler has seen the rest. */
const Shape = z.strictObject({
  description: z.string(),
  options: z
    .record(
      LowerCase,
      z.strictObject({
        description: z.string(),
        required: z.boolean(),
        schema: z.instanceof(z.ZodType),
        wrong: z.string(),
        complete: callable.optional(),
      }),
    )
    .refine((options) => Object.keys(options).length <= 25, { error: 'are more than 25' }),
  visibility: z.enum(['public', 'private']),
  run: callable,
  act: callable.optional(),
});

/** How many commands chat takes of one bot. */
const LIMIT = 100;

/** Reads a folder of commands, one a file. Throws a {@link StartError} that names the first file that is not one. */
export async function loadCommands(folder: URL): Promise<Commands> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries
    .filter(({ name }) => !name.startsWith('.'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const commands = new Map<string, Command>();
  for (const file of files) {
    const refuse = (why: string) => new StartError(`commands/${file.name} is not a command: ${why}`);
    if (!file.isFile() || extname(file.name) !== '.ts') throw refuse('only TypeScript files belong there');
    const name = basename(file.name, '.ts');
    const named = LowerCase.safeParse(name);
    if (!named.success) throw refuse(`its name ${named.error.issues[0]?.message}`);
    commands.set(name, await load(new URL(file.name, folder), refuse));
  }
  if (commands.size === 0) throw new StartError('the folder commands holds no command');
  if (commands.size > LIMIT) throw new StartError(`the folder commands holds more than ${LIMIT} commands`);
  return commands;
}

async function load(file: URL, refuse: (why: string) => StartError): Promise<Command> {
  const loaded: unknown = await import(file.href).catch((error: unknown) => {
    throw refuse(`it cannot be loaded (${error instanceof Error ? firstLine(error.message) : typeof error})`);
  });
  const { default: command } = Module.parse(loaded);
  if (command === undefined) throw refuse('it has no default export');
  if (isCommand(command)) return command;
  const issue = Shape.safeParse(command).error?.issues[0];
  throw refuse([issue?.path.map(String).join('.'), issue?.message].filter(Boolean).join(': '));
}

function isCommand(value: unknown): value is Command {
  return Shape.safeParse(value).success;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
