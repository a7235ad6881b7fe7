import { describe, expect, test } from 'vitest';
import { garageCard } from '../../../../commands/drivers/cards/garage-card.ts';
import type { View } from '../../../../commands/drivers/cards/profile-card.ts';
import { profileCard, views } from '../../../../commands/drivers/cards/profile-card.ts';
import { writeCustomId } from '../../../../src/cards/kit/custom-id.ts';
import { tellButtons } from '../../../../src/cards/kit/tell-buttons.ts';
import { blocksOf } from '../../../support/blocks.ts';
import { rowsOf } from '../../../support/readable.ts';
import { answer, driver, NOON } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';

const t = createTranslators()('en-GB');
const inMiles = createTranslators()('en-GB', { unit: 'mile', colours: true });

function card(view: View | 'garage', changes: object = {}, page = 0) {
  const shown = answer(driver(changes));
  return view === 'garage' ? garageCard(shown, { order: 'condition', page }, t) : profileCard(shown, view, t);
}

/** All text of a view's embed. */
function text(view: View | 'garage', changes: object = {}, page = 0): string {
  const [embed] = card(view, changes, page).embeds;
  const fields = embed.fields?.flatMap(({ name, value }) => [name, value]) ?? [];
  return [embed.title, embed.description, ...fields].join('\n');
}

/** The lines of a view's code block, without its fences. */
function linesOfTable(view: View | 'garage', changes: object = {}): readonly string[] {
  // The name's block comes first.
  return blocksOf(card(view, changes).embeds[0].description).at(-1) ?? [];
}

const cars = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ vin: `A${String(index).padStart(4, '0')}`, type: 'XFG' }));

test('a record that is shown again is drawn from what is known by then', () => {
  const shown = answer(driver({ money: 1 }));
  const german = createTranslators()('de');
  const best = { subject: 'money', rank: 3, count: 9 } as const;
  const since = { from: NOON - 60_000, startKnown: true };
  type From = Parameters<typeof profileCard>;
  const from: readonly From[] = [
    [shown, 'overview', t],
    [shown, 'licences', t],
    [shown, 'overview', german],
    [shown, 'overview', inMiles],
    [{ ...shown, asOf: shown.asOf + 60_000 }, 'overview', t],
    [{ ...shown, stale: 'unavailable' }, 'overview', t],
    [shown, 'overview', t, { past: { earlier: null, best } }],
    [shown, 'overview', t, { isProved: true }],
    [shown, 'overview', t, { note: '12 convoys' }],
    [shown, 'overview', t, { here: { server: 'one', since } }],
    [shown, 'overview', t, { here: { server: 'one', since: null } }],
    [shown, 'overview', t, { here: { server: 'two', since } }],
    [shown, 'overview', t, { here: { server: null, lastSeen: NOON + 60_000 } }],
  ];
  const drawn = (all: From) => profileCard(...all);
  const fresh = from.map(([{ record, ...rest }, ...more]) =>
    profileCard({ ...rest, record: { ...record } }, ...more),
  );
  expect(new Set(fresh.map((each) => JSON.stringify(each))).size).toBe(from.length);
  expect(from.map(drawn)).toEqual(fresh);
});

