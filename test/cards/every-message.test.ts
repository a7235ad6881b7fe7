/** Messages that the bot sends by itself, in every language and in one that is longer than all of them. Features try their own messages. */

import { describe, expect, test } from 'vitest';
import { statusLineText } from '../../commands/servers/cards/status-line-text.ts';
import { MINUTE } from '../../src/base/duration.ts';
import { newBoardOptions } from '../../src/cards/board/board.ts';
import type { BoardView } from '../../src/cards/board/board-look.ts';
import type { Translator } from '../../src/i18n/translator.ts';
import { pauseMessage } from '../../src/messages/boards/board-messages.ts';
import { createRenderer } from '../../src/messages/boards/render.ts';
import type { Facts } from '../../src/service/models/facts.ts';
import { breaches } from '../support/embed-limits.ts';
import { longNames } from '../support/hostile-names.ts';
import { expectAccepted } from '../support/own-messages.ts';
import { BOUNDS } from '../support/pseudo-language.ts';
import { locales, translatorFor } from '../support/readers.ts';
import { chatServer, liveFile, liveJson, NOON, servers } from '../support/records.ts';

/** Characters that Discord takes in a status line. */
const STATUS = 128;

function factsFrom(asOf: number): Facts {
  const file = { record: liveFile(liveJson({ 1: { cop: true }, 2: { med: true, isChased: true } })), asOf };
  return {
    overview: { record: servers(), asOf },
    chat: { record: chatServer(), asOf },
    live: { one: file, two: file, three: null, four: null },
  };
}

const views: readonly BoardView[] = [newBoardOptions, { servers: ['one'], members: 'on', names: 'on' }];

/** A board in each state that it can be in. */
function boards(t: Translator) {
  return views.flatMap((view) =>
    [0, 6, 30].flatMap((age) =>
      [false, true].map((paused) =>
        createRenderer()(
          '1',
          { facts: factsFrom(NOON - age * MINUTE), view, now: NOON, paused, round: 90_000 },
          t,
        ).message(),
      ),
    ),
  );
}

const settings = {
  ...{ guildId: '2', channelId: '3', madeBy: '1', locale: 'en-GB', colours: true, madeAt: 0, removed: false },
  options: newBoardOptions,
};

/** Every other message, as its content and components. */
function messages(t: Translator) {
  return [
    ...(['rights', 'channel', 'unwanted'] as const).flatMap((why) =>
      [[], ['ViewChannel', 'SendMessages', 'EmbedLinks', 'ReadMessageHistory']].map((missing) => ({
        content: pauseMessage(settings, { why, missing }, t),
      })),
    ),
    { content: t('setup.welcome') },
    { content: t('setup.welcomeOwner', { server: longNames.letters.slice(0, 100) }) },
  ];
}

function statusLines(t: Translator): readonly string[] {
  const known = (asOf: number) => ({ record: servers(), asOf });
  return [known(NOON), known(NOON - 10 * MINUTE), null].flatMap((overview) =>
    ([null, 'unavailable'] as const).map((fault) =>
      statusLineText({ overview, files: [{ server: 'four', asOf: NOON, players: [] }], fault, now: NOON }, t),
    ),
  );
}

describe.each(locales)('to readers of %s', (locale) => {
  const t = translatorFor(locale);
  const [opening, closing] = BOUNDS;
  const isCut = (text: string) => text.split(opening).length !== text.split(closing).length;

  test('Discord accepts a board of any age, and it says when it was checked', () => {
    for (const { embeds, components } of boards(t)) {
      expect(breaches({ embeds, components })).toEqual([]);
      expect(isCut(JSON.stringify({ embeds, components }))).toBe(false);
      const [{ description, fields = [] }] = embeds;
      expect(fields.at(-1)?.value ?? description).toMatch(/-# .*<t:\d+:R>[^\n]*$/);
    }
  });

  test('every message that it sends by itself is one that Discord accepts', () => {
    expectAccepted(messages(t));
  });

  test('its status line holds every state', () => {
    for (const line of statusLines(t)) {
      expect(line.length).toBeLessThanOrEqual(STATUS);
      expect(isCut(line)).toBe(false);
    }
  });
});
