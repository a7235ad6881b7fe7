import fc from 'fast-check';
import { codePoint } from '../support/code-point.ts';

/** Names as hostile as people make them: text that Discord takes for markup, control characters, piles of marks. */
export const hostile = [
  '@everyone',
  '@here',
  '<@123456789012345678>',
  '<@!123456789012345678>',
  '<@&123456789012345678>',
  '<#123456789012345678>',
  '</profile:123456789012345678>',
  '<id:customize>',
  '<123456789012345678:browse>',
  '<sound:123456789012345678>',
  '<:car:123456789012345678>',
  '<a:car:123456789012345678>',
  ':police_car:',
  '<t:1700000000:R>',
  '<t:1700000000>',
  'https://evil.example/a',
  'http://evil.example/(a)',
  'steam://run/1',
  '<https://evil.example>',
  '<mailto:a@evil.example>',
  '<a@evil.example>',
  '<+441234567890>',
  'discord.gg/abc',
  'discord.com/invite/abc',
  'www.evil.example',
  '[free money](https://evil.example)',
  '](https://evil.example)',
  '[a](<https://evil.example> "b")',
  '**bold**',
  '*em*',
  '__under__',
  '_em_',
  '***all***',
  '~~gone~~',
  '||spoiler||',
  '`code`',
  '``co`de``',
  '```',
  '```js\nalert()\n```',
  '````',
  '# heading',
  '### heading',
  '-# subtext',
  '> quote',
  '>>> quote',
  '- item',
  '* item',
  '+ item',
  '1. item',
  '12. item',
  '---',
  '| a | b |',
  '\\*',
  '\\',
  '\\\\',
  '¯\\_(ツ)_/¯',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '&amp;',
  '\u001b[31m',
  '\u202e\u2066\u200f',
  'a\u200bb',
  '\r\n\u2028\u0085',
  `a${'\u0301'.repeat(40)}`,
  '\ud83d',
  '\ude00',
  '👨‍👩‍👧',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '™»‹›\u00a0\u00ad',
  '日本語 Привет',
  '[TC]',
];

const codes = [...'0123456789LGCETBJHSKvacdsqtlrh^'].map((code) => `^${code}`);

// Any UTF-16 code units at all, lone surrogates among them.
const units = fc
  .array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 8 })
  .map((values) => String.fromCharCode(...values));

/** Any string, but far more often one with colour codes, escapes and hostile parts in it. */
export const inGameText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...codes),
      fc.constantFrom(...hostile),
      fc.constantFrom('^', '`', '``', '\\', ' ', '\n', '\u0301', '\u200b', '\u0095'),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.string({ unit: codePoint, maxLength: 6 }),
      units,
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
