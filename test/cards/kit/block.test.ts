import { parse } from 'discord-markdown-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Column,
  inColours,
  inGame,
  listBlock,
  nameLines,
  tableBlock,
  widthOf,
} from '../../../src/cards/kit/block.ts';
import { driverHeading, nameCell, namesCell } from '../../../src/cards/kit/driver.ts';
import { fitLines } from '../../../src/cards/kit/fit-lines.ts';
import { toPlainText } from '../../../src/text/plain.ts';
import { blocksOf } from '../../support/blocks.ts';
import { longNames } from '../../support/hostile-names.ts';
import { strayMarkup } from '../../support/markup.ts';
import { createTranslators } from '../../support/translators.ts';
import { hostile, inGameText } from '../../text/in-game.ts';

const translators = createTranslators();
const t = translators('en-GB');
const hidden = translators('en-GB', { unit: 'kilometre', colours: false });
const everything = { characters: 4096 };

/** The lines of the one block that a text is, without their colours. */
function linesOf(text: string): readonly string[] {
  const nodes = parse(text, 'extended');
  expect(nodes.map(({ type }) => type)).toEqual(['codeBlock']);
  return blocksOf(text)[0] ?? [];
}

type Row = readonly ReturnType<Column<object>['cell']>[];

/** A list of rows that are cells already. */
function listOf(
  columns: readonly Omit<Column<Row>, 'cell'>[],
  rows: readonly (Row | string)[],
  reader: typeof t,
) {
  const withCells = columns.map((column, place) => ({ ...column, cell: (row: Row) => row[place] ?? null }));
  return listBlock(withCells, rows, reader);
}

const drivers = [
  ['🥇', inGame('^2Rokas'), '56 h 35'],
  ['2', inGame('^S^3张伟^7 ^H賽車手'), '9 h'],
  ['3', inGame('z\u0300alg\u0301o'), '41 min'],
];
const columns = [{ align: 'right' }, { before: ' ' }, { align: 'right' }] as const;

describe('a list of names', () => {
  test('is aligned by what letters take on the screen, in the colours of the game', () => {
    const text = fitLines(listOf(columns, drivers, t), everything, t);
    expect(linesOf(text)).toEqual([
      '🥇 Rokas       56 h 35',
      ' 2 张伟 賽車手     9 h',
      ' 3 z\u0300alg\u0301o        41 min',
    ]);
    expect(text).toContain('🥇 \u001b[32mRokas\u001b[0m ');
  });

  test('cuts a text that is wider than its column, and never a number', () => {
    const columns = [{ most: 5 }, { align: 'right', most: 5 }, { isNumber: true, most: 5 }] as const;
    const rows = [['Something', '12,345,678', '1,234,567%']];
    expect(linesOf(fitLines(listOf(columns, rows, t), everything, t))).toEqual([
      'Some… 12,345,678  1,234,567%',
    ]);
  });

  test('has no colour codes where no name has a colour: a phone may show them', () => {
    expect(fitLines(listOf([{}], [[inGame('^7White')], ['b']], t), everything, t)).toBe('```\nWhite\nb\n```');
  });

  test('has no column of nothing, and indents what stands below a heading', () => {
    const rows = ['One', [inGame('Björn'), '', '⚠️'], 'Two'];
    expect(linesOf(fitLines(listOf([{}, {}, { before: ' ' }], rows, t), everything, t))).toEqual([
      'One',
      '  Björn ⚠️',
      'Two',
    ]);
  });

  test('is cut by whole rows, and the block stays within the limit with its codes', () => {
    for (let characters = 30; characters < 130; characters += 1) {
      const text = fitLines(listOf(columns, drivers, t), { characters }, t);
      expect(text.length).toBeLessThanOrEqual(characters);
      const lines = linesOf(text);
      const left = Number(/^\+(\d) more$/.exec(lines.at(-1) ?? '')?.[1] ?? 0);
      expect(left === 0 ? lines.length : lines.length - 1 + left).toBe(3);
    }
  });

  test('reads from left to right behind a name that does not', () => {
    const text = fitLines(listOf(columns, [['1', inGame('שלום'), '56 h']], t), everything, t);
    expect(linesOf(text)).toEqual(['1 שלום\u200e 56 h']);
  });

  test('shows codes of text from outside the game as letters, and drops control signs', () => {
    expect(fitLines(listOf([{}], [['^1a\u001b[31m\u202eb\u200b\nc'], ['d']], t), everything, t)).toBe(
      '```\n^1a[31mb c\nd\n```',
    );
  });

  test('is a plain list where the guild hides colours', () => {
    const rows = ['One', ['4', inGame('^1*Red*'), '', '7 h']];
    const text = fitLines(listOf([{}, { before: ' ' }, {}, {}], rows, hidden), everything, hidden);
    expect(text).toBe('**One**\n4 \\*Red\\* · 7 h');
  });
});

