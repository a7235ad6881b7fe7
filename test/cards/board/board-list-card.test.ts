import { expect, test } from 'vitest';
import { boardListCard } from '../../../src/cards/board/board-list-card.ts';
import type { ListedBoard } from '../../../src/service/models/board.ts';
import { listedBoard } from '../../support/about-bot.ts';
import { breaches } from '../../support/embed-limits.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');
const at = Date.UTC(2026, 2, 7);

const board = listedBoard('123', { lastEdit: at });
const paused = { since: at, notified: true };

function read(boards: readonly ListedBoard[]): string {
  const card = boardListCard(boards, [], t);
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
  const card = boardListCard([], ['123', '456'], t);
  expect(breaches(card)).toEqual([]);
  expect(card.embeds[0].description).toMatch(/^I found messages of live boards in <#123> <#456>, but/);
  expect(card.components).toMatchObject([
    { components: [{ label: 'Make them live again', custom_id: '1:board:adopt:' }] },
  ]);
});

test('a button removes boards whose channel is gone, since no command can name them', () => {
  const gone = { ...board, paused: { ...paused, why: 'channel' as const, missing: [] } };
  expect(boardListCard([board], [], t).components).toEqual([]);
  const card = boardListCard([board, gone], [], t);
  expect(breaches(card)).toEqual([]);
  expect(card.components).toMatchObject([
    { components: [{ label: 'Remove dead boards', custom_id: '1:board:drop:' }] },
  ]);
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
  expect(read(Array.from({ length: 50 }, () => ({ ...board, errors })))).toContain('+40 more');
});

test('each board is listed with its view, its place and why its headline is missing', () => {
  const { settings } = listedBoard(
    '123',
    {},
    { servers: ['one', 'events'], members: 'on', names: 'off', topic: 'on', voice: '9', language: 'fr' },
  );
  const text = read([{ ...board, settings, placeProblems: [{ what: 'topic', rights: ['ManageChannels'] }] }]);
  expect(text).toContain(
    'One, Events · all members · no names · headline in the topic · headline as the status of <#9> · Français',
  );
  expect(text).toContain('Topic unchanged, missing: Manage Channels');
  const rights = ['Connect', 'SetVoiceChannelStatus'] as const;
  const others = read([
    { ...board, settings, placeProblems: [{ what: 'topic-full' }, { what: 'voice', rights }] },
    { ...board, settings, placeProblems: [{ what: 'voice-gone' }] },
  ]);
  expect(others).toContain('Topic unchanged');
  expect(others).toContain('Status of <#9> unchanged, missing: Connect, Set Voice Channel Status');
  expect(others).toContain('voice channel for the status is gone');
  expect(read([board])).toContain('all servers · members collapsed');
});
