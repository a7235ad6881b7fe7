import type { Translator } from '../../i18n/translator.ts';

/** Entries ready to show, such as an array; may be generated lazily. */
export interface Lines extends Iterable<string> {
  readonly length: number;
  /** Opens a code block around them. */
  readonly fence?: string;
}

/** The limit, in characters or in entries. */
export interface Room {
  readonly characters?: number;
  readonly entries?: number;
  /** The separator; a line break by default. */
  readonly between?: string;
}

/** Renders entries only as needed: a card shows a few of hundreds of cars. */
export function linePerRow<Row>(rows: readonly Row[], write: (row: Row) => string): Lines {
  return { length: rows.length, [Symbol.iterator]: () => rows.values().map(write) };
}

/**
 * Returns as many whole entries as fit, in order; a last line counts the rest. An entry too long by itself ends the list
 * like any other that does not fit. The caller leaves space for at least that last line.
 */
export function fitLines(
  entries: Lines,
  { characters = Infinity, entries: maxEntries, between = '\n' }: Room,
  t: Translator,
): string {
  const fitting: string[] = [];
  const writeLines = (lines: readonly string[]): string => encloseText(lines.join(between), entries.fence);
  let length = writeLines([' ']).length - 1;
  for (const entry of entries) {
    const longer = length + entry.length + (fitting.length === 0 ? 0 : between.length);
    if (fitting.length === maxEntries || longer > characters) break;
    fitting.push(entry);
    length = longer;
  }
  // The line that counts the rest needs space too, and grows with the count.
  for (;;) {
    const leftCount = entries.length - fitting.length;
    if (leftCount === 0) return writeLines(fitting);
    const text = writeLines([...fitting, t('card.more', { n: leftCount })]);
    if (fitting.length === 0 || text.length <= characters) return text;
    fitting.pop();
  }
}

/** The text in a code block, if there is a fence to open it. */
export function encloseText(text: string, fence?: string): string {
  return fence === undefined || text === '' ? text : `${fence}\n${text}\n\`\`\``;
}
