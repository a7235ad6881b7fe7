import { expect, test } from 'vitest';
import { topCard } from '../../../../commands/drivers/cards/top-card.ts';
import { blocksOf } from '../../../support/blocks.ts';
import { createTranslators } from '../../../support/translators.ts';

const DAY = 24 * 60 * 60_000;
const NOW = Date.parse('2026-11-21T20:00:00Z');
const t = createTranslators()('en-GB');

test('a row whose profile was read days ago is marked: it may have grown since', () => {
  const rows = [
    { rank: 1, driver: 'Ann', value: 307_000, read: NOW - 3 * DAY },
    { rank: 2, driver: 'Ben', value: 200_000, read: NOW - DAY / 2 },
  ];
  const list = { since: NOW - 7 * DAY, until: NOW, holes: [], from: NOW - 7 * DAY, rows };
  const view = { subject: 'distance', span: 'week', page: 0 } as const;
  const nicknameOf = (driver: string) => (driver === 'Ann' ? '^1An^4ja' : null);
  const card = topCard(list, view, { names: true, now: NOW, nicknameOf }, t);
  const { description } = card.embeds[0];
  expect(blocksOf(description)).toEqual([['🥇 Anja 307 km *', '🥈 Ben  200 km']]);
  expect(description).toMatch(/\n```\n-# As of <t:\d+:R> · \\\* read more than a day ago$/);
  const young = topCard({ ...list, rows: rows.slice(1) }, view, { names: true, now: NOW, nicknameOf }, t);
  expect(young.embeds[0].description).not.toContain('*');
  expect(JSON.stringify(card.components)).toMatch(/Open a driver….*Anja \(Ann\).*"value":"Ann"/);
});

test('a page has ten rows, aligned by rank and value, and no page number', () => {
  const rows = Array.from({ length: 25 }, (_, index) => ({
    ...{ rank: index + 1, driver: `driver${index + 1}`, value: (25 - index) * 3_600_000, read: null },
  }));
  const list = { since: NOW - 7 * DAY, until: NOW, holes: [], from: NOW - 7 * DAY, rows };
  const shown = (page: number) =>
    topCard(
      list,
      { subject: 'playtime', span: 'week', page },
      { names: true, now: NOW, nicknameOf: () => null },
      t,
    );
  const [first = []] = blocksOf(shown(0).embeds[0].description);
  expect(first).toHaveLength(10);
  expect(first.slice(2, 4)).toEqual(['🥉 driver3  23 h', ' 4 driver4  22 h']);
  expect(blocksOf(shown(2).embeds[0].description)[0]).toHaveLength(5);
  expect(shown(0).embeds[0].description).not.toContain('Page');
  expect(JSON.stringify(shown(0).components)).toContain('1 / 3');
});
