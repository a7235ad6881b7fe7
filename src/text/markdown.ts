// Every character that opens, closes or joins some markup of chat: emphasis, spoiler, code, quote,
// heading, subtext, list, link and bare link, mention, emoji, timestamp, and the escape itself.
// All are ASCII punctuation, before which chat never shows the backslash. Brackets go in pairs, though
// one of each would do for the desktop client: other clients have grammars of their own.
const MARKUP = '\\*_~|`<>#+-.:@/[]()';
const isMarkup = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(MARKUP.includes(String.fromCharCode(code))),
);

/**
 * Escapes plain text so that chat shows exactly that text wherever markdown counts: message
 * content, embed description and field value, and also embed title and field name, which have the
 * inline part of the grammar.
 *
 * Each character is escaped for itself, whatever stands around it. That is what makes it linear,
 * makes `markdown(a) + markdown(b)` equal `markdown(a + b)`, and keeps a name literal in the middle
 * of a card's own text: a `[` before a name would else make a link of `](…)` inside it, since chat
 * looks for that pair without heeding backslashes.
 *
 * The same backslash is right for links and pings. `https\:\/\/` and `discord\.gg\/` match neither
 * the client's grammar nor a search of the raw text for addresses to preview; `\@everyone` is shown
 * as written. A zero-width character after the `@` would not do: chat ignores it there. What
 * decides about a ping is still `allowedMentions` on every send and every edit.
 *
 * Emoji stay as they are: chat draws the same character in its own font. The label of a masked link
 * (`[label](address)`) shows backslashes, so that a name has no place there.
 */
export function markdown(text: string): string {
  let escaped = '';
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (isMarkup[text.charCodeAt(at)] !== 1) continue;
    escaped += `${text.slice(from, at)}\\`;
    from = at;
  }
  return escaped === '' ? text : escaped + text.slice(from);
}
