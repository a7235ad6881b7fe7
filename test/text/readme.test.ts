import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toAnsi } from '../../src/text/ansi.ts';
import { toMarkdown } from '../../src/text/markdown.ts';
import { toPlainText } from '../../src/text/plain.ts';
import { scanText } from '../../src/text/scan.ts';

/** The cells of every row of the table, each of which is code. */
const rows = readFileSync(new URL('../../src/text/README.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => Array.from(line.matchAll(/`([^`]*)`/g), ([, cell = '']) => cell));

test('the README of the module has a table of cases', () => {
  expect(rows.length).toBeGreaterThan(5);
});

test.each(rows)('the README is right about %s', (written, ...outputs) => {
  const input = z.string().parse(JSON.parse(`"${written}"`));
  const block = toAnsi(scanText(input)).replaceAll('\u001b', '␛');
  expect(outputs).toEqual([toPlainText(input), toMarkdown(toPlainText(input)), block]);
});
