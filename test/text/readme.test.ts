import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ansi } from '../../src/text/ansi.ts';
import { markdown } from '../../src/text/markdown.ts';
import { plain } from '../../src/text/plain.ts';
import { scan } from '../../src/text/scan.ts';

/** The cells of every row of the table, each of which is code. */
const rows = readFileSync(new URL('../../src/text/README.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => Array.from(line.matchAll(/`([^`]*)`/g), ([, cell = '']) => cell));

test('the README of the room has a table of cases', () => {
  expect(rows.length).toBeGreaterThan(5);
});

test.each(rows)('the README is right about %s', (written, ...outputs) => {
  const input = z.string().parse(JSON.parse(`"${written}"`));
  const block = ansi(scan(input)).replaceAll('\u001b', '␛');
  expect(outputs).toEqual([plain(input), markdown(plain(input)), block]);
});