test('a table aligns its columns, cuts text but no number, and may colour its headings', () => {
  const text = tableBlock(
    [
      { heading: 'A', most: 6, cell: ({ text }) => text },
      { heading: inGame('^1B'), align: 'right', most: 4, cell: ({ figure }) => figure },
    ],
    [
      { text: '日本語', figure: '1' },
      { text: '```x', figure: '22' },
      { text: 'longer than that', figure: null },
    ],
  );
  expect(linesOf(text)).toEqual(['A       B', '日本語  1', '```x   22', 'longe…  –']);
  expect(text).toMatch(/^```ansi\n/);
});

test('a table that is too wide gives way in its texts, never in a number', () => {
  const rows = [
    { long: 'a text of a good many letters', short: 'a short text', figure: '123,456,789' },
    { long: 'another', short: '', figure: '1' },
  ];
  const table = tableBlock(
    [
      { most: 40, cell: ({ long }) => long },
      { most: 40, cell: ({ short }) => short },
      { align: 'right', most: 4, cell: ({ figure }) => figure },
    ],
    rows,
  );
  expect(linesOf(table)).toEqual([
    '',
    'a text … a short te… 123,456,789',
    'another  –                     1',
  ]);
});

describe('names in one line for each server', () => {
  const lines: Parameters<typeof nameLines>[0] = [
    {
      label: 'One',
      names: [
        [inGame('^4Björn'), '⚠️'],
        ['Rokas', ''],
      ],
      others: 3,
    },
    { label: 'Two', names: [] },
  ];

  test('have their signs behind them, and the unnamed are counted', () => {
    expect(linesOf(nameLines(lines.slice(0, 1), 1024, t))).toEqual(['One: Björn\u00a0⚠️ · Rokas · +3']);
    expect(nameLines(lines.slice(0, 1), 1024, hidden)).toBe('**One:** Björn\u00a0⚠️ · Rokas · +3');
  });

  test('are cut from the longest line, by whole names, and never refused', () => {
    const rainbow = Array.from('Twenty-four letters name', (letter, at) => `^${(at % 6) + 1}${letter}`).join(
      '',
    );
    const sixty = ['One', 'Two', 'Three', 'Four'].map((label, at) => ({
      label,
      names: Array.from(
        { length: 15 },
        () => [at === 3 ? 'Short' : nameCell({ username: 'x', nickname: rainbow }, 24), '🚓'] as const,
      ),
    }));
    const text = nameLines(sixty, 1024, t);
    expect(text.length).toBeLessThanOrEqual(1024);
    expect(text.length).toBeGreaterThan(800);
    const shown = linesOf(text);
    expect(shown).toHaveLength(4);
    for (const line of shown) {
      const names = line.split(': ')[1]?.split(' · ') ?? [];
      const rest = Number(/^\+(\d+)$/.exec(names.at(-1) ?? '')?.[1] ?? 0);
      expect(rest === 0 ? names.length : names.length - 1 + rest).toBe(15);
    }
    expect(shown[3]).not.toContain('+');
    // Each in its colours would take the space of six names.
    expect(text.match(/Twenty-four/g)?.length).toBeGreaterThanOrEqual(24);
    expect(text).not.toContain('\u001b');
    const few = sixty.map((one) => ({ ...one, names: [...one.names, [inGame('^1Red^7dy'), ''] as const] }));
    expect(nameLines(few.slice(3), 1024, t)).toContain('\u001b[31mRed\u001b[0mdy');
    expect(nameLines(sixty, 20, t)).toBe('');
    expect(nameLines([], 1024, t)).toBe('');
  });
});

describe('nothing in a name ends its block', () => {
  const any = fc.oneof(
    { weight: 4, arbitrary: inGameText },
    fc.constantFrom(...hostile, ...Object.values(longNames)),
  );

  test('in a list, a table or a line of names, with colours or without', () => {
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 5 }), (names) => {
        const rows = names.map((name) => [inGame(name), name, '🚓']);
        const headed = [`a${names[0]}`, ...rows];
        const inList = linesOf(fitLines(listOf([{ most: 20 }, { most: 20 }, {}], headed, t), everything, t));
        expect(inList).toHaveLength(headed.length);
        const inTable = linesOf(
          tableBlock([{ heading: inGame(`a${names[0]}`), most: 12, cell: (name) => name }], names),
        );
        expect(inTable).toHaveLength(names.length + 1);
        const label = `a${names[0]}`;
        expect(
          linesOf(nameLines([{ label, names: rows.map(([name]) => [name ?? '', '🚓']) }], 1e6, t)),
        ).toHaveLength(1);
        const plainList = fitLines(listOf([{}, {}], rows, hidden), everything, hidden);
        const plainLines = nameLines([{ label, names: rows.map(([name]) => [name ?? '', '']) }], 1e6, hidden);
        for (const description of [plainList, plainLines]) expect(strayMarkup({ description })).toEqual([]);
      }),
    );
  });

  test('and a name by itself says what its plain name says', () => {
    fc.assert(
      fc.property(any, (name) => {
        const block = inColours(name, t);
        const text = toPlainText(name.slice(0, 1000)).trim();
        if (block !== null && widthOf(text) <= 64)
          expect(linesOf(block)[0]?.replaceAll('\u200e', '')).toBe(text);
      }),
    );
  });
});

describe('a card about a driver', () => {
  test.each([
    ['k3nny', '^1K3nny', 'k3nny', '```ansi\n\u001b[31mK3nny\u001b[0m\n```'],
    ['k3nny', 'Kenny', 'Kenny (k3nny)', null],
    ['k3nny', '^7[^0TC^8] Kenny', '[TC] Kenny (k3nny)', null],
    ['k3nny', null, 'k3nny', null],
    ['k3nny', '^1\u2800', 'k3nny', null],
    [null, '^1K3nny', 'K3nny', null],
  ])('about %j, in the game %j, is headed %j and %j', (username, nickname, title, name) => {
    expect(driverHeading({ username, nickname }, t)).toEqual({ title, name });
  });

  test('has both names in the title where the guild hides colours', () => {
    const heading = driverHeading({ username: 'k3nny', nickname: '^1Kenny' }, hidden);
    expect(heading).toEqual({ title: 'Kenny (k3nny)', name: null });
  });

  test('names the login behind the name if it fits', () => {
    const driver = { username: 'k3nny', nickname: '^1Kenny^7 K' };
    expect(widthOf(namesCell(driver, 15))).toBe(15);
    expect(widthOf(namesCell(driver, 14))).toBe(7);
    expect(widthOf(nameCell(driver, 4))).toBe(4);
  });
});
