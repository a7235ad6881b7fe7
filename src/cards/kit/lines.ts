import { memoiseByKey } from '../../base/memoise.ts';
import type { Translator } from '../../i18n/translator.ts';
import { cutRendered } from '../../text/cut.ts';
import { toMarkdown } from '../../text/markdown.ts';
import { displayName, toPlainText } from '../../text/plain.ts';

/** Maximum length of a name in a line, in characters of markdown. */
const MAX_NAME_LENGTH = 80;
/** Characters read from a text that may be a megabyte: enough for a name with a colour code before every letter. */
const MAX_READ_LENGTH = 1000;

/** Limits of the cache of names, which repeat on every board at every reading: at most 1 MB each way. */
const CACHE_LIMITS = { characters: 64, names: 2000 };

/** Remembers what a name is read as. */
export function rememberingNames<Read>(read: (name: string) => Read): (name: string) => Read {
  const readCached = memoiseByKey(read, CACHE_LIMITS.names);
  return (name) => (name.length <= CACHE_LIMITS.characters ? readCached(name) : read(name));
}

/** A text from the service, with in-game codes, made safe for a line. May be empty. */
export function escapeGameText(text: string, limit = MAX_NAME_LENGTH): string {
  return limit === MAX_NAME_LENGTH ? nameSaid(text) : read(text, limit);
}

function read(text: string, limit: number): string {
  return escapeMarkdown(toPlainText(text.slice(0, MAX_READ_LENGTH)), limit);
}

const nameSaid = rememberingNames((name) => read(name, MAX_NAME_LENGTH));

/** Plain text, such as a model or a person's name, made safe for a line. */
export function escapeMarkdown(plainText: string, limit = MAX_NAME_LENGTH): string {
  return cutRendered(plainText.trim(), limit, toMarkdown);
}

/** A Discord name as plain text. It is not in-game text: its carets are literal. Never empty. */
export function plainChatName(name: string): string {
  return displayName(null, name.slice(0, MAX_READ_LENGTH));
}

/** Returns a name of Discord in plain text, made safe for a line. */
export function chatName(name: string, limit = MAX_NAME_LENGTH): string {
  return escapeMarkdown(plainChatName(name), limit);
}

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
