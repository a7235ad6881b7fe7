import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html } from '../../src/text/html.ts';
import { plain } from '../../src/text/plain.ts';
import { scan } from '../../src/text/scan.ts';
import { inGameText } from './in-game.ts';

test('a coloured run is a span with the colour of the game, the default colour stands bare', () => {
  expect(html(scan('a^0b^1c^2d^3e^4f^5g^6h^7i^8j'))).toBe(
    [
      'a',
      '<span style="color:#000000">b</span>',
      '<span style="color:#ff0000">c</span>',
      '<span style="color:#00ff00">d</span>',
      '<span style="color:#ffff00">e</span>',
      '<span style="color:#0000ff">f</span>',
      '<span style="color:#ff00ff">g</span>',
      '<span style="color:#00ffff">h</span>',
      '<span style="color:#ffffff">i</span>',
      'j',
    ].join(''),
  );
});

test('what HTML would read as its own is escaped', () => {
  expect(html(scan('^lscript^r&"\''))).toBe('&lt;script&gt;&amp;&quot;&#39;');
});

test('for any text there are no tags but our spans, and the text is the plain one', () => {
  const entities = new Map([
    ['&amp;', '&'],
    ['&lt;', '<'],
    ['&gt;', '>'],
    ['&quot;', '"'],
    ['&#39;', "'"],
  ]);
  fc.assert(
    fc.property(inGameText, (input) => {
      const text = html(scan(input)).replace(/<span style="color:#[0f]{6}">([^<>]+)<\/span>/g, '$1');
      expect(text).not.toMatch(/[<>"']/);
      expect(text.replace(/&[^;]*;/g, (entity) => entities.get(entity) ?? 'not an entity')).toBe(
        plain(input),
      );
    }),
  );
});
