/**
 * How long a search for suggestions, and one for what was nearly typed, takes over a full memory:
 * `node test/bench/seen.ts`. Ends with 1 if the 99th percentile of any kind of typing is a millisecond or more,
 * or that of any kind of slip 25: suggestions come with every letter, the other after a miss, which cost a request.
 */
import { createNameIndex } from '../../src/store/names/name-index.ts';

const NAMES = 50_000;
const ROUNDS = 2000;

/** A small generator with a fixed seed (mulberry32), so that two runs measure the same. */
let state = 1;
function random(below: number): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
}

const alphabets = ['abcdefghijklmnoprstuvwyz', 'aeiounrstlABC_0123456789', 'абвгдежзиклмнопрстуф', 'ÄöüéñŁß'];
const name = (): string => {
  const letters = alphabets[random(10) < 7 ? random(2) : random(alphabets.length)] ?? '';
  return Array.from({ length: 4 + random(14) }, () => letters[random(letters.length)]).join('');
};

const index = createNameIndex(NAMES);
for (let count = 0; count < NAMES * 3; count += 1) index.add(name());
const names = index.names();
const pick = (): string => names[random(names.length)] ?? '';

const typings: Record<string, () => string> = {
  nothing: () => '',
  'one letter': () => pick().slice(0, 1),
  'one rare letter': () => 'qxzж%~7Ł'[random(8)] ?? '',
  'the beginning of a name': () => pick().slice(0, 2 + random(4)),
  'the middle of a name': () => pick().slice(2, 4 + random(4)),
  'what nobody is called': () => `${name().slice(0, 3)}q${name().slice(0, 2)}`,
  'one letter again and again': () => 'a'.repeat(2 + random(8)),
};

const without = (text: string, place: number): string => text.slice(0, place) + text.slice(place + 1);

const slips: Record<string, () => string> = {
  'a letter left out': () => without(pick(), 1),
  'two letters left out': () => without(without(pick(), 3), 1),
  'another name altogether': () => name(),
  'one letter many times': () => 'a'.repeat(5 + random(10)),
  'the longest name': () => Array.from({ length: 6 }, name).join('').slice(0, 64),
};

/** The 99th percentile of the worst kind, in milliseconds. */
function measure(
  kinds: Record<string, () => string>,
  rounds: number,
  search: (text: string) => unknown,
): number {
  const worst = Object.entries(kinds).map(([what, typed]) => {
    const times = Array.from({ length: rounds }, () => {
      const text = typed();
      const start = performance.now();
      search(text);
      return performance.now() - start;
    }).toSorted((a, b) => a - b);
    const at = (share: number): number => times[Math.floor(rounds * share)] ?? Number.NaN;
    console.log(`${what.padEnd(28)} p50 ${at(0.5).toFixed(3)} ms  p99 ${at(0.99).toFixed(3)} ms`);
    return at(0.99);
  });
  return Math.max(...worst);
}

const suggesting = measure(typings, ROUNDS, index.search);
const mending = measure(slips, ROUNDS / 4, index.near);
process.exitCode = suggesting < 1 && mending < 25 ? 0 : 1;
