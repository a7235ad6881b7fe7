/**
 * How long a search for suggestions takes over a full memory: `node test/bench/seen.bench.ts`. Ends with 1 if the
 * 99th percentile of any kind of typing is a millisecond or more.
 */
import { createNameIndex } from '../../src/store/name-index.ts';

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

let worst = 0;
for (const [what, typed] of Object.entries(typings)) {
  const times = Array.from({ length: ROUNDS }, () => {
    const text = typed();
    const start = performance.now();
    index.search(text);
    return performance.now() - start;
  }).toSorted((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(ROUNDS * share)] ?? Number.NaN;
  worst = Math.max(worst, at(0.99));
  console.log(`${what.padEnd(28)} p50 ${at(0.5).toFixed(3)} ms  p99 ${at(0.99).toFixed(3)} ms`);
}
process.exitCode = worst < 1 ? 0 : 1;
