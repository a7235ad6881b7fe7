import { expect, test } from 'vitest';
import { topCard } from '../../../src/cards/history/top-card.ts';
import { createTranslators } from '../../../src/i18n/translator.ts';

const DAY = 24 * 60 * 60_000;
const NOW = Date.parse('2026-11-21T20:00:00Z');
const t = createTranslators()('en-GB');

test('a row whose profile was read days ago says when: it may have grown since', () => {
  const rows = [
    { rank: 1, driver: 'Ann', value: 307_000, read: NOW - 3 * DAY },
    { rank: 2, driver: 'Ben', value: 200_000, read: NOW - DAY / 2 },
  ];
  const list = { since: NOW - 7 * DAY, until: NOW, holes: [], from: NOW - 7 * DAY, rows };
  const view = { subject: 'distance', span: 'week', page: 0 } as const;
  const nicknameOf = (driver: string) => (driver === 'Ann' ? '^1An^4ja' : null);
  const card = topCard(list, view, { names: true, now: NOW, nicknameOf }, t);
  const { description } = card.embeds[0];
  expect(description).toContain(`**Anja \\(Ann\\)** 307 km · read <t:${(NOW - 3 * DAY) / 1000}:R>`);
  expect(description).toMatch(/\*\*Ben\*\* 200 km$/m);
  expect(JSON.stringify(card.components)).toMatch(/Open a driver….*Anja \(Ann\).*"value":"Ann"/);
});
