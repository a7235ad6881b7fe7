import { escapeMarkdown } from 'discord.js';
import { test } from 'vitest';
import * as cutting from '../../src/text/cut.ts';
import * as escaping from '../../src/text/markdown.ts';
import * as scanning from '../../src/text/scan.ts';
import { everything, names } from './in-game-names.ts';

// Bound here once, since the test runner's getters for imports would weigh on our side alone.
const { cutText: cut } = cutting;
const { toMarkdown: markdown } = escaping;
const { scanText: scan } = scanning;

const ESCAPES = ['v|', 'a*', 'c:', 'd\\', 's/', 'q?', 't"', 'l<', 'r>', 'h#', '^^'];

/** How such text is usually stripped: one replacement after another. Wrong for `^^1`, and not in colour. */
function chainedReplaces(text: string): string {
  let result = text.replace(/\^[0-9]/g, '').replace(/\^[LGCETBJHSK]/g, '');
  for (const [code, character] of ESCAPES.map((pair) => [...pair])) {
    result = result.replaceAll(`^${code}`, character ?? '');
  }
  return result;
}

const hostile = '[a]('.repeat(200);
const long = '^1я^^'.repeat(20_000);

test('names: one scan to spans beside chained replaces to plain text', async ({ bench }) => {
  await bench.compare(
    bench('scan', () => {
      for (const name of names) scan(name);
    }),
    bench('chained replaces', () => {
      for (const name of names) chainedReplaces(name);
    }),
  );
});

test('100 000 characters: one scan beside chained replaces', async ({ bench }) => {
  await bench.compare(
    bench('scan', () => {
      scan(long);
    }),
    bench('chained replaces', () => {
      chainedReplaces(long);
    }),
  );
});

test('names: markdown beside escapeMarkdown of discord.js', async ({ bench }) => {
  await bench.compare(
    bench('markdown', () => {
      for (const name of names) markdown(name);
    }),
    bench('escapeMarkdown', () => {
      for (const name of names) escapeMarkdown(name, everything);
    }),
  );
});

test('800 hostile characters: markdown beside escapeMarkdown of discord.js', async ({ bench }) => {
  await bench.compare(
    bench('markdown', () => {
      markdown(hostile);
    }),
    bench('escapeMarkdown', () => {
      escapeMarkdown(hostile, everything);
    }),
  );
});

test('100 000 characters cut to 256: segmenting what is kept beside segmenting all', async ({ bench }) => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  await bench.compare(
    bench('cut', () => {
      cut(long, 256);
    }),
    bench('all graphemes', () => {
      let end = 0;
      for (const { index } of [...segmenter.segment(long)]) if (index <= 255) end = index;
      long.slice(0, end);
    }),
  );
});
