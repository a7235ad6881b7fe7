import { parse } from 'discord-markdown-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasColour, toAnsi } from '../../src/text/ansi.ts';
import { toPlainText } from '../../src/text/plain.ts';
import { scanText } from '../../src/text/scan.ts';
import { hostile, inGameText } from './in-game.ts';

const ESCAPE = '\u001b';

/** Reads a line of a block as Discord does: one code after another, each character in the current colour. */
function read(line: string): { code: number; character: string }[] {
  const nodes = parse(`\`\`\`ansi\n${line}\n\`\`\``, 'extended');
  expect(nodes).toHaveLength(1);
  expect(nodes[0]).toMatchObject({ type: 'codeBlock', lang: 'ansi' });
  const result: { code: number; character: string }[] = [];
  let code = 0;
  for (const part of String(nodes[0]?.['content']).split(new RegExp(`(${ESCAPE}\\[\\d+m)`))) {
    const digits = /^.\[(\d+)m$/.exec(part)?.[1];
    if (part.startsWith(ESCAPE)) code = Number(digits);
    else for (const character of part) result.push({ code, character });
  }
  return result;
}

test('gives each colour its code; black and white are readable on every theme', () => {
  const line = toAnsi(scanText('a^0b^1c^2d^3e^4f^5g^6h^7i^8j'));
  expect(read(line).map(({ code }) => code)).toEqual([0, 0, 31, 32, 33, 34, 35, 36, 0, 0]);
});

test('what follows a name is in the default colour again', () => {
  expect(toAnsi(scanText('^1Red ^8Racer'))).toBe(`${ESCAPE}[31mRed ${ESCAPE}[0mRacer`);
  expect(toAnsi(scanText('^1Red'))).toBe(`${ESCAPE}[31mRed${ESCAPE}[0m`);
  expect(toAnsi([])).toBe('');
});

describe('nothing in a name closes the fence', () => {
  test.each([
    '```',
    '``^1`',
    '`^1``',
    '^1``^0``',
    'a^0``^8``',
    '`'.repeat(50),
    '^1```js\n```',
    '`^1`^2`^3`',
    ...hostile.filter((name) => toPlainText(name) !== ''),
  ])('%j', (name) => {
    const characters = read(toAnsi(scanText(name))).map(({ character }) => character);
    expect(characters.join('')).toBe(toPlainText(name));
  });

  test('for any name, and every character keeps its colour', () => {
    fc.assert(
      fc.property(inGameText, (input) => {
        const spans = scanText(input);
        fc.pre(spans.length > 0);
        const line = toAnsi(spans);
        expect(line).not.toMatch(/[\n\r\u2028\u2029]|```/);
        const expected = spans.flatMap(({ colour, text }) =>
          [...text].map((character) => ({
            code: colour === 'default' || colour === 0 || colour === 7 ? 0 : 30 + colour,
            character,
          })),
        );
        expect(read(line)).toEqual(expected);
      }),
    );
  });

  test('and it stays short: at most one code for two characters, besides the last', () => {
    fc.assert(
      fc.property(inGameText, (input) => {
        const spans = scanText(input);
        const text = toPlainText(input);
        const codes = toAnsi(spans).split(ESCAPE).length - 1;
        expect(codes).toBeLessThanOrEqual(spans.length + text.length / 2 + 1);
      }),
    );
  });
});

describe('colouring says more than the plain name', () => {
  test.each(['^1Red', 'a^2b', '^7White ^3yellow'])('for %s', (name) => {
    expect(hasColour(scanText(name))).toBe(true);
  });

  test.each(['', 'plain', '^0black', '^7white', '^7a^0b^8c', '^1 ^8a', '^^1a'])('not for "%s"', (name) => {
    expect(hasColour(scanText(name))).toBe(false);
  });
});
