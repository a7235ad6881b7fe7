import { sameSpelling } from '../../service/models/identifiers.ts';
import { editDistance } from './edit-distance.ts';

/** Discord takes 25 choices for one autocomplete. */
const CHOICES = 25;
/** More would be a list to read, not a slip to correct. */
const NEAR = 3;

export interface Found {
  /** In the spelling seen last. */
  readonly name: string;
  /** What was last told with it, if anything ever was. */
  readonly detail: string | null;
}

/** Names in the order in which they were last seen, searched while somebody types. */
export interface NameIndex {
  /** Makes it the newest. The oldest go when there are too many. */
  add(name: string, detail?: string | null): void;
  has(name: string): boolean;
  /** Oldest first. */
  all(): readonly Found[];
  /** At most 25: names that begin with what was typed before those that have it inside, the newest of each first. */
  search(typed: string): readonly Found[];
  /** At most 3 that are spelled nearly like it, the nearest first, then the newest; empty where it is known itself. */
  near(typed: string): readonly Found[];
}

export interface NameLimits {
  readonly names: number;
  /** Of all names and details together, in UTF-16 units: two bytes each in memory, at most three in the store. */
  readonly characters: number;
}

interface Entry extends Found {
  readonly form: string;
  /** See {@link lettersOf}. */
  readonly letters: number;
}

/**
 * Every search looks at every name: over 50 000 of them that takes one to three milliseconds, which is less than a key
 * press, and an index that is kept up to date with every name seen on the live servers would cost more than it saves.
 */
export function createNameIndex(limits: NameLimits): NameIndex {
  /** By the name without its case, oldest first: a Map keeps the order in which keys were added. */
  const entries = new Map<string, Entry>();
  let characters = 0;

  function remove(key: string): Entry | null {
    const entry = entries.get(key);
    if (entry === undefined) return null;
    entries.delete(key);
    characters -= charactersOf(entry);
    return entry;
  }

  return {
    add(name, detail = null) {
      const form = searchForm(name);
      if (form === '') return;
      const key = sameSpelling(name);
      const known = remove(key);
      const entry = { name, detail: detail ?? known?.detail ?? null, form, letters: lettersOf(form) };
      entries.set(key, entry);
      characters += charactersOf(entry);
      for (const oldest of entries.keys()) {
        if (entries.size <= limits.names && characters <= limits.characters) break;
        remove(oldest);
      }
    },
    has: (name) => entries.has(sameSpelling(name)),
    all: () => [...entries.values()],
    search(typed) {
      const wanted = searchForm(typed);
      const beginning: Found[] = [];
      const inside: Found[] = [];
      for (const entry of entries.values()) {
        if (entry.form.startsWith(wanted)) beginning.push(entry);
        else if (entry.form.includes(wanted)) inside.push(entry);
      }
      const newest = [beginning, inside].flatMap((found) => found.slice(-CHOICES).reverse());
      return newest.slice(0, CHOICES);
    },
    near(typed) {
      if (entries.has(sameSpelling(typed))) return [];
      const wanted = searchForm(typed);
      const slips = slipsIn(wanted);
      if (slips === 0) return [];
      const letters = lettersOf(wanted);
      const found: { readonly entry: Entry; readonly distance: number }[] = [];
      for (const entry of entries.values()) {
        // A slip changes the set of letters by one that goes and one that comes: this rules out nine names of ten.
        if (bitsIn(letters ^ entry.letters) > 2 * slips) continue;
        const distance = editDistance(wanted, entry.form, slips);
        if (distance !== null) found.push({ entry, distance });
      }
      return found
        .reverse()
        .toSorted((a, b) => a.distance - b.distance)
        .slice(0, NEAR)
        .map(({ entry }) => entry);
    },
  };
}

function charactersOf({ name, detail }: Found): number {
  return name.length + (detail?.length ?? 0);
}

/** How many slips a name of this length may have: one for every four letters or part of them, three at most. */
function slipsIn({ length }: string): number {
  return length < 2 ? 0 : Math.min(3, Math.ceil(length / 4));
}

/** The set of its letters in 32 bits: a to z have one each, all else shares six. */
function lettersOf(form: string): number {
  let set = 0;
  for (let index = 0; index < form.length; index += 1) {
    const code = form.charCodeAt(index);
    set |= 1 << (code >= 97 && code <= 122 ? code - 97 : 26 + (code % 6));
  }
  return set;
}

/** How many bits are set in 32. */
function bitsIn(set: number): number {
  let left = set - ((set >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Whether a search for what was typed would find the name. */
export function matches(name: string, typed: string): boolean {
  return searchForm(name).includes(searchForm(typed));
}

/**
 * What a search compares: without case, marks, colour codes and compatibility forms, since nobody types those. Coarser
 * than the service, to which Jörg and Jorg are two drivers.
 */
function searchForm(name: string): string {
  return name.replace(/\^\d/g, '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
