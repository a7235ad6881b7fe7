/** A seeded random source: the same seed and label always give the same numbers, on every machine. */
export interface Random {
  /** From 0 up to but not including 1. */
  next(): number;
  /** An integer from `from` to `to`, both included. */
  whole(from: number, to: number): number;
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** A shuffled copy of the list. */
  shuffled<T>(list: readonly T[]): T[];
}

/** FNV-1a over the UTF-16 units: hashes seed and label to 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/**
 * A counter with an odd step, then mixed (the splitmix idea in 32 bits). Each label has its own stream, so that an
 * extra draw in one place does not change the others.
 */
export function createRandom(seed: number, label: string): Random {
  let counter = hash(`${seed}/${label}`);
  const next = (): number => {
    counter = (counter + 0x9e3779b9) >>> 0;
    let mixed = counter;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    whole,
    between: (from, to) => from + next() * (to - from),
    chance: (probability) => next() < probability,
    pick: (list) => list[whole(0, list.length - 1)] ?? list[0],
    shuffled: (list) =>
      list
        .map((item) => ({ item, rank: next() }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ item }) => item),
  };
}
