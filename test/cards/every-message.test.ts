/** What the bot says by itself, in every language and in one that is longer than all of them. */

import { describe, expect, test } from 'vitest';
import { alertMessage, type News } from '../../commands/alerts/cards/alert-text.ts';
import { troubleMessage } from '../../commands/alerts/cards/watch-text.ts';
import { watchTroubles } from '../../commands/alerts/models/watch.ts';
import { cardPausedText } from '../../commands/convoys/cards/convoy-texts.ts';
import { communityCard, communityText } from '../../commands/recap/cards/community-card.ts';
import { postPeriods } from '../../commands/recap/models/post-time.ts';
import { statusLineText } from '../../commands/servers/cards/status-line-text.ts';
import { DAY, MINUTE } from '../../src/base/duration.ts';
import { newBoardOptions } from '../../src/cards/board/board.ts';
import type { BoardView } from '../../src/cards/board/board-look.ts';
import type { Translator } from '../../src/i18n/translator.ts';
import { pauseMessage } from '../../src/messages/boards/board-messages.ts';
import { createRenderer } from '../../src/messages/boards/render.ts';
import type { Facts } from '../../src/service/models/facts.ts';
import { breaches } from '../support/embed-limits.ts';
import { longNames } from '../support/hostile-names.ts';
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

const news: readonly News[] = [
  { kind: 'driver', player: 'k3nny', server: 'one' },
  ...(['free', 'drivers'] as const).map((kind) => ({ kind, server: longNames.letters, count: 21 })),
  ...(['police', 'medic', 'tow', 'chase'] as const).flatMap((kind) =>
    [0, 3].map((count) => ({ kind, count })),
  ),
  { kind: 'sale', vin: 'AB12C', type: 'XRT', price: 1e9 },
  { kind: 'condition', vin: 'AB12C', type: 'XRT', condition: 0.4 },
  { kind: 'licence', name: longNames.markup, until: NOON },
];

const communityFacts = {
  ...{ zone: 'Europe/Berlin', utcWeek: 0, span: { from: NOON - 7 * DAY, to: NOON } },
  ...{ time: 1e12, drivers: 1e6, missing: DAY, isThin: false },
  ...{ busiest: { at: NOON, drivers: 40 }, most: { at: NOON, count: 90 }, earlier: { time: 1, drivers: 1 } },
  counts: {
    ...{ since: NOON - 7 * DAY, until: NOON, holes: [], step: DAY, latest: null },
    points: [{ at: NOON - DAY, known: DAY, drivers: 40, most: 90, police: null }],
  },
  top: Array.from({ length: 5 }, (_, index) => ({
    ...{ rank: index + 1, driver: longNames.letters, value: 1e8, read: null },
  })),
  newFaces: Array.from({ length: 15 }, () => longNames.letters),
};

const settings = {
  ...{ guildId: '2', channelId: '3', madeBy: '1', locale: 'en-GB', colours: true, madeAt: 0, removed: false },
  options: newBoardOptions,
};

/** Every other message, as its content and components. */
function messages(t: Translator) {
  const watches = Array.from({ length: 10 }, (_, index) => `watch-${index}`);
  const lines = news.map((one) => ({ news: one, at: NOON }));
  return [
    alertMessage({ watches, lines, roles: ['1', '2'] }, t),
    ...lines.map((line) => alertMessage({ watches: ['one'], lines: [line], roles: [] }, t)),
    ...(['week', 'month'] as const).flatMap((kind) => {
      const period = { ...communityFacts, kind, number: postPeriods[kind].numberAt('Europe/Berlin', NOON) };
      return [
        communityCard(period, () => longNames.colours, t),
        { content: communityText(period, t) },
        communityCard({ ...period, most: null }, () => longNames.colours, t),
      ];
    }),
    ...watchTroubles.map((why) => troubleMessage(why, t)),
    ...(['rights', 'channel', 'unwanted'] as const).flatMap((why) =>
      [[], ['ViewChannel', 'SendMessages', 'EmbedLinks', 'ReadMessageHistory']].map((missing) => ({
        content: pauseMessage(settings, { why, missing }, t),
      })),
    ),
    ...(['rights', 'channel', 'unwanted'] as const).map((why) => ({ content: cardPausedText('3', why, t) })),
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
    for (const message of messages(t)) {
      expect(breaches(message)).toEqual([]);
      expect(JSON.stringify(message)).not.toMatch(/\{\{|undefined|NaN|\[object/);
      expect(isCut(JSON.stringify(message))).toBe(false);
    }
  });

  test('its status line holds every state', () => {
    for (const line of statusLines(t)) {
      expect(line.length).toBeLessThanOrEqual(STATUS);
      expect(isCut(line)).toBe(false);
    }
  });
});
