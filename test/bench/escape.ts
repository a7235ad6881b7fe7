/**
 * Names as a line says them, for the first time and again, beside the usual way: parse-lfs-message, stripping, and
 * escapeMarkdown. Not under the test runner, whose modules call each other through getters: that costs most where a
 * function is called for every character.
 */
import { escapeMarkdown } from 'discord.js';
import parseLFSMessage from 'parse-lfs-message';
import { escapeGameText } from '../../src/cards/kit/lines.ts';
import { toMarkdown } from '../../src/text/markdown.ts';
import { toPlainText } from '../../src/text/plain.ts';
import { median } from './beside/process-figures.ts';
import { everything, names } from './in-game-names.ts';

const bytes = names.map((name) => Buffer.from(name, 'latin1'));

const USUAL = 'parse, strip, escape';
const ways: Readonly<Record<string, () => unknown>> = {
  [USUAL]: () =>
    bytes.map((name) => escapeMarkdown(parseLFSMessage(name).replace(/\^[0-9]/g, ''), everything)),
  escaped: () => names.map((name) => toMarkdown(toPlainText(name))),
  'said again': () => names.map((name) => escapeGameText(name)),
};

const ROUNDS = 15;
const ROUND_MS = 100;

/** Microseconds for the five names. */
function once(way: () => unknown): number {
  const begun = performance.now();
  let done = 0;
  for (; performance.now() - begun < ROUND_MS; done += 100) for (let i = 0; i < 100; i += 1) way();
  return ((performance.now() - begun) * 1000) / done;
}

const times = Array.from({ length: ROUNDS }, () =>
  Object.entries(ways).map(([name, way]) => ({ name, micros: once(way) })),
).flat();
const medianOf = (way: string): number =>
  median(times.filter(({ name }) => name === way).map(({ micros }) => micros));
const row = (way: string) => ({
  'µs for five names': Number(medianOf(way).toFixed(2)),
  'times as fast': Number((medianOf(USUAL) / medianOf(way)).toFixed(1)),
});
console.table(Object.fromEntries(Object.keys(ways).map((way) => [way, row(way)])));
