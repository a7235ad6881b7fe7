import type { CommandView } from '../protocol.ts';

/** What the text in the composer is. */
export type CommandText =
  | { readonly type: 'message' }
  /** The name of a command is still being typed: those that it may be, the likeliest first. */
  | { readonly type: 'search'; readonly search: string; readonly offered: readonly CommandView[] }
  /** A command with what is typed of its options. */
  | {
      readonly type: 'command';
      readonly command: CommandView;
      readonly options: ReadonlyMap<string, string>;
    };

/** Reads typed or pasted text: plain, or after a `/` a command. */
export function readCommandText(text: string, commands: readonly CommandView[]): CommandText {
  if (!text.startsWith('/') || text.includes('\n')) return { type: 'message' };
  const rest = text.slice(1);
  const command = commands
    .filter(({ name }) => rest.startsWith(`${name} `))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  if (command !== undefined)
    return { type: 'command', command, options: readOptions(command, rest.slice(command.name.length + 1)) };
  const search = rest.trim().toLowerCase();
  const offered = [
    ...commands.filter(({ name }) => name.startsWith(search)),
    ...commands.filter(({ name }) => !name.startsWith(search) && name.includes(search)),
  ];
  return { type: 'search', search, offered };
}

/**
 * Parses pasted options such as `player:Some Name vin:AB12C`; text without an option name is the first option's
 * value.
 */
function readOptions({ options }: CommandView, typed: string): ReadonlyMap<string, string> {
  const names = options.map(({ name }) => name);
  const values = new Map<string, string>();
  let name = names[0];
  for (const word of typed.split(' ')) {
    const colon = word.indexOf(':');
    const prefix = word.slice(0, Math.max(colon, 0));
    const named = names.includes(prefix);
    if (named) name = prefix;
    const part = named ? word.slice(colon + 1) : word;
    if (name !== undefined) values.set(name, `${values.get(name) ?? ''} ${part}`.trim());
  }
  return values;
}
