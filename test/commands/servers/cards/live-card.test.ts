import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { liveCard } from '../../../../commands/servers/cards/live-card.ts';
import { languages } from '../../../../src/base/languages.ts';
import { writeCustomId } from '../../../../src/cards/kit/custom-id.ts';
import { slotButtons } from '../../../../src/cards/kit/tell-buttons.ts';
import { LiveStatus } from '../../../../src/service/models/live-status.ts';
import { blocksOf } from '../../../support/blocks.ts';
import { breaches } from '../../../support/embed-limits.ts';
import { longNames } from '../../../support/hostile-names.ts';
import { strayMarkup } from '../../../support/markup.ts';
import { rowsOf } from '../../../support/readable.ts';
import { answer, liveFile, liveJson, NOON } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';
import { inGameText } from '../../../text/in-game.ts';

const translatorFor = createTranslators();
const t = translatorFor('en-GB');

type Asked = Parameters<typeof liveCard>[1];
const asked: Asked = { server: 'one', from: null, listed: null, wanted: 0, now: NOON };

function card(json: unknown, page = 0, now = NOON, more: Partial<Asked> = {}) {
  return liveCard(answer(liveFile(json)), { ...asked, wanted: page, now, ...more }, t);
}

/** Those with numbers alone, without the last line, the age. */
function list(json: unknown, page = 0): readonly string[] {
  return (card(json, page).embeds[0].description ?? '').split('\n\n')[1]?.split('\n').slice(0, -1) ?? [];
}

/** Those with names. */
function block(json: unknown, page = 0): readonly string[] {
  const [names = [], ...others] = blocksOf(card(json, page).embeds[0].description);
  expect(others).toEqual([]);
  return names;
}

const lead = (json: unknown): string => card(json).embeds[0].description?.split(/\n\n|\n```/)[0] ?? '';

test('free slots and track stand on top if they are known', () => {
  const listed = { name: 'One', online: true, track: 'WE1', trackName: 'Westhill', guests: 9, maxGuests: 12 };
  const lines = (more: Partial<Asked>, now = NOON) =>
    card(liveJson({ 1: {}, 2: {} }), 0, now, more).embeds[0].description ?? '';
  expect(lines({ listed })).toMatch(/^\*\*2 driving\*\* · 🟢 10 free\nWesthill\n/);
  expect(lines({ listed: { ...listed, maxGuests: null } })).toMatch(/^\*\*2 driving\*\*\nWesthill\n/);
  // An old file does not show free slots.
  expect(lines({ listed }, NOON + 60_000)).not.toContain('free');
});

test('what can be done about a full server stands below it', () => {
  const listed = { name: 'One', online: true, track: 'WE1', trackName: 'Westhill', guests: 0, maxGuests: 2 };
  const shown = (json: unknown, now = NOON) =>
    rowsOf(card(json, 0, now, { listed })).flatMap((row) => row.components.map((each) => each.custom_id));
  const full = liveJson({ 1: {}, 2: {} });
  const ways = slotButtons('One', '', t).map(writeCustomId);
  expect(shown(full)).toEqual(expect.arrayContaining(ways));
  for (const others of [shown(liveJson({ 1: {} })), shown(full, NOON + 60_000)])
    expect(others.filter((id) => ways.includes(id))).toEqual([]);
});

test('the track is the overview’s, by its code if it has no name, as on other cards', () => {
  const listed = { name: 'One', online: true, track: 'FE1R', trackName: null, guests: 9, maxGuests: 12 };
  const said = (more: Partial<Asked>) =>
    liveCard(
      answer({ ...liveFile(liveJson({ 1: {} })), track: 'AS5X' }),
      { ...asked, ...more },
      t,
    ).embeds[0].description?.split('\n')[1];
  expect(said({ listed })).toBe('FE1R');
  expect(said({ listed: { ...listed, trackName: 'Fern Bay' } })).toBe('Fern Bay');
  expect(said({ listed: { ...listed, track: null } })).toBe('AS5X');
});

test('a list that was opened from a card leads back to it, from every page', () => {
  const ids = (more: Partial<Asked>) => JSON.stringify(card(liveJson({ 1: {} }), 0, NOON, more).components);
  expect(ids({ from: 'slots' })).toMatch(/"label":"◀ Back","custom_id":"1:slots:show:"/);
  expect(ids({ from: 'slots' })).toContain('1:live:refresh-0:one.slots');
  expect(ids({})).not.toContain('Back');
});

test('below names stands the menu that opens one of them', () => {
  const named = JSON.stringify(card(liveJson({ 1: { un: 'k3nny' } })).components);
  expect(named).toMatch(/Open a driver….*"value":"k3nny"/);
  expect(JSON.stringify(card(liveJson({ 1: {} })).components)).not.toContain('Open a driver');
});

test('numbers stand below what they do, by interest, with all else that is set', () => {
  const file = liveJson({
    12: { cop: true, siren: true },
    2: {},
    7: { med: true, caution: true },
    9: { isJoining: true },
    30: { tow: true, hazard: true, isChased: true, isJoining: true },
    4: { cop: true },
    11: {},
  });
  expect(list(file)).toEqual([
    '**🚓 police:** 4 · 12🚨',
    '**🚑 medic:** 7🚧',
    '**🛻 tow truck:** 30🏃⚠️⏳',
    '**driving:** 2 · 11',
    '**⏳ joining:** 9',
  ]);
});

test('the lead counts, says what nobody reports, and gives the file’s own time', () => {
  const [embed] = card(liveJson({ 1: { cop: true }, 2: {} })).embeds;
  expect(embed.title).toBe('Server One');
  expect(embed.description).toMatch(
    /^\*\*2 driving\*\*\n🚓\u00a01\u00a0police\n❔ Not reported by this server: names · places · cars\n\n/,
  );
  expect(embed.description?.split('\n').at(-1)).toBe(`-# As of <t:${NOON / 1000}:R>`);
});

