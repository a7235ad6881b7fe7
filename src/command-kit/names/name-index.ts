import { createBoundedMap } from '../../base/bounded.ts';
import { foldName, sameSpelling } from '../../service/models/identifiers.ts';

/** Discord accepts 25 choices for one autocomplete. */
export const MAX_CHOICES = 25;
/** More suggestions would be a list to read, not a correction. */
const MAX_NEAR = 3;

export interface SeenName {
  /** In the most recent spelling. */
  readonly name: string;
  /** The last detail seen with it, if any. */
  readonly detail: string | null;
}

export interface NameLimits {
  readonly names: number;
  /** Limit for all names and details together, in UTF-16 units: two bytes each in memory, at most three in the store. */
  readonly characters: number;
}

interface IndexedName extends SeenName {
  readonly key: string;
  readonly form: string;
  /** See {@link lettersOf}. */
  readonly letters: number;
}

/** A search looks first at a name's set of letters: 50,000 names take less than a key press. */
export function createNameIndex(limits: NameLimits) {
  /** Entries by case-folded name. */
  const entries = createBoundedMap<string, IndexedName>(limits.characters, charactersOf, limits.names);

  return {
    /** Makes it the newest. Evicts the oldest when there are too many. */
    add(name: string, detail: string | null = null): void {
      const key = sameSpelling(name);
      const previous = entries.get(key);
      const entry =
        previous?.name === name && (detail ?? previous.detail) === previous.detail
          ? previous
          : entryOf(name, detail ?? previous?.detail ?? null, key);
      if (entry !== null) entries.set(key, entry);
    },
    has: (name: string) => entries.get(sameSpelling(name)) !== undefined,
    /** Oldest first. */
    all: (): readonly SeenName[] => [...entries.values()],
    /** At most 25: names that start with the text, then names that contain it; newest first in each group. */
    search(input: string): readonly SeenName[] {
      const query = searchForm(input);
      const letters = lettersOf(query);
      const beginning: SeenName[] = [];
      const inside: SeenName[] = [];
      for (const entry of [...entries.values()].reverse()) {
        if (beginning.length === MAX_CHOICES) break;
        if ((entry.letters & letters) !== letters) continue;
        if (entry.form.startsWith(query)) beginning.push(entry);
        else if (inside.length < MAX_CHOICES && entry.form.includes(query)) inside.push(entry);
      }
      return [...beginning, ...inside].slice(0, MAX_CHOICES);
    },
    /** At most 3 similar names, closest first, then newest; empty if the name itself is known. */
    near: (input: string) =>
      entries.get(sameSpelling(input)) !== undefined ? [] : nearest(searchForm(input), [...entries.values()]),
  };
}

/**
 * The form compared in a search: without case, diacritics, colour codes and compatibility forms, since nobody types
 * those. Looser than the service, for which Jörg and Jorg are two drivers.
 */
export function searchForm(name: string): string {
  return foldName(name).normalize('NFKD').replace(/\p{M}/gu, '');
}

/** Null for a name of which nothing can be searched. */
function entryOf(name: string, detail: string | null, key: string): IndexedName | null {
  const form = searchForm(name);
  return form === '' ? null : { name, detail, key, form, letters: lettersOf(form) };
}

function nearest(query: string, entries: readonly IndexedName[]): readonly SeenName[] {
  const slips = slipsIn(query);
  if (slips === 0) return [];
  const letters = lettersOf(query);
  // A slip removes at most one letter from the set and adds one: this rules out nine names in ten.
  const candidates = entries.flatMap((entry) => {
    const distance =
      bitsIn(letters ^ entry.letters) <= 2 * slips ? editDistance(query, entry.form, slips) : null;
    return distance === null ? [] : [{ entry, distance }];
  });
  return candidates
    .reverse()
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_NEAR)
    .map(({ entry }) => entry);
}

function charactersOf({ name, detail }: SeenName): number {
  return name.length + (detail?.length ?? 0);
}

/** Slips allowed in a name of this length: one per four letters or part of four, at most three. */
function slipsIn({ length }: string): number {
  return length < 2 ? 0 : Math.min(3, Math.ceil(length / 4));
}

/** The name's set of letters in 32 bits: one bit each for a to z, six shared by all others. */
function lettersOf(form: string): number {
  let set = 0;
  for (let index = 0; index < form.length; index += 1) {
    const code = form.charCodeAt(index);
    set |= 1 << (code >= 97 && code <= 122 ? code - 97 : 26 + (code % 6));
  }
  return set;
}

/** Counts the set bits of a 32-bit number. */
function bitsIn(set: number): number {
  let counts = set - ((set >>> 1) & 0x55555555);
  counts = (counts & 0x33333333) + ((counts >>> 2) & 0x33333333);
  return Math.imul((counts + (counts >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * The number of insertions, deletions, substitutions and swaps of neighbours between two texts (optimal string
 * alignment); null for more than `limit`. Computes only cells that can stay within the limit: the cost is the
 * text's length times the limit.
 */
function editDistance(from: string, to: string, limit: number): number | null {
  if (Math.abs(from.length - to.length) > limit) return null;
  const beyond = limit + 1;
  // Three rows of the table, reused in rotation.
  let secondLast = new Uint8Array(to.length + 1);
  let lastRow = new Uint8Array(to.length + 1);
  let line = new Uint8Array(to.length + 1);
  for (let column = 0; column <= to.length; column += 1) lastRow[column] = Math.min(column, beyond);
  for (let row = 1; row <= from.length; row += 1) {
    const letter = from.charCodeAt(row - 1);
    const start = Math.max(1, row - limit);
    const end = Math.min(to.length, row + limit);
    line[start - 1] = start === 1 ? Math.min(row, beyond) : beyond;
    let least = beyond;
    for (let column = start; column <= end; column += 1) {
      const replaced = (lastRow[column - 1] ?? beyond) + (letter === to.charCodeAt(column - 1) ? 0 : 1);
      const removed = (lastRow[column] ?? beyond) + 1;
      const added = (line[column - 1] ?? beyond) + 1;
      let cost = Math.min(replaced, removed, added, beyond);
      const isSwapped =
        row > 1 &&
        column > 1 &&
        letter === to.charCodeAt(column - 2) &&
        from.charCodeAt(row - 2) === to.charCodeAt(column - 1);
      if (isSwapped) cost = Math.min(cost, (secondLast[column - 2] ?? beyond) + 1);
      line[column] = cost;
      least = Math.min(least, cost);
    }
    // Marks the cell just beyond the limit, which the next row reads.
    if (end < to.length) line[end + 1] = beyond;
    if (least > limit && (line[start - 1] ?? beyond) > limit) return null;
    [secondLast, lastRow, line] = [lastRow, line, secondLast];
  }
  const distance = lastRow[to.length] ?? beyond;
  return distance > limit ? null : distance;
}
