import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPlainText } from '../../src/text/plain.ts';
import { type Span, scanText } from '../../src/text/scan.ts';
import examples from './examples.json' with { type: 'json' };
import { hostile, inGameText } from './in-game.ts';

function joined(spans: readonly Span[]): string {
  return spans.map((span) => span.text).join('');
}

describe('the published examples', () => {
  test.each(examples)('$input', ({ mode, input, segments, plain: expected }) => {
    const text = mode === 'json' ? String(JSON.parse(input)) : input;
    expect(scanText(text)).toEqual(segments);
    expect(toPlainText(text)).toBe(expected);
  });
});

describe('every code of in-game text', () => {
  test.each([0, 1, 2, 3, 4, 5, 6, 7] as const)('^%i is a colour', (colour) => {
    expect(scanText(`a^${colour}b`)).toEqual([
      { colour: 'default', text: 'a' },
      { colour, text: 'b' },
    ]);
  });

  test.each(['8', '9'])('^%s goes back to the default colour', (code) => {
    expect(scanText(`^1a^${code}b`)).toEqual([
      { colour: 1, text: 'a' },
      { colour: 'default', text: 'b' },
    ]);
  });

  test.each([...'LGCETBJHSK'])('^%s is a code page and dropped, and the colour stays', (code) => {
    expect(scanText(`^1a^${code}b`)).toEqual([{ colour: 1, text: 'ab' }]);
  });

  test.each([
    ['v', '|'],
    ['a', '*'],
    ['c', ':'],
    ['d', '\\'],
    ['s', '/'],
    ['q', '?'],
    ['t', '"'],
    ['l', '<'],
    ['r', '>'],
    ['h', '#'],
    ['^', '^'],
  ])('^%s is an escape for %s', (code, character) => {
    expect(scanText(`^2a^${code}b`)).toEqual([{ colour: 2, text: `a${character}b` }]);
  });

  test('a caret before anything else, or at the end, is kept with what follows', () => {
    const codes = '0123456789LGCETBJHSKvacdsqtlrh^';
    for (let unit = 0x20; unit < 0x7f; unit++) {
      const character = String.fromCharCode(unit);
      if (!codes.includes(character)) expect(toPlainText(`^${character}`)).toBe(`^${character}`);
    }
    expect(toPlainText('a^')).toBe('a^');
    expect(toPlainText('^é^日^😀')).toBe('^é^日^😀');
  });

  test('a caret that is escaped makes no code of what follows', () => {
    expect(scanText('^^1')).toEqual([{ colour: 'default', text: '^1' }]);
    expect(scanText('^^^1a')).toEqual([
      { colour: 'default', text: '^' },
      { colour: 1, text: 'a' },
    ]);
  });

  test('empty runs vanish, and runs of one colour that come to touch are one', () => {
    expect(scanText('^1a^2^3^1b')).toEqual([{ colour: 1, text: 'ab' }]);
    expect(scanText('a^8b^9c')).toEqual([{ colour: 'default', text: 'abc' }]);
    expect(scanText('^1a^2\u200b^1b')).toEqual([{ colour: 1, text: 'ab' }]);
    expect(scanText('')).toEqual([]);
  });
});

