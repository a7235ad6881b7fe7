/** Names, as people and the service write them, made safe for a line. */
import { memoiseByKey } from '../base/memoise.ts';
import { cutRendered } from './cut.ts';
import { toMarkdown } from './markdown.ts';
import { displayName, toPlainText } from './plain.ts';

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
