/** Says how many were left out: "+3 more". */
export type More = (left: number) => string;

/** Entries ready to show, such as an array; one that is never shown need never be written. */
export interface Lines extends Iterable<string> {
  readonly length: number;
}

/** The limit in characters, and, where a short list is wanted, the most entries. */
export interface Room {
  readonly characters: number;
  readonly entries?: number;
  /** What stands between two of them; a line break unless told otherwise. */
  readonly between?: string;
}

/** Room for entries that are themselves made to fit. */
export type Column = Required<Pick<Room, 'characters' | 'between'>>;

/** An entry written only when it is about to be shown: of hundreds of cars a card has room for a few. */
export function each<Row>(rows: readonly Row[], write: (row: Row) => string): Lines {
  return { length: rows.length, [Symbol.iterator]: () => rows.values().map(write) };
}

/**
 * As many of the entries as fit, one below the other, whole and in their order; what does not fit is counted in
 * a last entry of its own. An entry that is too long by itself ends the list like any other that does not fit.
 * The caller leaves room for at least that last entry.
 */
export function fitLines(entries: Lines, room: Room, more: More): string {
  const { between = '\n' } = room;
  const shown: string[] = [];
  let length = 0;
  for (const entry of entries) {
    const longer = length + entry.length + (shown.length === 0 ? 0 : between.length);
    if (shown.length === room.entries || longer > room.characters) break;
    shown.push(entry);
    length = longer;
  }
  // The entry that counts the rest needs room itself, and the more it counts the more.
  for (;;) {
    const left = entries.length - shown.length;
    if (left === 0) return shown.join(between);
    const text = [...shown, more(left)].join(between);
    if (shown.length === 0 || text.length <= room.characters) return text;
    shown.pop();
  }
}
