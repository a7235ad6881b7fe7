import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toAnsi } from '../../src/text/ansi.ts';
import { cutRendered, cutSpans, cutText } from '../../src/text/cut.ts';
import { toMarkdown } from '../../src/text/markdown.ts';
import { scanText } from '../../src/text/scan.ts';
import { codePoint } from '../support/code-point.ts';
import { inGameText } from './in-game.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Every place at which the text may be cut, found over the whole text. */
function boundaries(text: string): number[] {
  return [...segmenter.segment(text)].map(({ index }) => index);
}

const graphemes = fc.oneof(inGameText, fc.string({ unit: 'grapheme' }), fc.string({ unit: codePoint }));
const limit = fc.integer({ min: 0, max: 40 });

describe('a text that is cut', () => {
  test.each([
    ['hello', 5, 'hello'],
    ['hello', 4, 'hel…'],
    ['hello', 1, '…'],
    ['hello', 0, ''],
    ['', 0, ''],
    ['👨‍👩‍👧👨‍👩‍👧', 9, '👨‍👩‍👧…'],
    ['👨‍👩‍👧👨‍👩‍👧', 8, '…'],
    ['e\u0301e\u0301', 3, 'e\u0301…'],
    ['e\u0301e\u0301', 2, '…'],
    ['🇨🇿🇩🇪', 6, '🇨🇿…'],
    ['😀', 1, '…'],
  ])('%s to %i', (text, limit, expected) => {
    expect(cutText(text, limit)).toBe(expected);
  });

  test('is the longest beginning of whole graphemes with an ellipsis, within the limit', () => {
    fc.assert(
      fc.property(graphemes, limit, (text, limit) => {
        const result = cutText(text, limit);
        expect(result.length).toBeLessThanOrEqual(limit);
        if (text.length <= limit) {
          expect(result).toBe(text);
        } else if (limit > 0) {
          const end = boundaries(text).findLast((index) => index < limit) ?? 0;
          expect(result).toBe(`${text.slice(0, end)}…`);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('never gets shorter with a greater limit', () => {
    fc.assert(
      fc.property(
        graphemes,
        limit,
        (text, limit) => cutText(text, limit).length <= cutText(text, limit + 1).length,
      ),
    );
  });

  test('may be one enormous grapheme', () => {
    expect(cutText(`a${'\u0301'.repeat(100_000)}`, 50_000)).toBe('…');
  });
});

describe('a coloured name that is cut', () => {
  test('keeps the colours of what is left', () => {
    expect(cutSpans(scanText('^1abc^2def^3ghi'), 5)).toEqual([
      { colour: 1, text: 'abc' },
      { colour: 2, text: 'd…' },
    ]);
    expect(cutSpans(scanText('^1abc^2def'), 4)).toEqual([
      { colour: 1, text: 'abc' },
      { colour: 2, text: '…' },
    ]);
    expect(cutSpans(scanText('^1abc'), 9)).toEqual([{ colour: 1, text: 'abc' }]);
    expect(cutSpans(scanText('^1abc'), 0)).toEqual([]);
  });

  test('says what the cut plain name says', () => {
    fc.assert(
      fc.property(inGameText, limit, (text, limit) => {
        const spans = scanText(text);
        const whole = spans.map((span) => span.text).join('');
        const pieces = cutSpans(spans, limit);
        expect(pieces.map((span) => span.text).join('')).toBe(cutText(whole, limit));
        expect(pieces.map((span) => span.colour)).toEqual(
          spans.slice(0, pieces.length).map((span) => span.colour),
        );
      }),
    );
  });
});

describe('a text that has to fit when it is rendered', () => {
  const renderings = [
    toMarkdown,
    (text: string) => toAnsi(scanText(text)),
    (text: string) => `**${toMarkdown(text)}**`,
  ];

  test('is rendered whole where it fits', () => {
    expect(cutRendered('a*b', 4, toMarkdown)).toBe('a\\*b');
  });

  test('is cut before it is escaped where it does not', () => {
    expect(cutRendered('a*b*c', 5, toMarkdown)).toBe('a\\*b…');
    expect(cutRendered('***', 3, toMarkdown)).toBe('\\*…');
    expect(cutRendered('***', 0, toMarkdown)).toBe('');
  });

  test('is the longest that fits, for markdown in or out of emphasis', () => {
    fc.assert(
      fc.property(
        inGameText,
        limit,
        fc.constantFrom(toMarkdown, renderings[3] ?? toMarkdown),
        (text, limit, render) => {
          const result = cutRendered(text, limit, render);
          expect(result.length).toBeLessThanOrEqual(limit);
          const candidates = Array.from({ length: text.length + 1 }, (_, length) =>
            render(cutText(text, length)),
          );
          expect(result).toBe(candidates.findLast((candidate) => candidate.length <= limit) ?? '');
        },
      ),
    );
  });

  test('costs few renderings, none of them longer than the limit', () => {
    let renderings = 0;
    const rendered = cutRendered('*'.repeat(100_000), 4096, (text) => {
      renderings++;
      expect(text.length).toBeLessThanOrEqual(4096);
      return toMarkdown(text);
    });
    expect(rendered).toBe(`${'\\*'.repeat(2047)}…`);
    expect(renderings).toBeLessThanOrEqual(13);
  });

  test('never exceeds the limit, whatever the rendering', () => {
    fc.assert(
      fc.property(inGameText, limit, fc.constantFrom(...renderings), (text, limit, render) => {
        expect(cutRendered(text, limit, render).length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
