// Every character that opens, closes or joins any of Discord's markup: emphasis, spoiler, code, quote, heading,
// subtext, list, link and bare link, mention, emoji, timestamp, and the escape itself. All are ASCII punctuation,
// before which Discord never shows the backslash. Both brackets are escaped, though one would do for the desktop
// client: other clients have their own grammars.
const MARKUP = /[\\*_~|`<>#+\-.:@/[\]()]/g;

/**
 * Escapes plain text so that Discord shows exactly that text wherever markdown applies: message content, embed
 * description and field value, and also embed title and field name, which have the inline part of the grammar.
 *
 * Each character is escaped independently. That makes it linear, makes `toMarkdown(a) + toMarkdown(b)` equal
 * `toMarkdown(a + b)`, and keeps a name literal in the middle of a card's own text: otherwise a `[` before a name
 * could become a link with `](…)` inside it, since Discord looks for that pair regardless of backslashes.
 *
 * The same backslash is right for links and pings. `https\:\/\/` and `discord\.gg\/` match neither the
 * client's grammar nor a search of the raw text for addresses to preview; `\@everyone` is shown literally. A
 * zero-width character after the `@` would not work: Discord ignores it there. Whether a ping happens is still
 * decided by `allowedMentions` on every send and edit.
 *
 * Emoji stay as they are: Discord draws the same character in its own font. The label of a masked link
 * (`[label](address)`) shows backslashes, so names must not be used there.
 */
export function toMarkdown(text: string): string {
  return text.replace(MARKUP, '\\$&');
}
