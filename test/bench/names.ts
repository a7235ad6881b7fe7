/**
 * How long a search for suggestions, and one for what was nearly typed, takes, and how much memory the names and how
 * long their saving, from ten names to four times as many as are kept: `npm run bench -- names`. Ends with 1 if over the
 * 50 000 that are kept the 99th percentile of any kind of typing is 5 ms or more, or that of any kind of slip 100:
 * suggestions come with every key, the other after a miss, which cost a request.
 */

import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Keyv } from 'keyv';
import { createNameIndex } from '../../src/command-kit/names/name-index.ts';
import { openRecentNames } from '../../src/command-kit/names/recent-names.ts';

/** As many as are kept. */
const KEPT = 50_000;
const QUESTIONS = 100;
/** Each question is asked so often, and its quickest time counts: the others tell of what else the machine does. */
const TIMES = 5;

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

function filled(size: number) {
  const index = createNameIndex({ names: size, characters: Number.POSITIVE_INFINITY });
  while (index.all().length < size) for (let count = 0; count < size; count += 1) index.add(name());
  return index;
}

/** Every kind of text that is searched for, by what it is. */
function questionsFor(index: ReturnType<typeof filled>) {
  const names = index.all();
  const pick = (): string => names[random(names.length)]?.name ?? '';
  const typing: Record<string, () => string> = {
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

  return { typing, slips };
}

/** The 99th percentile of each kind of question, in milliseconds. */
function measure(
  kinds: Record<string, () => string>,
  search: (text: string) => unknown,
): Record<string, number> {
  const worst = Object.entries(kinds).map(([what, ask]): [string, number] => {
    const times = Array.from({ length: QUESTIONS }, () => {
      const text = ask();
      return Math.min(...Array.from({ length: TIMES }, () => took(() => search(text))));
    }).toSorted((a, b) => a - b);
    return [what, times[Math.floor(QUESTIONS * 0.99)] ?? Number.NaN];
  });
  return Object.fromEntries(worst);
}

function took(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

v8.setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');
/** Bytes in use once everything is gone that nobody holds. */
function heapUsed(): number {
  if (typeof collectGarbage === 'function') collectGarbage();
  return process.memoryUsage().heapUsed;
}

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0).padStart(8);

const kept = filled(KEPT);
const { typing, slips } = questionsFor(kept);
const suggesting = measure(typing, kept.search);
const correcting = measure(slips, kept.near);
console.log(`p99 over ${KEPT} names, in ms`);
for (const [what, p99] of Object.entries({ ...suggesting, ...correcting }))
  console.log(`${what.padEnd(28)}${ms(p99)}`);

console.log('\n   names    memory, kB   search p99   near p99   save, ms   saved, kB');
for (const size of [10, 100, 1000, 10_000, KEPT, 4 * KEPT]) {
  const before = heapUsed();
  const index = filled(size);
  const memory = heapUsed() - before;
  const questions = questionsFor(index);
  const search = Math.max(...Object.values(measure(questions.typing, index.search)));
  const near = Math.max(...Object.values(measure(questions.slips, index.near)));
  const store = new Keyv();
  const recentNames = await openRecentNames(store, {
    now: Date.now,
    failed: (error) => {
      throw error;
    },
    limits: { names: size, characters: Number.POSITIVE_INFINITY },
  });
  recentNames.learn({ players: index.all().map((each) => each.name), vins: [] }, 0);
  const begun = performance.now();
  await recentNames.save();
  const saving = performance.now() - begun;
  const bytes = JSON.stringify(await store.get('all')).length;
  console.log(
    `${String(size).padStart(8)}${(memory / 1024).toFixed(0).padStart(13)} ${ms(search)}     ${ms(near)}   ${ms(saving)}    ${(bytes / 1024).toFixed(0).padStart(8)}`,
  );
}
const isQuick = Math.max(...Object.values(suggesting)) < 5 && Math.max(...Object.values(correcting)) < 100;
process.exitCode = isQuick ? 0 : 1;
