/**
 * Names as a line says them, for the first time and again, beside the usual way: parse-lfs-message, stripping, and
 * escapeMarkdown. Not under the test runner, whose modules call each other through getters: that costs most where a
 * function is called for every character.
 */
import { escapeMarkdown } from 'discord.js';
import parseLFSMessage from 'parse-lfs-message';
import { said } from '../../src/cards/kit/lines.ts';
import { escaped } from '../../src/text/escaped.ts';
import { median } from './beside/process-figures.ts';
import { everything, names } from './in-game-names.ts';

const bytes = names.map((name) => Buffer.from(name, 'latin1'));

const ways: Readonly<Record<string, () => unknown>> = {
  'parse, strip, escape': () =>
    bytes.map((name) => escapeMarkdown(parseLFSMessage(name).replace(/\^[0-9]/g, ''), everything)),
  escaped: () => names.map((name) => escaped(name)),
  'said again': () => names.map((name) => said(name)),
};

const ROUNDS = 15;
const ROUND_MS = 100;

/** Microseconds for the five names. */
function once(way: () => unknown): number {
  const begun = performance.now();
  let times = 0;
  for (; performance.now() - begun < ROUND_MS; times += 100) for (let i = 0; i < 100; i += 1) way();
  return ((performance.now() - begun) * 1000) / times;
}

const rounds = Array.from({ length: ROUNDS }, () => Object.values(ways).map(once));
const [usual = Number.NaN, ...ours] = Object.keys(ways).map((_, way) =>
  median(rounds.map((round) => round[way] ?? Number.NaN)),
);
console.table(
  Object.fromEntries(
    [usual, ...ours].map((micros, way) => [
      Object.keys(ways)[way] ?? '',
      {
        'µs for five names': Number(micros.toFixed(2)),
        'times as fast': Number((usual / micros).toFixed(1)),
      },
    ]),
  ),
);
