import type { Translator } from '../../i18n/translator.ts';
import { ansi, hasColour } from '../../text/ansi.ts';
import { cutRendered, cutSpans } from '../../text/cut.ts';
import { markdown } from '../../text/markdown.ts';
import { displayName, plain } from '../../text/plain.ts';
import { scan } from '../../text/scan.ts';

/** The longest that a name gets on a line of its own or beside figures, in characters of markdown. */
const NAME = 80;
/** What is read of a text that may be a megabyte: enough for a name with a code before every letter. */
const RAW = 1000;
/** Characters of a coloured name: more than any real one has. */
const COLOURED = 64;

/** What the service sent as text, in-game codes and all, safe to show in a line. May be empty. */
export function said(text: string, limit = NAME): string {
  return named(plain(text.slice(0, RAW)), limit);
}

/** Plain text, such as a model or a person's name, safe to show in a line. */
export function named(plainText: string, limit = NAME): string {
  return cutRendered(plainText.trim(), limit, markdown);
}

/** A name from the chat server as plain text. It is no in-game text: its carets are carets. Never empty. */
export function plainChatName(name: string): string {
  return displayName(null, name.slice(0, RAW));
}

/** The same, safe to show in a line. */
export function chatName(name: string, limit = NAME): string {
  return named(plainChatName(name), limit);
}

/** "**Money** 12,345"; nothing where the value is not reported. */
export function fact(label: string, value: string | null): readonly string[] {
  return value === null ? [] : [`**${label}** ${value}`];
}

/** Parts of one line, without those that are not reported. */
export function joined(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(' · ');
}

/**
 * The name in its colours, where it has any and its readers want to see them. The plain name stands beside it: phones
 * may show none of them.
 */
export function coloured(nickname: string | null, t: Translator): readonly string[] {
  if (!t.colours) return [];
  const spans = scan(nickname ?? '');
  return hasColour(spans) ? [ansi(cutSpans(spans, COLOURED))] : [];
}
