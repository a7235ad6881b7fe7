import { expect, test } from 'vitest';
import { boardCard, boardListCard } from '../../../../commands/boards/cards/board-list-card.ts';
import type { ListedBoard } from '../../../../src/cards/board/board.ts';
import { listedBoard } from '../../../support/about-bot.ts';
import { breaches } from '../../../support/embed-limits.ts';
import { controls, rowsOf } from '../../../support/readable.ts';
import { createTranslators } from '../../../support/translators.ts';

const t = createTranslators()('en-GB');
const at = Date.UTC(2026, 2, 7);

const board = listedBoard('123', { lastEdit: at });
const paused = { since: at, notified: true };
const nameOfChannel = (id: string) => (id === '123' ? 'live' : null);

function read(boards: readonly ListedBoard[]): string {
  const card = boardListCard(boards, [], nameOfChannel, t);
  expect(breaches(card)).toEqual([]);
  return JSON.stringify(card.embeds);
}

test('without a board it says how to make one', () => {
  expect(read([])).toContain('/board create');
});

test('each board is listed with its channel, its state and its last edit', () => {
  const text = read([board, listedBoard('456', { mode: 'stale' })]);
  expect(text).toContain('<#123>');
  expect(text).toContain(`🟢 live · edited <t:${at / 1000}:R>`);
  expect(text).toContain('<#456>');
  expect(text).toContain('old data');
});

test('a paused board says why, and names missing permissions as Discord’s settings do', () => {
  const text = read([
    { ...board, paused: { ...paused, why: 'rights', missing: ['EmbedLinks', 'SendMessages'] } },
  ]);
  expect(text).toContain('paused: missing permissions');
  expect(text).toContain('Missing: Embed Links, Send Messages');
});

test('lost boards are named by their channels, with a button that revives them', () => {
  const card = boardListCard([], ['123', '456'], nameOfChannel, t);
  expect(breaches(card)).toEqual([]);
  expect(card.embeds[0].description).toMatch(/^I found messages of live boards in <#123> <#456>, but/);
  expect(card.components).toMatchObject([
    { components: [{ label: 'Make them live again', custom_id: '1:board:adopt:' }] },
  ]);
});

test('a button removes boards whose channel is gone, since no command can name them', () => {
  const gone = listedBoard('456', { paused: { ...paused, why: 'channel', missing: [] } });
  expect(boardListCard([board], [], nameOfChannel, t).components).toHaveLength(1);
  const card = boardListCard([board, gone], [], nameOfChannel, t);
  expect(breaches(card)).toEqual([]);
  expect(card.components).toMatchObject([
    {},
    { components: [{ label: 'Remove dead boards', custom_id: '1:board:drop:' }] },
  ]);
});

test('a menu below the list chooses a board by the name of its channel, of 25 at most', () => {
  const many = Array.from({ length: 26 }, (_, n) => listedBoard(String(500 + n)));
  const card = boardListCard([board, ...many], [], nameOfChannel, t);
  expect(breaches(card)).toEqual([]);
  const menu = rowsOf(card)[0]?.components[0];
  expect([menu?.custom_id, menu?.options?.length]).toEqual(['1:board:one:', 25]);
  expect(menu?.options?.slice(0, 2)).toEqual([
    { label: '#live', description: 'all servers · members collapsed', value: '123' },
    { label: '#500', description: 'all servers · members collapsed', value: '500' },
  ]);
  expect(rowsOf(boardListCard([], [], nameOfChannel, t))).toEqual([]);
});

test('a board has buttons to change it; one that was given up can be resumed', () => {
  const edit = { command: 'board edit', action: 'form', subject: '123' };
  const labels = (listed: ListedBoard) => controls(boardCard(listed, edit, t)).map(({ label }) => label);
  expect(breaches(boardCard(board, edit, t))).toEqual([]);
  expect(labels(board)).toEqual(['Change', 'Test', 'Remove', '◀ Back']);
  const unwanted = { ...board, paused: { ...paused, why: 'unwanted' as const, missing: [] } };
  expect(labels(unwanted)).toEqual(['Change', 'Test', 'Resume', 'Remove', '◀ Back']);
});

test('the newest error stands first, and fifty boards with long errors fit', () => {
  const errors = [1, 2, 3, 4, 5].map((n) => ({
    at: at + n,
    what: 'refused' as const,
    code: `trouble ${n} ${'x'.repeat(200)}`,
  }));
  const text = read([{ ...board, errors }]);
  expect(text).toContain("Discord didn't accept the message · `trouble 5");
  expect(text.indexOf('trouble 5')).toBeLessThan(text.indexOf('trouble 4'));
  expect(read(Array.from({ length: 50 }, (_, n) => listedBoard(String(500 + n), { errors })))).toContain(
    '+40 more',
  );
});

test('each board is listed with its view', () => {
  const { settings } = listedBoard(
    '123',
    {},
    { servers: ['one', 'events'], members: 'on', names: 'off', language: 'fr' },
  );
  expect(read([{ ...board, settings }])).toContain('One, Events · all members · no names · Français');
  expect(read([board])).toContain('all servers · members collapsed');
});
