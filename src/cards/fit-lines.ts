/** Says how many were left out: "+3 more". */
export type More = (left: number) => string;

/** The limit in characters, and, where a short list is wanted, the most entries. */
export interface Room {
  readonly characters: number;
  readonly entries?: number;
}

/**
 * As many of the entries as fit, one below the other, whole and in their order; what does not fit is counted in
 * a last line of its own. An entry that is too long by itself ends the list like any other that does not fit.
 * The caller leaves room for at least that last line.
 */
export function fitLines(entries: readonly string[], room: Room, more: More): string {
  const most = Math.min(entries.length, room.entries ?? entries.length);
  const ends: number[] = [0];
  for (const entry of entries.slice(0, most)) {
    const end = (ends.at(-1) ?? 0) + entry.length + 1;
    if (end - 1 > room.characters) break;
    ends.push(end);
  }
  let shown = ends.length - 1;
  while (shown > 0 && shown < entries.length) {
    const last = more(entries.length - shown).length;
    if ((ends[shown] ?? 0) + last <= room.characters) break;
    shown -= 1;
  }
  const left = entries.length - shown;
  return [...entries.slice(0, shown), ...(left > 0 ? [more(left)] : [])].join('\n');
}
