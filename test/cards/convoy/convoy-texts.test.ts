import { expect, test } from 'vitest';
import { draftCard } from '../../../src/cards/convoy/convoy-texts.ts';
import { createTranslators } from '../../../src/i18n/translator.ts';
import type { Draft } from '../../../src/service/models/convoy.ts';

const t = createTranslators()('en-GB');
const draft: Draft = {
  ...{ id: '1795700000000001', guild: '7', channel: '8', madeAt: 0, at: null, title: 'Run', server: 'two' },
  ...{ when: 'fri 25:00', zone: 'Europe/Berlin', hours: 2, places: null, weekly: false, role: null },
};

test.each([
  ['fri 25:00', 'fri 25:00'],
  ['**7** _pm_ @everyone', '**7** _pm_ @everyone'],
  ['`8pm` ``', 'ˋ8pmˋ ˋˋ'],
])('a time that cannot be read is repeated as it was typed: %s', (when, said) => {
  const about = { draft: { ...draft, when }, problem: 'unread', isChange: false, hasEvent: true } as const;
  const { embeds } = draftCard(about, [], t);
  expect(embeds[0].description).toContain(`I cannot read \`${said}\` as a time.`);
});
