import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/sandbox/page/markdown.ts';
import type { Mark } from '../../../src/sandbox/page/protocol.ts';

const parse = (source: string): readonly Mark[] =>
  parseMarkdown(source, (kind, id) => (id === '12345678901234567' ? `the ${kind}` : null));

/** The letters that are left when all marks are taken off. */
function textOf(marks: readonly Mark[]): string {
  return marks
    .map((mark) => {
      if (mark.type === 'break') return '\n';
      if (mark.type === 'timestamp') return String(mark.seconds);
      if (mark.type === 'code-block') return mark.runs.map(({ text }) => text).join('');
      if (mark.type === 'list') return mark.items.map(textOf).join('\n');
      if (mark.type === 'unnamed') return mark.kind;
      return 'marks' in mark ? textOf(mark.marks) : mark.text;
    })
    .join('');
}

function flat(marks: readonly Mark[]): readonly Mark[] {
  return marks.flatMap((mark) => {
    if (mark.type === 'list') return [mark, ...mark.items.flatMap(flat)];
    return 'marks' in mark ? [mark, ...flat(mark.marks)] : [mark];
  });
}

const text = (content: string): Mark => ({ type: 'text', text: content });

describe('Markdown', () => {
  test.each<[string, readonly Mark[]]>([
    ['**b**', [{ type: 'bold', marks: [text('b')] }]],
    ['*i _j_*', [{ type: 'italic', marks: [text('i j')] }]],
    ['__u__', [{ type: 'underline', marks: [text('u')] }]],
    ['~~s~~', [{ type: 'strike', marks: [text('s')] }]],
    ['||s||', [{ type: 'spoiler', marks: [text('s')] }]],
    ['`**c**`', [{ type: 'code', text: '**c**' }]],
    ['> q\nafter', [{ type: 'quote', marks: [text('q'), { type: 'break' }] }, text('after')]],
    ['## h', [{ type: 'heading', level: 2, marks: [text('h')] }]],
    ['-# s', [{ type: 'subtext', marks: [text('s')] }]],
    ['<t:17:R>', [{ type: 'timestamp', seconds: 17, style: 'R' }]],
    ['<@12345678901234567>', [{ type: 'mention', text: '@the user' }]],
    ['<#76543210987654321>', [{ type: 'unnamed', kind: 'channel' }]],
    ['[l](https://e.f/g)', [{ type: 'link', url: 'https://e.f/g', marks: [text('l')] }]],
    ['<:name:12345678901234567>', [{ type: 'emoji', text: ':name:' }]],
    ['🇵🇱', [{ type: 'emoji', text: '🇵🇱' }]],
    ['\\*\\*x\\*\\* \\# \\>', [text('**x** # >')]],
  ])('%j is read as chat reads it', (source, marks) => {
    expect(parse(source)).toEqual(marks);
  });

  test('lists nest by their indentation, and only at the start of a line', () => {
    expect(parse('3. a\n4. b\n  - c\nend - x')).toEqual([
      {
        type: 'list',
        start: 3,
        items: [[text('a')], [text('b'), { type: 'list', start: null, items: [[text('c')]] }]],
      },
      text('end - x'),
    ]);
  });

  test('an ansi block has runs of colour; the line break after a block is its own', () => {
    expect(parse('```ansi\n\u001b[1;31mred\u001b[0m \u001b[36mx\u001b[my\n```\nafter')).toEqual([
      {
        type: 'code-block',
        runs: [
          { text: 'red', colour: 31 },
          { text: ' ', colour: null },
          { text: 'x', colour: 36 },
          { text: '\u001b[my', colour: 36 },
        ],
      },
      text('after'),
    ]);
  });

  test('an escape sequence outside an ansi block colours nothing', () => {
    expect(parse('```\n\u001b[31mred\n```')).toEqual([
      { type: 'code-block', runs: [{ text: '\u001b[31mred', colour: null }] },
    ]);
  });

  test('no text links anywhere but to http and https', () => {
    const scheme = fc.constantFrom(
      'javascript:',
      'data:',
      'file:',
      'https:',
      'vbscript:',
      ' javascript:',
      'blob:',
    );
    const shape = fc.constantFrom('[x](URL)', '[x](<URL>)', '<URL>', 'URL', '[x](URL "t")');
    fc.assert(
      fc.property(scheme, shape, fc.string(), (name, form, rest) => {
        const links = flat(parse(form.replace('URL', `${name}//${rest}`))).filter(
          ({ type }) => type === 'link',
        );
        for (const link of links) expect(link).toMatchObject({ url: expect.stringMatching(/^https?:\/\//) });
      }),
    );
  });

  test('escaped text comes out to the letter', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>&"\'*_~`|#-[]()@:/\\ab1') }), (raw) => {
        expect(textOf(parse(raw.replaceAll(/[^0-9a-z]/g, '\\$&')))).toBe(raw);
      }),
    );
  });

  test('a message full of marks is shown, whatever it nests', () => {
    for (const mark of ['*', '- ', '> ', '||', '`', '[', '_*', '**__', '\\'])
      expect(textOf(parse(`${mark.repeat(4000 / mark.length)}word`)), mark).toMatch(/word$/);
  });
});
