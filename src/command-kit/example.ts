import type { Translator } from '../i18n/translator.ts';
import type { CommandFacts } from './context.ts';
import type { Option, Suggestion, SuggestionContext } from './option.ts';

/** A command as typed in the viewer's language: `/verknüpfen`. */
export function typedAs(
  { name, subcommand }: Pick<CommandFacts, 'name' | 'subcommand'>,
  t: Translator,
): string {
  const words = subcommand === null ? [name] : [name, subcommand];
  return `/${words.map((word) => t.typed(word) ?? word).join(' ')}`;
}

/**
 * The command with options filled in, using recently seen names so that it works as typed. Null where it needs
 * none, or none has been seen yet.
 */
export function pickExample(command: CommandFacts, { recentNames, t }: SuggestionContext): string | null {
  const usedValues = new Set<string>();
  const values = Object.entries(command.example).map(([name, option]) => {
    const value = suggestions(option, { recentNames, t }).find((suggestion) => !usedValues.has(suggestion));
    if (value === undefined) return null;
    usedValues.add(value);
    return ` ${t.typed(name) ?? name}:${value}`;
  });
  if (values.length === 0 || values.includes(null)) return null;
  return typedAs(command, t) + values.join('');
}

function suggestions(option: Option, context: SuggestionContext): readonly string[] {
  if (option.kind === 'choice') return Object.values(option.choices).map((words) => context.t(words));
  if (option.kind !== 'text') return [];
  const suggested: readonly Suggestion[] =
    option.complete?.('', { ...context, own: null, serverOf: () => null, zone: 'UTC', now: 0 }) ?? [];
  // An example is shown between backticks.
  return suggested.map(({ value }) => value).filter((value) => !value.includes('`'));
}