describe('who it is', () => {
  test('a mark says who is proved, where no in-game name can pretend it', () => {
    const titleOf = (isProved: boolean, nickname: string) =>
      profileCard(answer(driver({ username: 'k3nny', nickname })), 'overview', t, { isProved }).embeds[0]
        .title;
    expect(titleOf(true, '^1Kenny')).toBe('k3nny ✅');
    expect(titleOf(true, 'Kenny')).toBe('Kenny \\(k3nny\\) ✅');
    expect(titleOf(true, 'k3nny')).toBe('k3nny ✅');
    expect(titleOf(false, 'k3nny ✅')).toBe('k3nny ✅ \\(k3nny\\)');
  });

  test.each(views)(
    'the %s is headed by the login name, and below it once the name in its colours',
    (view) => {
      const [{ title, description = '' }] = card(view).embeds;
      expect(title).toBe('k3nny');
      expect(description).toMatch(/^```ansi\n/);
      expect(blocksOf(description)[0]).toEqual(['[TC] k3nny»_3000_']);
      expect(description.match(/3000/g)).toHaveLength(1);
    },
  );

  test('where the guild hides colours, the title has both names', () => {
    const hidden = createTranslators()('en-GB', { unit: 'kilometre', colours: false });
    const [embed] = profileCard(answer(driver()), 'overview', hidden).embeds;
    expect(embed.title).toBe('\\[TC\\] k3nny»\\_3000\\_ \\(k3nny\\)');
    expect(embed.description).not.toContain('3000');
  });

  test('a name that is the username stands there once', () => {
    expect(card('overview', { nickname: '^7K3nny' }).embeds[0].title).toBe('K3nny');
  });

  test.each([
    [true, 0x2ecc71],
    [false, 0x80848e],
    [null, undefined],
  ])('presence %j has its colour at the side', (isOnline, colour) => {
    expect(card('overview', { isOnline }).embeds[0].color).toBe(colour);
  });

  test('a name that shows nothing falls back to the username', () => {
    expect(card('overview', { nickname: '^1\u200b ' }).embeds[0].title).toBe('k3nny');
  });

  test('the country is a flag and a name behind the state, once', () => {
    expect(text('overview')).toContain(':R> · 🇩🇪 Germany\n');
    expect(text('overview', { countryCode: 'UK' })).toContain('🇬🇧 United Kingdom');
    for (const countryCode of ['qq', 'zz', 'xa', 'ez'])
      expect(text('overview', { countryCode })).toMatch(/⚪ Last seen <t:\d+:R>\n/);
    expect(card('overview').embeds[0]).not.toHaveProperty('thumbnail');
  });

  test.each([
    [{ isOnline: true }, '🟢 Online now'],
    [{ isOnline: false }, `⚪ Last seen <t:${NOON / 1000 - 7200}:R>`],
    [{ isOnline: false, dateLastSeen: 0 }, '⚪ Offline'],
    [{ isOnline: false, dateLastSeen: NOON / 1000 + 7200 }, '⚪ Offline'],
  ])('%j reads %s', (changes, line) => {
    expect(text('overview', changes)).toContain(line);
  });

  test('whoever was online by a record from before is not said to be online now', () => {
    const old = answer(driver({ isOnline: true }), 'unavailable');
    const [embed] = profileCard(old, 'overview', t).embeds;
    expect(embed.description).toContain(`⚪ Last seen <t:${NOON / 1000}:R>`);
    expect(embed.description).not.toContain('🟢');
    expect(embed.color).toBeUndefined();
  });

  test('rank and training are shown only where they mean something', () => {
    expect(text('overview')).not.toMatch(/admin|training/i);
    const told = text('overview', { adminLevel: 3, insimAdmin: 1, needsCopTraining: true });
    expect(told).toContain('\nNeeds police training\n');
    expect(told).toMatch(/\n-# As of <t:\d+:R> · Admin level 3 · InSim administrator$/);
  });
});

describe('values that are not reported', () => {
  test('costs its own line only', () => {
    const told = text('overview', { money: null, dateJoined: 'never', countryCode: 7, isOnline: null });
    expect(told).not.toMatch(/Money|Joined|null|NaN|undefined|Invalid/);
    expect(told).toContain('**123,457 km** · **1,111\u00a0h** · **319/379** chases\n');
  });

  test.each([
    ['record', 'stats', "The data service didn't send the record.", 'No stats yet.'],
    ['licences', 'licenses', "The data service didn't send the licences.", 'No licences.'],
    ['garage', 'cars', "The data service didn't send the cars.", 'No cars.'],
    ['properties', 'properties', "The data service didn't send the properties.", 'No properties.'],
  ] as const)(
    '%s: a block that is missing reads otherwise than an empty one',
    (view, field, untold, none) => {
      for (const shown of [view, 'overview'] as const) {
        // In the overview it stands within a line.
        const said = (sentence: string) => (shown === 'overview' ? sentence.replace(/\.$/, '') : sentence);
        expect(text(shown, { [field]: undefined })).toContain(said(untold));
        expect(text(shown, { [field]: [] })).toContain(said(none));
      }
    },
  );

  test('blocks that are empty or missing stand in a line without full stops', () => {
    const lines = text('overview', { licenses: [], cars: undefined, properties: [] }).split('\n');
    expect(lines).toContain("No licences · The data service didn't send the cars");
    expect(lines.find((line) => line.startsWith('No properties'))).toMatch(/^No properties · \*\*Joined\*\*/);
  });

  test('an invalid date is not shown', () => {
    expect(text('overview', { dateJoined: 1e300, isOnline: false, dateLastSeen: -1e18 })).not.toMatch(
      /<t:-?\d+e/,
    );
  });
});

describe('the record', () => {
  test('and the money have every figure that the interface names, each once', () => {
    const names = Object.keys(everyFigure);
    const lines = `${text('record', { stats: everyFigure })}\n${text('properties', { stats: everyFigure })}`
      .replaceAll(/ · [\d.,]+ per 1,000 km| · \*\*Earned\/hour\*\* [\d,]+/g, '')
      .replace(/\*\*Money\*\* [\d,]+/, '');
    // 1001 km, 1002 h and 1003 alike hold the figure's own number.
    const numbers = [...lines.matchAll(/\b1,(\d{3})\b/g)].map(([, digits]) => Number(digits));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(names.map((_, index) => index));
  });

  test('has distance and time of each role in a table that fits a phone', () => {
    expect(linesOfTable('record')).toEqual([
      '               km     Time',
      'Total     123,457  1,111 h',
      'Civilian  100,000    833 h',
      'Police     23,000    250 h',
      'Tow truck    56.8    1.5 h',
    ]);
    for (const view of ['record', 'properties'] as const)
      for (const line of linesOfTable(view, { stats: everyFigure }))
        expect(line.length).toBeLessThanOrEqual(32);
  });

  test('has lines below it, with rates where they say more than sums', () => {
    expect(text('record')).toContain(
      [
        '```\n**As police** 312 won, 41 lost · 88%',
        '**As robber** 7 won, 19 lost · 27%',
        '**Escapes from the police** 3 · **Police XP** 53,200',
        '**Crashes** 1,482 · 12 per 1,000 km\n',
      ].join('\n'),
    );
    expect(text('properties')).toContain('**Net worth** 9,876,543 · **Earned/hour** 2,111\n');
  });

  test('counts crashes by the miles of a reader who counts miles', () => {
    const shown = profileCard(answer(driver()), 'record', inMiles).embeds[0].description;
    expect(shown).toContain('**Crashes** 1,482 · 19.3 per 1,000 mi\n');
  });

  test('shows money in and out for the same thing beside each other', () => {
    expect(
      linesOfTable('properties', { stats: { paid_fines: 34_567, received_fines: 5, sent_money: 9 } }),
    ).toEqual(['        Money in  Money out', 'Drivers        –          9', 'Fines          5     34,567']);
  });

  test('leaves out what a driver never did, but for crashes and the total', () => {
    const stats = {
      ...{ driven_distance: 0, gaming_time_total: 0, driven_distance_cop: 0, gaming_time_cop: 0 },
      ...{ chases_won_cop: 0, chases_lost_cop: 0, cop_xp: 0, winch_used: 0, crashes: 0 },
      ...{ driven_distance_tow: 0, gaming_time_tow: 60 },
    };
    const shown = text('record', { stats });
    expect(shown).toMatch(/Total +0[\s\S]*Tow[\s\S]*\*\*Crashes\*\* 0$/m);
    expect(shown).not.toMatch(/olice|inch|won/);
  });

  test('makes no rate of too little', () => {
    const stats = {
      crashes: 1,
      driven_distance: 50_000,
      net_value: 5,
      chases_won_cop: 0,
      chases_lost_cop: 0,
    };
    expect(text('record', { stats })).not.toMatch(/per 1,000 km|hour|%/);
  });

  test('leads with three figures in one line, without a sum that lacks a part', () => {
    const hero = (stats: object) => text('overview', { nickname: null, stats }).split('\n')[2];
    const whole = {
      driven_distance: 5000,
      gaming_time_total: 7200,
      chases_won_cop: 3,
      chases_lost_cop: 4,
      chases_won_robber: 2,
      chases_lost_robber: 1,
    };
    expect(hero(whole)).toBe('**5 km** · **2\u00a0h** · **5/10** chases');
    const { chases_won_robber: _won, ...half } = whole;
    expect(hero(half)).toBe('**5 km** · **2\u00a0h**');
    // Gumball alone is not all that was driven.
    expect(hero({ gumball_distance: 5000, gumball_time: 60 })).toBe('**Gumball** 5 km · 1\u00a0min');
    // Zero says nothing of a role.
    expect(hero({ driven_distance_tow: 0, gumball_distance: 5000 })).toBe('**Gumball** 5 km');
  });

  test('a score with one side reported shows that side', () => {
    expect(text('record', { stats: { chases_won_cop: 5 } })).toContain('**As police** 5 won\n');
    expect(text('record', { stats: { chases_lost_cop: 5 } })).toContain('**As police** 5 lost\n');
  });

  test.each([
    ['of the later generation', { 1: 100, 6: 200, 31: 4 }],
    ['of 2017', { sentMoney: 100, medXp: 4, gumballTime: null }],
  ])('%s that is about money alone is not called empty', (_what, stats) => {
    expect(text('record', { stats })).toMatch(/\nDrivers +– +100\n/);
    for (const view of ['overview', 'record'] as const)
      expect(text(view, { stats })).not.toContain('No stats yet.');
  });

  test('shows six unknown figures by the service’s names, those with a number last', () => {
    const named = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`xp${index}`, index]));
    expect(text('record', { stats: { 31: 4, 32: 5, ...named } })).toMatch(
      /Other stats\n\*\*xp0\*\* 0\n(?:.*\n){5}\+4 more\n-# As of/,
    );
    expect(text('record', { stats: { 31: 4, 32: 5 } })).toContain(
      'Other stats\n**#31** 4\n**#32** 5\n-# As of',
    );
  });
});

