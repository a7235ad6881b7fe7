import type { Translator } from '../../i18n/translator.ts';

/** A figure, if it is reported. */
export function formatOptional<Text extends string | null>(
  value: number | null | undefined,
  write: (value: number) => Text,
): Text | null {
  return value === undefined || value === null ? null : write(value);
}

/** Formats kilometres in the reader's unit; null if they are not reported. */
export function formatDistance(kilometres: number | null, t: Translator): string | null {
  return formatOptional(kilometres, (known) => t.distance(known * 1000));
}

/** "**Money** 12,345"; null where the value is not reported. */
export function labelledFact(label: string, value: string | null): string | null {
  return value === null ? null : `**${label}** ${value}`;
}

/** Leaves out nulls. */
export function compact<Part>(...parts: readonly (Part | null)[]): readonly Part[] {
  return parts.filter((part) => part !== null);
}

/** Non-breaking spaces, so that a narrow phone does not break it. */
export function keepTogether(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

/** Keeps the words in brackets on one line: "(average 6)". */
export function keepBracketsTogether(text: string): string {
  return text.replace(/\(.*?\)/g, keepTogether);
}

/** The parts of one line, without missing ones. */
export function joinParts(...parts: readonly (string | null)[]): string {
  return compact(...parts)
    .filter((part) => part !== '')
    .join(' · ');
}

/** A command as Discord shows it to be tapped; `id`: Discord's own. */
export function commandMention(name: string, subcommand: string | null, id: string): string {
  return `</${subcommand === null ? name : `${name} ${subcommand}`}:${id}>`;
}