test('a file that names another server says so above its figures', () => {
  const [embed] = card(liveJson({ 1: { cop: true } }, 'Two')).embeds;
  expect(embed.title).toBe('Server One');
  expect(embed.description).toMatch(/^⚠️ the live data says it is \*\*Two\*\*\n/);
  expect(card(liveJson({}, 'one')).embeds[0].description).not.toContain('the live data says');
});

test('a file that stands still is marked as old above its figures', () => {
  const old = (after: number) => card(liveJson({ 1: { cop: true } }), 0, NOON + after).embeds[0].description;
  expect(old(45_000)).toMatch(/^\*\*1 driving/);
  expect(old(45_001)).toMatch(/^⚠️ \*\*Old data\*\*.*The data service has stopped updating\.\n\*\*1 driving/);
});

test('the later generation has names and places, and shows no duty', () => {
  const file = {
    t: NOON,
    n: 'One',
    tk: 'KY2X',
    ps: {
      3: { u: 3, p: 117, un: 'k3nny', nn: '^1k^43nny', l: '^2Safe *Zone*', v: 'AB12C' },
      4: { u: 4, un: 'Änne' },
      5: { u: 5, p: 6, nn: '^7_nick_', l: '' },
      6: { u: 6, p: 7 },
      7: {},
    },
  };
  expect(block(file)).toEqual(['_nick_', 'Änne', 'k3nny  Safe *Zone* AB12C']);
  expect(lead(file)).toBe(
    '**3 driving** · 1 without a car · 1 without a name\nKY2X\n❔ Not reported by this server: duty',
  );
  expect(card(file).embeds[0].description).toContain('\u001b[31mk\u001b[34m3nny\u001b[0m');
});

test('chases of the later generation give signs, and the rest stays unknown', () => {
  const chases = {
    ...{ t: NOON, n: 'One', cs: [{ su: { u: 3 }, co: [{ u: 4 }] }] },
    ps: { 3: { un: 'ann', l: 'Pit', v: 'A' }, 4: { un: 'bob', l: 'Pit', v: 'B' } },
  };
  expect(lead(chases).replaceAll('\u00a0', ' ')).toContain(
    '🚓 1 police · 🏃 1 chase · ❔ duty partly unknown',
  );
  expect(lead(chases)).not.toContain('Not reported');
  expect(block(chases)).toEqual([expect.stringMatching(/^bob.*🚓/), expect.stringMatching(/^ann.*🏃/)]);
  expect(lead({ ...chases, cs: [] })).toContain('❔ duty partly unknown');
});