describe('licences', () => {
  const day = NOON / 1000 + 86_400;
  const far = NOON / 1000 + 8 * 86_400;
  /** A line of the table, its columns apart by one space. */
  const row = (licence: object): string | undefined =>
    linesOfTable('licences', { licenses: [{ name: 'Car', ...licence }] })[1]?.replace(/ +/g, ' ');

  test.each([
    ['valid', { revoked: false, expired: false, suspended: false }, '✅ Car –'],
    ['valid until', { revoked: false, expired: false, validUntil: far }, '✅ Car 28 Nov 2026'],
    ['valid for a week at most', { revoked: false, validUntil: far - 86_400 }, '⏳ Car 27 Nov 2026'],
    ['expired', { expired: true, validUntil: day }, '⌛ Car 21 Nov 2026'],
    ['expired by its date', { validUntil: NOON / 1000 }, '⌛ Car 20 Nov 2026'],
    [
      'expired by its date, whatever an old flag says',
      { expired: false, validUntil: NOON / 1000 - 60 },
      '⌛ Car 20 Nov 2026',
    ],
    ['valid again after its suspension', { suspended: true, suspendedUntil: NOON / 1000 }, '✅ Car –'],
    ['not suspended, says the service', { suspended: false, suspendedUntil: day }, '✅ Car –'],
    ['suspended', { suspended: true, validUntil: far }, '⏸️ Car –'],
    ['suspended until', { suspended: true, suspendedUntil: day }, '⏸️ Car 21 Nov 2026'],
    ['suspended by its date', { suspendedUntil: day }, '⏸️ Car 21 Nov 2026'],
    ['revoked whatever else', { revoked: 1, suspended: true, expired: true }, '⛔ Car –'],
    ['of which nothing is told', {}, '❔ Car –'],
    ['whose end cannot be read', { validUntil: 'until further notice', revoked: false }, '❔ Car –'],
    ['whose revocation cannot be read', { revoked: 'perhaps', validUntil: far }, '❔ Car 28 Nov 2026'],
    ['expired whatever cannot be read', { revoked: 'perhaps', expired: true }, '⌛ Car –'],
  ])('one that is %s has the sign of its state in the table', (_state, licence, line) => {
    expect(row(licence)).toBe(line);
  });

  test('stand by state in aligned columns that fit a phone, without their common word', () => {
    const licenses = [
      { name: 'Police licence', expired: true, validUntil: day },
      { name: 'Medical service licence', suspended: true, suspendedUntil: far },
      { name: 'Race licence', revoked: false, validUntil: day },
      { name: 'Driving licence', revoked: false },
    ];
    expect(linesOfTable('licences', { licenses })).toEqual([
      '   Licence         Until',
      '⏳ Race            21 Nov 2026',
      '✅ Driving         –',
      '⏸️ Medical service 28 Nov 2026',
      '⌛ Police          21 Nov 2026',
    ]);
    // The words beside the signs.
    expect(text('licences', { licenses })).toContain('\n✅ 2 valid · ⏸️ 1 suspended · ⌛ 1 expired\n```');
  });

  test('of one beginning are told apart by their ends', () => {
    const licenses = ['A', 'B'].map((end) => ({
      name: `Licence of the police of class ${end}`,
      revoked: false,
    }));
    expect(linesOfTable('licences', { licenses }).slice(1)).toEqual([
      '✅ Licence of the po…ss A –',
      '✅ Licence of the po…ss B –',
    ]);
  });

  test('of one kind alone are called by their whole name', () => {
    expect(row({ name: 'Car licence', revoked: false })).toContain('Car licence');
  });

  test('about to end say when, in the reader’s own time', () => {
    expect(text('licences', { licenses: [{ name: 'Car', revoked: false, validUntil: day }] })).toContain(
      `**Car** · ⏳ ends <t:${day}:R>`,
    );
  });

  test.each([
    ['still valid', { validUntil: far + 60 }, ` · then valid until <t:${far + 60}:D>`],
    ['over by then', { validUntil: day }, ` · expires before that, on <t:${day}:D>`],
    ['expired meanwhile', { expired: true, validUntil: day }, ` · ⌛ expired on <t:${day}:D>`],
    ['expired by its date', { validUntil: NOON / 1000 }, ` · ⌛ expired on <t:${NOON / 1000}:D>`],
    ['without an end', { validUntil: 0 }, ''],
  ])('behind a suspension one is %s', (_what, licence, then) => {
    const changes = { licenses: [{ name: 'Car', suspended: true, suspendedUntil: far, ...licence }] };
    expect(text('licences', changes)).toContain(`**Car** · ⏸️ suspended until <t:${far}:f>${then}\n`);
  });

  test.each([
    [{ issuedBy: 'mad_max' }, 'Car (mad\\_max)'],
    [{ issuedBy: 'mad_max', dateIssued: day }, 'Car 21 Nov 2026 (mad\\_max)'],
    [{ issuedBy: 12, dateIssued: day }, 'Car 21 Nov 2026'],
  ])('%j reads %s', (licence, words) => {
    const shown = text('licences', { licenses: [{ name: 'Car', ...licence }] });
    expect(shown).toContain(`\n**Issued** ${words}\n`);
  });

  test('issued by somebody of whom only a number is known say nothing of it', () => {
    expect(text('licences', { licenses: [{ name: 'Car', issuedBy: 12 }] })).not.toMatch(/Issued|12/);
  });

  test('are one line in the overview: how many of them are valid', () => {
    expect(text('overview')).toContain('**Licences** 1 of 2 valid · **Garage** 2 cars\n');
    expect(text('overview', { licenses: [{ name: 'A', revoked: false }] })).toContain(
      '**Licences** 1 valid · ',
    );
    const unknown = { licenses: [{ name: 'A', revoked: true }, { name: 'B' }] };
    expect(text('overview', unknown)).toContain('**Licences** 1 revoked · 1 with unknown status · ');
  });

  test('of the later generation, without a name, go by their id', () => {
    expect(
      linesOfTable('licences', { licenses: undefined, licences: [{ id: 'tow', revoked: false }] }),
    ).toContainEqual(expect.stringMatching(/^✅ tow/));
  });

  test('beyond twenty are counted', () => {
    const licenses = Array.from({ length: 23 }, (_, index) => ({ name: `${index}`, revoked: false }));
    expect(text('licences', { licenses })).toMatch(/✅ 19 +–\n```\n\+3 more/);
  });
});

describe('properties', () => {
  test('are summed up, kind by kind, the worst of each first', () => {
    const properties = [
      { type: 'garage', condition: 1, value: 500 },
      { type: 'locator', condition: null, value: 20 },
      { type: 'garage', condition: 0.25, value: 0 },
      { type: 'locator', condition: 0.5, value: 1000 },
    ];
    expect(text('properties', { properties })).toContain(
      [
        '**4 properties** · worth\u00a01,520\n',
        '**Garage** ▰▰▰▱▱▱▱▱▱▱ 25%',
        '**Garage** ▰▰▰▰▰▰▰▰▰▰ 100% · 500',
        '**Locator** ▰▰▰▰▰▱▱▱▱▱ 50% · 1,000',
        '**Locator** · 20\n',
      ].join('\n'),
    );
    // Of a part alone there is no sum.
    expect(text('properties', { properties: [{ type: 'garage' }, ...properties] })).toContain(
      '**5 properties**\n',
    );
  });
});

describe('the garage', () => {
  test('is a table that marks what needs a repair', () => {
    const cars = [
      { vin: 'AB12C', type: 'XRT', odometerKm: 12_345.6, condition: 72.4, damage: 3 },
      { vin: 'AB12D', type: 'UF1.XMAS', odometerKm: 88, condition: 49.9 },
      { vin: 'AB12E', type: 'XFG', odometerKm: null, condition: 100, damage: 0 },
      { vin: 'AB12F', type: 'XFG', odometerKm: 7, condition: 99.9, damage: 10 },
      { vin: 'AB12G', type: 'XFG', odometerKm: 7, condition: null },
    ];
    expect(linesOfTable('garage', { cars })).toEqual([
      'Car         VIN       km Cond.',
      'UF 1000 (X… AB12D     88 49% 🔧',
      'XR GT Turbo AB12C 12,346 72%',
      'XF GTI      AB12F      7 99% 🔧',
      'XF GTI      AB12E      – 100%',
      'XF GTI      AB12G      7 –',
    ]);
    expect(text('garage', { cars })).toContain('```\n🔧 repair: below 50%, or 10%+ damage\n');
    expect(text('garage', { cars: cars.slice(0, 1) })).not.toContain('🔧');
  });

  test('never cuts a number that is wider than its column', () => {
    const [car] = cars(1);
    const shown = text('garage', { cars: [{ ...car, odometerKm: 123_456_789, condition: 50 }] });
    expect(shown).toContain(' 123,456,789 ');
  });

  test('marks what was for sale when somebody last looked, and says when that was', () => {
    const cars = ['AB12C', 'AB12D', 'AB12E'].map((vin) => ({ vin, type: 'XRT', condition: 20 }));
    const seen = { model: 'XRT', at: NOON - 3_600_000, gone: null, price: 56_000 };
    const offers = [
      { ...seen, vin: 'AB12D' },
      { ...seen, vin: 'AB12E', gone: NOON },
      { ...seen, vin: 'ZZ9Z9' },
    ];
    const shown = garageCard(answer(driver({ cars })), { order: 'condition', page: 0 }, t, offers).embeds[0]
      .description;
    expect(shown).toContain(`\n🏷️ Seen for sale · **AB12D** 56,000 <t:${NOON / 1000 - 3600}:R>\n-#`);
  });

  test('counts miles where its reader does', () => {
    const shown = garageCard(answer(driver()), { order: 'condition', page: 0 }, inMiles).embeds[0];
    expect(shown.description).toMatch(/VIN +mi +Cond\.\n.* 7,671 /);
  });

  test('the overview counts them and names the best and worst, as the table does', () => {
    const states = [50, 97.5, null, 12].map((condition, index) => ({ ...cars(4)[index], condition }));
    expect(text('overview', { cars: states })).toContain(
      '**Garage** 4 cars\n🏆 **XF GTI** · A0001 · 97%\n🔧 **XF GTI** · A0003 · 12%\n',
    );
    expect(text('overview', { cars: cars(300) })).toMatch(/\*\*Garage\*\* 300 cars\n-# As of/);
    const sound = [100, 95].map((condition, index) => ({ ...cars(2)[index], condition }));
    expect(text('overview', { cars: sound })).not.toContain('🔧');
    const damaged = [
      { ...cars(2)[0], condition: 90, damage: 60 },
      { ...cars(2)[1], condition: 80, damage: 0 },
    ];
    expect(text('overview', { cars: damaged })).toContain(
      '🏆 **XF GTI** · A0001 · 80%\n🔧 **XF GTI** · A0000 · 90%',
    );
    const one = text('overview', { cars: [{ ...cars(1)[0], condition: 31.7 }] });
    expect(one).not.toContain('🏆');
    expect(one).toContain('🔧 ▰▰▰▱▱▱▱▱▱▱ 31%');
  });

  test('the overview lists the upgrades of an only car, those of one kind together', () => {
    const upgrades = [
      { type: 'ramp', condition: 1 },
      { type: 'winch', condition: 0.9 },
      { type: 'winch', condition: 0.44 },
    ];
    expect(text('overview', { cars: [{ ...cars(1)[0], upgrades }] })).toContain(
      '\n2 × Winch (worst\u00a044%) · Ramp 100%\n',
    );
  });

  test('every one of 300 cars can be seen and opened by turning the pages', () => {
    const seen: string[] = [];
    for (let page = 0; page < 38; page += 1) {
      const shown = card('garage', { cars: cars(300) }, page);
      for (const { custom_id: id, options = [] } of rowsOf(shown).flatMap(({ components }) => components)) {
        if (id === `1:car:opencondition-${page}:k3nny`) seen.push(...options.map(({ value }) => value));
      }
    }
    expect(seen).toEqual(cars(300).map(({ vin }) => vin));
  });

  test('a page beyond the last, after the sale of half the cars, is the last', () => {
    expect(JSON.stringify(card('garage', { cars: cars(25) }, 29).components)).toContain('"4 / 4"');
  });

  test('at either end there is nothing further to turn to', () => {
    const turns = (page: number) =>
      JSON.stringify(card('garage', { cars: cars(25) }, page).components.at(-1)).match(/"disabled":true/g)
        ?.length ?? 0;
    expect([turns(0), turns(1), turns(3)]).toEqual([1, 0, 1]);
  });

  test('a VIN that nobody can ask for is shown and not offered', () => {
    const shown = card('garage', { cars: [{ vin: '`@here`', type: 'XFG' }] });
    expect(shown.components).toHaveLength(1);
    expect(shown.embeds[0].description).toContain('`@he…');
  });
});

describe('buttons', () => {
  test('lead to the other views of the driver; the current one is marked and disabled', () => {
    const [views, others] = rowsOf(card('licences'));
    expect(
      [...(views?.components ?? []), ...(others?.components ?? [])].map(({ custom_id: id }) => id),
    ).toEqual([
      '1:profile:overview:k3nny',
      '1:profile:record:k3nny',
      '1:profile:licences:k3nny',
      '1:garage:condition-0:k3nny',
      '1:profile:properties:k3nny',
      '1:profile:refresh-licences:k3nny',
    ]);
    expect(views?.components[2]).toMatchObject({ disabled: true, style: 1 });
    expect(views?.components[1]).toMatchObject({ disabled: false, style: 2 });
  });

  test('lead from the overview to a comparison with the reader, and to the sessions', () => {
    expect(rowsOf(card('overview'))[2]?.components.map(({ custom_id: id }) => id)).toEqual([
      '1:compare:me:k3nny',
      '1:seen:show:k3nny',
      '1:profile:picture:k3nny',
      ...tellButtons('driver', 'k3nny', t).map(writeCustomId),
    ]);
  });
});

describe('of when it is', () => {
  test('every view says in its last line', () => {
    for (const view of ['overview', 'record', 'licences', 'garage', 'properties'] as const)
      expect(text(view).split('\n').at(-1)).toBe(`-# As of <t:${NOON / 1000}:R>`);
    expect(
      text('record', { stats: { unknown: 1 } })
        .split('\n')
        .at(-1),
    ).toMatch(/^-# As of/);
  });

  test.each([
    ['slow', /slow/],
    ['unavailable', /isn't answering/],
    ['over-budget', /request limit is used up/],
    ['unauthorised', /refuses/],
    ['bad-response', /answers that I can't read/],
    ['not-found', /no longer/],
  ] as const)('an old record opens with a warning and the reason: %s', (stale, reason) => {
    const old = { record: driver(), asOf: NOON, stale };
    const [, , , first = ''] = (profileCard(old, 'record', t).embeds[0].description ?? '').split('\n');
    expect(first).toContain(`**Old data**, from <t:${NOON / 1000}:R>`);
    expect(first).toMatch(reason);
  });
});

/** Every figure of the interface with a number of its own: 1,000 to 1,043 in the unit that is shown. */
const everyFigure = Object.fromEntries(
  `sent_money received_money earned_refunds paid_for_renting received_fines paid_fines paid_radar_fines
  driven_distance driving_money_plus driving_money_minus paid_donation received_donation paid_compensation
  received_compensation crashes chases_won_robber chases_lost_robber chases_won_cop chases_lost_cop outran_cops
  net_value gaming_time_total gaming_time_cop gaming_time_civil gaming_time_tow gaming_time_chasing
  gaming_time_chased driven_distance_cop driven_distance_civil driven_distance_tow driven_distance_offroad
  driven_distance_chasing driven_distance_chased driven_distance_sos cop_xp robber_xp rp_xp gumball_distance
  gumball_time winch_used ramps_placed sos_called sos_responded`
    .split(/\s+/)
    .map((name, index) => {
      const factor = name.includes('distance') ? 1000 : name.includes('time') ? 3600 : 1;
      return [name, (1000 + index) * factor];
    }),
);
