import { editDistance } from './edit-distance.ts';

/** Choices that chat takes for one autocomplete (field notes §3). */
const CHOICES = 25;
/** More would be a list to read, not a slip to mend. */
const NEAR = 3;

/** Names in the order of their last sighting, searched while somebody types. */
export interface NameIndex {
  /** Makes it the newest; the spelling seen last is the one that is shown. The oldest goes when there are too many. */
  add(name: string): void;
  /** Oldest first. */
  names(): readonly string[];
  /** At most 25: names that begin with it before those that have it inside, the newest of each first. */
  search(typed: string): readonly string[];
  /** At most 3 that are written nearly like it, the nearest first, then the newest; empty where it stands here itself. */
  near(typed: string): readonly string[];
}

/**
 * The newest stand at the end of a list of slots; a name that is seen again moves there and leaves a hole. Beside
 * each slot stand the sets of its letters and of its letter pairs, 32 and 64 bits: they rule out nearly every name
 * without touching its text, so that a search takes a fraction of a millisecond over 50 000 names.
 */
export function createNameIndex(limit: number): NameIndex {
  // Every hole is looked at by every search; fewer of them cost more moves when they are closed.
  const capacity = limit + Math.ceil(limit / 4);
  /** Folded name → its slot, oldest first: a Map keeps the order in which keys were added. */
  const slots = new Map<string, number>();
  const entries: ({ readonly folded: string; readonly shown: string } | null)[] = [];
  const letters = new Uint32Array(capacity);
  const pairs = new Uint32Array(capacity);
  const morePairs = new Uint32Array(capacity);

  function append(folded: string, shown: string): void {
    const slot = entries.length;
    slots.set(folded, slot);
    letters[slot] = lettersOf(folded);
    [pairs[slot], morePairs[slot]] = pairsOf(folded);
    entries.push({ folded, shown });
  }

  function remove(folded: string): void {
    const slot = slots.get(folded);
    if (slot === undefined) return;
    slots.delete(folded);
    entries[slot] = null;
  }

  function closeHoles(): void {
    let next = 0;
    for (const [slot, entry] of entries.entries()) {
      if (entry === null) continue;
      slots.set(entry.folded, next);
      letters[next] = letters[slot] ?? 0;
      pairs[next] = pairs[slot] ?? 0;
      morePairs[next] = morePairs[slot] ?? 0;
      entries[next] = entry;
      next += 1;
    }
    entries.length = next;
  }

  return {
    add(name) {
      const folded = fold(name);
      if (folded === '') return;
      remove(folded);
      const [oldest] = slots.keys();
      if (slots.size >= limit && oldest !== undefined) remove(oldest);
      if (entries.length === capacity) closeHoles();
      append(folded, name);
    },
    names: () => entries.flatMap((entry) => entry?.shown ?? []),
    search(typed) {
      const wanted = fold(typed);
      const wantedLetters = lettersOf(wanted);
      const [wantedPairs, wantedMore] = pairsOf(wanted);
      const beginning: string[] = [];
      const inside: string[] = [];
      for (let slot = entries.length - 1; slot >= 0 && beginning.length < CHOICES; slot -= 1) {
        // One test of all sets: several in a row are mispredicted as many times as often, which is most of the time spent.
        const lacking =
          (wantedLetters & ~(letters[slot] ?? 0)) |
          (wantedPairs & ~(pairs[slot] ?? 0)) |
          (wantedMore & ~(morePairs[slot] ?? 0));
        if (lacking !== 0) continue;
        const entry = entries[slot];
        if (entry === null || entry === undefined) continue;
        if (entry.folded.startsWith(wanted)) beginning.push(entry.shown);
        else if (inside.length < CHOICES && entry.folded.includes(wanted)) inside.push(entry.shown);
      }
      return [...beginning, ...inside].slice(0, CHOICES);
    },
    near(typed) {
      const wanted = fold(typed);
      if (slots.has(wanted)) return [];
      const slips = slipsIn(wanted);
      const wantedLetters = lettersOf(wanted);
      const found: { readonly shown: string; readonly distance: number }[] = [];
      for (let slot = entries.length - 1; slot >= 0 && slips > 0; slot -= 1) {
        // A slip changes the set of letters by one that goes and one that comes.
        if (bitsIn(wantedLetters ^ (letters[slot] ?? 0)) > 2 * slips) continue;
        const entry = entries[slot];
        if (entry === null || entry === undefined) continue;
        const distance = editDistance(wanted, entry.folded, slips);
        if (distance !== null) found.push({ shown: entry.shown, distance });
      }
      return found
        .toSorted((a, b) => a.distance - b.distance)
        .slice(0, NEAR)
        .map(({ shown }) => shown);
    },
  };
}

/** How many slips a name of this length may have: one for every four letters or part of them, three at most. */
function slipsIn({ length }: string): number {
  return length < 2 ? 0 : Math.min(3, Math.ceil(length / 4));
}

function bitsIn(set: number): number {
  let left = set - ((set >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Whether a search for what was typed would find the name. */
export function matches(name: string, typed: string): boolean {
  return fold(name).includes(fold(typed));
}

/** What two spellings of a name have in common: case, marks, colour codes and compatibility forms do not count. */
function fold(name: string): string {
  return name.replace(/\^\d/g, '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** a to z have a bit each, all else shares six. */
function lettersOf(folded: string): number {
  let set = 0;
  for (let index = 0; index < folded.length; index += 1) {
    const code = folded.charCodeAt(index);
    set |= 1 << (code >= 97 && code <= 122 ? code - 97 : 26 + (code % 6));
  }
  return set;
}

/** Sixty-four bits in two halves. The two multipliers are odd and spread neighbouring codes over all of them. */
function pairsOf(folded: string): [number, number] {
  let low = 0;
  let high = 0;
  for (let index = 1; index < folded.length; index += 1) {
    const first = Math.imul(folded.charCodeAt(index - 1), 0x9e3779b1);
    const second = Math.imul(folded.charCodeAt(index), 0x85ebca6b);
    const bit = (first ^ second) >>> 26;
    if (bit < 32) low |= 1 << bit;
    else high |= 1 << (bit - 32);
  }
  return [low, high];
}
