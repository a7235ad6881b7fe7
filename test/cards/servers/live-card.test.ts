import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { liveCard } from '../../../src/cards/servers/live-card.ts';
import { languages } from '../../../src/i18n/languages.ts';
import { createTranslators } from '../../../src/i18n/translator.ts';
import { LiveStatus } from '../../../src/service/models/live-status.ts';
import { breaches } from '../../support/embed-limits.ts';
import { longNames } from '../../support/hostile-names.ts';
import { strayMarkup } from '../../support/markup.ts';
import { answer, liveFile, liveJson, NOON } from '../../support/records.ts';
import { inGameText } from '../../text/in-game.ts';

const translatorFor = createTranslators();
const t = translatorFor('en-GB');

function card(json: unknown, page = 0) {
  return liveCard('one', answer(liveFile(json)), page, t);
}

function list(json: unknown, page = 0): readonly string[] {
  return (card(json, page).embeds[0].description ?? '').split('\n\n')[1]?.split('\n') ?? [];
}

test('every player has a line with all the flags that are set, by player id', () => {
  const file = liveJson({
    12: { cop: true, siren: true },
    2: {},
    7: { med: true, caution: true },
    30: { tow: true, hazard: true, isChased: true, isJoining: true },
  });
  expect(list(file)).toEqual([
    '**2** · driving',
    '**7** · 🚑 medic, 🚧 caution',
    '**12** · 🚓 police, 🚨 siren',
    '**30** · 🛻 tow truck, 🏃 being chased, ⚠️ hazard, ⏳ joining',
  ]);
});

test('the lead counts, and the file tells its own time', () => {
  const [embed] = card(liveJson({ 1: { cop: true }, 2: {} })).embeds;
  expect(embed.title).toBe('Server One');
  expect(embed.description).toMatch(/^\*\*2 connected\*\*\n🚓\u00a01\u00a0police\n\n/);
  expect(embed.fields).toEqual([{ name: 'As of', value: `<t:${NOON / 1000}:R>`, inline: false }]);
});

test('the later generation has names and places, and tells no duty', () => {
  const file = {
    t: NOON,
    n: 'One',
    tk: 'KY2X',
    ps: {
      3: { u: 3, p: 117, un: 'k3nny', nn: '^1k^43nny', l: '^2Safe *Zone*', v: 'AB12C' },
      4: { u: 4, un: 'zoë' },
      5: { u: 5, p: 6, nn: '^7_nick_', l: '' },
      6: { u: 6, p: 7 },
      7: {},
    },
  };
  expect(list(file)).toEqual([
    '**6** · \\_nick\\_',
    '**7**',
    '**117** · k3nny · Safe \\*Zone\\* · AB12C',
    'zoë',
    'Someone without a number',
  ]);
  expect(card(file).embeds[0].description).toMatch(/^\*\*5 connected\*\*\nKY2X\n❔ duty not reported\n/);
});

test('an empty server is one, and has no list', () => {
  expect(card(liveJson()).embeds[0].description).toBe('**0 connected**');
});

test('a full server is paged, and no page is cut', () => {
  const file = liveJson(Object.fromEntries(Array.from({ length: 47 }, (_, index) => [index + 1, {}])));
  const pages = [0, 1, 2].map((page) => list(file, page));
  expect(pages.map(({ length }) => length)).toEqual([20, 20, 7]);
  expect(pages.flat()[46]).toBe('**47** · driving');
  expect(list(file, 9999)).toEqual(pages[2]);
});

describe.each(Object.entries(longNames))('with names of %s', (_kind, name) => {
  test('a page of players with everything set fits and is whole', () => {
    const flags = {
      cop: true,
      med: true,
      tow: true,
      siren: true,
      isChased: true,
      hazard: true,
      caution: true,
      isJoining: true,
    };
    const players = Array.from({ length: 60 }, (_, index) => [
      `${index}${name}`,
      { ...flags, un: name, nn: name },
    ]);
    const file = { players: Object.fromEntries(players) };
    const made = card(file);
    expect(breaches(made)).toEqual([]);
    expect(strayMarkup(made.embeds[0])).toEqual([]);
    expect(list(file)).toHaveLength(20);
    expect(list(file).at(-1)).not.toContain('more');
  });
});

test('whatever the file contains, the card is a message that Discord accepts, and shows names literally', () => {
  const truth = fc.constantFrom(true, false, 1, '0', null, undefined, 'maybe');
  const player = fc.record({ cop: truth, tow: truth, hazard: truth, un: inGameText, nn: inGameText });
  const players = fc.dictionary(fc.oneof(inGameText, fc.nat().map(String)), player);
  fc.assert(
    fc.property(
      fc.record({ players, time: fc.double() }),
      fc.nat(9999),
      fc.constantFrom(...languages),
      (json, page, language) => {
        const file = LiveStatus.safeParse(json);
        fc.pre(file.success);
        if (!file.success) return;
        const made = liveCard('four', answer(file.data, 'slow'), page, translatorFor(language));
        expect(breaches(made)).toEqual([]);
        expect(strayMarkup(made.embeds[0])).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
});
