import { expect, test } from 'vitest';
import { cardPausedText, draftCard } from '../../../../commands/convoys/cards/convoy-texts.ts';
import type { Draft } from '../../../../commands/convoys/models/convoy.ts';
import { expectAccepted } from '../../../support/own-messages.ts';
import { locales, translatorFor } from '../../../support/readers.ts';
import { createTranslators } from '../../../support/translators.ts';

const t = createTranslators()('en-GB');
const draft: Draft = {
  ...{ id: '1795700000000001', guild: '7', channel: '8', madeAt: 0, at: null, title: 'Run', server: 'two' },
  ...{ when: 'fri 25:00', zone: 'Europe/Berlin', hours: 2, places: null, weekly: false, role: null },
};

test.each([
  ['fri 25:00', 'fri 25:00'],
  ['**7** _pm_ @everyone', '**7** _pm_ @everyone'],
  ['`8pm` ``', 'ˋ8pmˋ ˋˋ'],
  // The day is chosen in a menu.
  ['2026-12-04 half past beer', 'half past beer'],
])('a time that cannot be read is repeated as it was typed: %s', (when, said) => {
  const about = {
    draft: { ...draft, when },
    problem: 'unread',
    meanings: [],
    isChange: false,
    event: 'open',
  } as const;
  const { embeds } = draftCard(about, t);
  expect(embeds[0].description).toContain(`I can't read \`${said}\` as a time.`);
});

test('a draft says nothing of its event where the channel is open to everybody', () => {
  const about = {
    draft: { ...draft, at: Date.UTC(2026, 10, 27, 19) },
    problem: null,
    meanings: [],
    isChange: false,
    event: 'open',
  } as const;
  const card = JSON.stringify(draftCard(about, t));
  expect(card).not.toMatch(/Discord event|convoy:event/);
});

test.each([
  ['closed', 'there will be no Discord event', 'event'],
  ['for-all', 'will show everyone here', 'eventless'],
  ['no-right', "I don't have *Create Events* here", null],
] as const)(
  'a draft with the event %s says so, with a button for the other choice',
  (event, said, action) => {
    const about = {
      draft: { ...draft, at: Date.UTC(2026, 10, 27, 19) },
      problem: null,
      meanings: [],
      isChange: false,
      event,
    };
    const { embeds, components } = draftCard(about, t);
    expect(embeds[0].description).toContain(said);
    const buttons = JSON.stringify(components);
    for (const each of ['event', 'eventless'])
      expect([each, buttons.includes(`convoy:${each}:`)]).toEqual([each, each === action]);
    expect(components?.[0]?.components.length).toBeLessThanOrEqual(5);
  },
);

test.each(locales)('Discord accepts the notice of a paused card to readers of %s', (locale) => {
  const whys = ['rights', 'channel', 'unwanted'] as const;
  expectAccepted(whys.map((why) => ({ content: cardPausedText('3', why, translatorFor(locale)) })));
});
