import { parse, rulesExtended, SimpleMarkdown } from 'discord-markdown-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toMarkdown } from '../../src/text/markdown.ts';
import { toPlainText } from '../../src/text/plain.ts';
import { codePoint } from '../support/code-point.ts';
import { hostile, inGameText } from './in-game.ts';

type Node = ReturnType<typeof parse>[number];

/** What Discord shows: the text itself and emoji, or undefined if there is any markup in it. */
function shown(nodes: readonly Node[]): string | undefined {
  let text = '';
  for (const node of nodes) {
    if (node['type'] === 'text') text += node['content'];
    else if (node['type'] === 'twemoji') text += node['name'];
    else return undefined;
  }
  return text;
}

/** A rule that Discord has and the parser lacks; `atLineStart` where it applies only there. */
function rule(pattern: RegExp, atLineStart = false): (typeof rulesExtended)[string] {
  return {
    order: 0,
    match: (source, _state, previous) =>
      atLineStart && !/^$|\n *$/.test(previous) ? null : pattern.exec(source),
    parse: () => ({}),
  };
}

const everyRule = SimpleMarkdown.parserFor({
  ...rulesExtended,
  list: rule(/^ *(?:[*+-]|\d+\.) +\S/, true),
  namedEmoji: rule(/^:[^\s:]+:/),
  address: rule(/^<[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+>/),
  telephone: rule(/^<(?:(?:tel|sms):)?\+?\d[\d -]+>/),
  sound: rule(/^<sound:\d+>/),
  guide: rule(/^<id:\w+>/),
});

const grammars = [
  (text: string) => parse(text, 'normal'),
  (text: string) => parse(text, 'extended'),
  (text: string) => everyRule(text, { inline: true }),
];

describe('Discord shows the text as it is', () => {
  test.each(hostile)('%j', (name) => {
    const text = toPlainText(name);
    for (const grammar of grammars) expect(shown(grammar(toMarkdown(text)))).toBe(text);
  });

  test('the grammar that judges it does find markup in the same names unescaped', () => {
    const found = hostile.filter(
      (name) => shown(everyRule(toPlainText(name), { inline: true })) !== toPlainText(name),
    );
    expect(found.length).toBeGreaterThan(45);
  });

  test('for any in-game text', () => {
    fc.assert(
      fc.property(inGameText, (input) => {
        const text = toPlainText(input);
        for (const grammar of grammars) expect(shown(grammar(toMarkdown(text)))).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test('also after the words and opening brackets of a card', () => {
    fc.assert(
      fc.property(inGameText, (input) => {
        const text = toPlainText(input);
        for (const before of ['[TC] [', 'Owner (', 'a: ', 'x <', '1', '\\']) {
          // The card's own lone backslash would be an escape for what follows: a letter keeps it one.
          const lead = before === '\\' ? '\\a' : before;
          expect(shown(parse(lead + toMarkdown(text), 'extended'))).toBe(lead + text);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('inside emphasis of a card, which it does not end', () => {
    fc.assert(
      fc.property(inGameText, (input) => {
        const text = toPlainText(input);
        fc.pre(text !== '');
        const [strong, ...others] = parse(`**${toMarkdown(text)}**`, 'extended');
        expect(others).toEqual([]);
        expect(strong?.['type']).toBe('strong');
        expect(shown(strong?.['content'])).toBe(text);
      }),
      { numRuns: 150 },
    );
  });
});

describe('the raw text', () => {
  test('holds nothing that a search for mentions, addresses or fences would find', () => {
    const searches = [
      /<@[!&]?\d+>/,
      /<#\d+>/,
      /<a?:\w+:\d+>/,
      /<t:-?\d+/,
      /<\/[^>]+:\d+>/,
      /<(?:id|sound):/,
      /[a-z]:\/\//i,
      /discord(?:app)?\.(?:gg|com)/i,
      /www\./i,
      /(?<!\\)(?:\\\\)*</,
      /\]\(/,
      /``/,
      /(?<!\\)@(?:everyone|here)/,
    ];
    fc.assert(
      fc.property(inGameText, (input) => {
        const escaped = toMarkdown(toPlainText(input));
        for (const search of searches) expect(escaped).not.toMatch(search);
      }),
    );
  });

  test('has a backslash only before ASCII punctuation, where Discord does not show it', () => {
    fc.assert(
      fc.property(inGameText, (input) => {
        const escaped = toMarkdown(toPlainText(input));
        expect(escaped.replace(/\\[!-/:-@[-`{-~]/g, '')).not.toContain('\\');
      }),
    );
  });

  test('has as many lines as before, and at most twice the length', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const escaped = toMarkdown(text);
        expect(escaped.split('\n')).toHaveLength(text.split('\n').length);
        expect(escaped.length).toBeLessThanOrEqual(2 * text.length);
      }),
    );
  });

  test('can be joined from parts: no character depends on its neighbours', () => {
    fc.assert(
      fc.property(inGameText, inGameText, (a, b) => toMarkdown(a) + toMarkdown(b) === toMarkdown(a + b)),
    );
  });

  test('leaves ordinary names alone', () => {
    expect(toMarkdown("Tom & Jerry's €5 »日本語« Привет 100%!")).toBe(
      "Tom & Jerry's €5 »日本語« Привет 100%!",
    );
  });
});