describe('jobs', () => {
  const file = {
    ...{ t: NOON, n: 'One' },
    ps: { 3: { un: 'ann', v: 'A' }, 4: { un: 'bob', nn: '^1*Bob*', v: 'B' }, 5: { un: 'cid', v: 'C' } },
  };
  const fields = (ms: unknown) => card({ ...file, ms }).embeds[0].fields;

  test('stand below the drivers in the game’s words, each with its drivers', () => {
    const [jobs, ...others] =
      fields([
        { lt: '^3Bus^8 - _Harbour_', ps: [4, 5] },
        { lt: 'Delivery', ps: [3] },
      ]) ?? [];
    expect(others).toEqual([]);
    expect(jobs?.name).toBe('💼 Jobs · 3');
    expect(jobs?.value.split('\n').slice(0, 2)).toEqual([
      'Bus \\- \\_Harbour\\_: \\*Bob\\*, cid',
      'Delivery: ann',
    ]);
  });

  test('are at least as many as could be read', () => {
    expect(fields([{ lt: 'Bus', ps: [3] }, { ps: [4] }])?.[0]?.name).toBe('💼 Jobs · 1+');
  });

  test('are not mentioned where there are none', () => {
    expect(fields([])).toEqual([]);
    expect(fields('none')).toEqual([]);
  });
});

test('the reader’s own row has a mark', () => {
  const file = liveJson({ 1: { un: 'k3nny', cop: true }, 2: { un: 'Zoe' } });
  const marked = (own: string | null) =>
    blocksOf(liveCard(answer(liveFile(file)), { ...asked, own }, t).embeds[0].description)[0];
  expect(marked('zoe')).toEqual(['k3nny 🚓', 'Zoe   👤']);
  expect(marked('k3nny')).toEqual(['k3nny 👤🚓', 'Zoe']);
  expect(marked(null)).toEqual(['k3nny 🚓', 'Zoe']);
});

test('where the guild hides colours, the names are a plain list', () => {
  const hidden = translatorFor('en-GB', { unit: 'kilometre', colours: false });
  const file = liveFile(
    liveJson({ 1: { un: 'k3nny', nn: '^1*K*', cop: true, l: 'Bridge' }, 2: { un: 'bob' } }),
  );
  const { description } = liveCard(answer(file), asked, hidden).embeds[0];
  expect(description).toContain('\n\n\\*K\\* \\(k3nny\\) 🚓 · Bridge\nbob\n');
});

test('drivers on duty come first, with signs; nameless ones are counted', () => {
  const file = liveJson({
    1: { un: 'zoe', hazard: true },
    2: { un: 'ann', isJoining: true },
    3: { un: 'mia', cop: true, siren: true, l: 'Bridge' },
    4: { un: 'bob' },
    5: { un: 'amy', cop: true },
    6: { isChased: true },
  });
  expect(block(file)).toEqual(['amy 🚓', 'mia 🚓🚨 Bridge', 'zoe ⚠️', 'bob', 'ann ⏳']);
  expect(lead(file)).toMatch(/^\*\*6 driving\*\* · 1 without a name\n/);
  expect(lead(file)).toContain('Not reported by this server: cars');
});

test('nothing is said to be missing where everything is reported', () => {
  const file = liveJson({ 1: { un: 'zoe', cop: true, l: 'Bridge', v: 'AB12C' }, 2: {} });
  expect(lead(file)).toBe('**2 driving** · 1 without a name\n🚓\u00a01\u00a0police');
});

test('an empty server is one, and has no list', () => {
  expect(card(liveJson()).embeds[0].description).toMatch(/^\*\*0 driving\*\*\n-# As of [^\n]*$/);
});

const full = (more: object) =>
  liveJson(Object.fromEntries(Array.from({ length: 47 }, (_, at) => [at + 1, { ...more, p: `${at + 1}` }])));

test('a full server is paged, and no page is cut', () => {
  const file = full({ un: 'ann' });
  const pages = [0, 1, 2, 3].map((page) => block(file, page));
  expect(pages.map(({ length }) => length)).toEqual([15, 15, 15, 2]);
  expect(block(file, 9999)).toEqual(pages[3]);
});

test('numbers alone stand on one page', () => {
  expect(list(full({}), 1)).toEqual([
    `**driving:** ${Array.from({ length: 47 }, (_, at) => at + 1).join(' · ')}`,
  ]);
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
    expect(block(file)).toHaveLength(15);
    expect(block(file).at(-1)).not.toContain('more');
  });
});

test('whatever the file contains, Discord accepts the card, and names are literal', () => {
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
        const made = liveCard(
          answer(file.data, 'unavailable'),
          { ...asked, server: 'four', wanted: page },
          translatorFor(language),
        );
        expect(breaches(made)).toEqual([]);
        expect(strayMarkup(made.embeds[0])).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
});