describe('cleaning', () => {
  test('reads C1 controls as Windows-1252, and removes the five undefined ones', () => {
    const windows1252 = new TextDecoder('windows-1252');
    for (let byte = 0x80; byte < 0xa0; byte++) {
      const control = String.fromCharCode(byte);
      const decoded = windows1252.decode(Uint8Array.of(byte));
      expect(toPlainText(`a${control}b`)).toBe(decoded === control ? 'ab' : `a${decoded}b`);
    }
  });

  test('a caret before such a byte is a caret', () => {
    expect(toPlainText('^\u0099')).toBe('^™');
  });

  test('each invisible control is removed', () => {
    const ranges = [
      [0x00, 0x08],
      [0x0e, 0x1f],
      [0x7f, 0x7f],
      [0xad, 0xad],
      [0x06_1c, 0x06_1c],
      [0x20_0b, 0x20_0f],
      [0x20_2a, 0x20_2e],
      [0x20_60, 0x20_69],
      [0xfe_ff, 0xfe_ff],
      [0xff_f9, 0xff_fb],
      [0xe_00_00, 0xe_00_7f],
    ] as const;
    for (const [first, last] of ranges) {
      for (let point = first; point <= last; point++) {
        expect(toPlainText(`a${String.fromCodePoint(point)}b`)).toBe('ab');
      }
    }
  });

  test('what is removed between a caret and a digit does not make a code of them', () => {
    expect(toPlainText('^\u200b1')).toBe('^1');
    expect(toPlainText('^\u00ad^\u00adv')).toBe('^^v');
  });

  test('what stands between other characters in real names stays', () => {
    const name = '[TC] »Ärger‹ ™ 日本語 Привет €\u00a0(1) \u3164 `_*|~#';
    expect(toPlainText(name)).toBe(name);
  });

  test('a line break or tab becomes one space, since a name is one line', () => {
    for (const lineBreak of ['\n', '\r\n', '\r', '\v', '\f', '\t', '\u2028', '\u2029']) {
      expect(toPlainText(`a${lineBreak}b`)).toBe('a b');
    }
  });

  test('keeps two combining marks a base, even if removed characters lie between', () => {
    expect(toPlainText('a\u0301\u0302\u0303b\u0301')).toBe('a\u0301\u0302b\u0301');
    expect(toPlainText('a\u0301\u200b\u0302\u200b\u0303')).toBe('a\u0301\u0302');
    expect(joined(scanText('a\u0301^1\u0302^2\u0303'))).toBe('a\u0301\u0302');
    expect(toPlainText('1\ufe0f\u20e3')).toBe('1\ufe0f\u20e3');
  });

  test("drops a mark before the first base, since it would sit on the card's own text", () => {
    expect(toPlainText('^1\u0301\u0302a\u0301')).toBe('a\u0301');
  });

  test('lone surrogates are dropped, and halves that a code keeps apart do not meet', () => {
    expect(toPlainText('a\ud83db\ude00c')).toBe('abc');
    expect(toPlainText('\ud83d^1\ude00')).toBe('');
    expect(toPlainText('\ud83d\u200b\ude00')).toBe('');
    expect(toPlainText('😀')).toBe('😀');
  });
});

describe('for any string', () => {
  test('the spans joined are the plain text', () => {
    fc.assert(fc.property(inGameText, (text) => joined(scanText(text)) === toPlainText(text)));
  });

  test('no span is empty and no two neighbours have one colour', () => {
    fc.assert(
      fc.property(inGameText, (text) =>
        scanText(text).every(
          (span, index, spans) => span.text !== '' && spans[index - 1]?.colour !== span.colour,
        ),
      ),
    );
  });

  test('is one well-formed line, without controls and without heaps of marks', () => {
    fc.assert(
      fc.property(inGameText, (text) => {
        const result = toPlainText(text);
        expect(result).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
        expect(result).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u061c\ufeff\u00ad]/u);
        expect(result).not.toMatch(/\p{M}{3}|^\p{M}/u);
      }),
    );
  });

  test('plain text comes back unchanged when its carets are escaped', () => {
    fc.assert(
      fc.property(inGameText, (text) => {
        const once = toPlainText(text);
        expect(toPlainText(once.replaceAll('^', '^^'))).toBe(once);
      }),
    );
  });

  test('bounds the work: no longer text, and at least three characters a span', () => {
    fc.assert(
      fc.property(inGameText, (text) => {
        const spans = scanText(text);
        expect(joined(spans).length).toBeLessThanOrEqual(text.length);
        expect(spans.length).toBeLessThanOrEqual((text.length + 2) / 3);
      }),
    );
  });

  test('runs that are written down in codes are read back', () => {
    const escapes = new Map(
      [...'|*:\\/?"<>#^'].map((character, index) => [character, [...'vacdsqtlrh^'][index]]),
    );
    const colour = fc.constantFrom<Span['colour']>(0, 1, 2, 3, 4, 5, 6, 7, 'default');
    const run = fc.record({
      colour,
      text: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 }),
    });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 10 }), (runs) => {
        const written = runs
          .map(({ colour, text }) => {
            const characters = [...text].map((character) => {
              const code = escapes.get(character);
              return code === undefined ? character : `^${code}`;
            });
            return `^${colour === 'default' ? 8 : colour}${characters.join('')}`;
          })
          .join('');
        const merged: Span[] = [];
        for (const next of runs) {
          const last = merged.at(-1);
          if (last?.colour === next.colour) merged.splice(-1, 1, { ...last, text: last.text + next.text });
          else merged.push(next);
        }
        expect(scanText(written)).toEqual(merged);
      }),
    );
  });
});

test('a hundred thousand of anything unkind is read to its end', () => {
  for (const part of [...hostile, '^', '^^', '^1', '^1a', 'a^', '\u0301', '\u200b', '\u0085', '日']) {
    const text = part.repeat(Math.ceil(100_000 / part.length));
    expect(joined(scanText(text)).length).toBeLessThanOrEqual(text.length);
  }
});
