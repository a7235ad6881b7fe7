import type { CommandView, OptionView } from '../protocol.ts';

/** Meaning of the text in the composer. */
type CommandText =
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
  // Text copied from a document often ends with a line break.
  const line = text.replace(/\n+$/, '');
  if (!line.startsWith('/') || line.includes('\n')) return { type: 'message' };
  const typed = line.slice(1).toLowerCase();
  const [named] = commands
    .flatMap((command) => namesOf(command).map((name) => ({ command, name })))
    .filter(({ name }) => typed.startsWith(`${name} `))
    .toSorted((a, b) => b.name.length - a.name.length);
  if (named !== undefined) {
    const { command, name } = named;
    const [first] = command.options;
    return { type: 'command', command, options: readOptions(line.slice(name.length + 2), command, first) };
  }
  const search = typed.trim();
  const begins = (command: CommandView) => namesOf(command).some((name) => name.startsWith(search));
  const has = (command: CommandView) => namesOf(command).some((name) => name.includes(search));
  const offered = [
    ...commands.filter(begins),
    ...commands.filter((command) => !begins(command) && has(command)),
  ];
  return { type: 'search', search, offered };
}

/**
 * The text of each option, by its name: `player:Some Name vin:AB12C`. The text before the first name is that of
 * `first`. Only an option without a text is named, so that values can have colons in them; `filled`: those that have
 * one already.
 */
export function readOptions(
  typed: string,
  { options }: Pick<CommandView, 'options'>,
  first: OptionView | undefined,
  filled: ReadonlySet<OptionView> = new Set(),
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let current = first;
  let from = 0;
  for (const { 0: mark, 1: name = '', index } of typed.matchAll(/(?<!\S)([^\s:]+):/gu)) {
    const option = options.find((one) => namesOf(one).includes(name.toLowerCase()));
    const before = typed.slice(from, index).trim();
    if (option === undefined || filled.has(option) || texts.has(option.name)) continue;
    if (option === current && before !== '') continue;
    if (current !== undefined && before !== '') texts.set(current.name, before);
    current = option;
    from = index + mark.length;
  }
  if (current !== undefined) texts.set(current.name, typed.slice(from).trim());
  return texts;
}

/** Names that can be typed for it. */
function namesOf({ name, untranslated }: Pick<CommandView, 'name' | 'untranslated'>): readonly string[] {
  return [name, untranslated];
}
