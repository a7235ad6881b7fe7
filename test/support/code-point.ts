import fc from 'fast-check';

const SURROGATES = { first: 0xd8_00, count: 0x8_00 };
const LAST = 0x10_ff_ff;

/**
 * Any code point but surrogates, as a `unit` of strings. The same as fast-check's own `binary`, which makes a table of
 * all million of them before its first string: a second, and 100 MB for as long as the process lives.
 */
export const codePoint: fc.Arbitrary<string> = fc.nat(LAST - SURROGATES.count).map(
  (nth) => String.fromCodePoint(nth < SURROGATES.first ? nth : nth + SURROGATES.count),
  (unit) => {
    const code = typeof unit === 'string' ? unit.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== unit) throw new Error('not one code point');
    if (code < SURROGATES.first) return code;
    if (code < SURROGATES.first + SURROGATES.count) throw new Error('a surrogate');
    return code - SURROGATES.count;
  },
);
