import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareCard } from '../../commands/drivers/cards/compare-card.ts';
import { garageCard } from '../../commands/drivers/cards/garage-card.ts';
import { optionsCard } from '../../commands/drivers/cards/options-card.ts';
import { profileCard } from '../../commands/drivers/cards/profile-card.ts';
import { dutyCard } from '../../commands/servers/cards/duty-card.ts';
import { slotsCard } from '../../commands/servers/cards/slots-card.ts';
import { languages } from '../../src/base/languages.ts';
import { orders } from '../../src/cards/car/garage-page.ts';
import { MAX_TEXT_LENGTH } from '../../src/service/models/leaves.ts';
import { LiveStatus } from '../../src/service/models/live-status.ts';
import { Options } from '../../src/service/models/options.ts';
import { Overview } from '../../src/service/models/overview.ts';
import { blocksOf } from '../support/blocks.ts';
import { breaches } from '../support/embed-limits.ts';
import { longNames } from '../support/hostile-names.ts';
import { strayMarkup } from '../support/markup.ts';
import { rowsOf } from '../support/readable.ts';
import { answer, driver, driverJson, liveFile, liveJson, NOON, servers } from '../support/records.ts';
import { createTranslators } from '../support/translators.ts';
import { inGameText } from '../text/in-game.ts';

const translatorFor = createTranslators();
const t = translatorFor('en-GB');
type Card = ReturnType<typeof garageCard>;

function textOf({ embeds: [embed] }: Card): string {
  const fields = (embed.fields ?? []).map(({ name, value }) => `${name}\n${value}`);
  return [embed.title, embed.description, ...fields].join('\n');
}

/** The lines of the last code block, without its fences: before it, there may be a name. */
function tableOf(card: Card): readonly string[] {
  return blocksOf(card.embeds[0].description).at(-1) ?? [];
}

const ids = (card: Card): readonly string[] =>
  rowsOf(card).flatMap(({ components }) => components.map(({ custom_id: id }) => id));

function expectSound(card: Card): void {
  expect(breaches(card)).toEqual([]);
  expect(strayMarkup(card.embeds[0])).toEqual([]);
  expect(JSON.stringify(card.embeds)).not.toMatch(/\b(null|NaN|undefined|Infinity)\b|\[object|Invalid Date/);
}

const cars = (...many: object[]) =>
  many.map((car, index) => ({ vin: `AB12${index}`, type: 'XRT', odometerKm: index, condition: 90, ...car }));

describe('a garage', () => {
  const garage = driver({
    cars: cars(
      { type: 'UF1', odometerKm: 500, condition: 80, damage: 0 },
      { type: 'XRG', odometerKm: 12_345.6, condition: 20, damage: 7 },
      { type: 'FZ5', odometerKm: 3, condition: null, damage: null },
      {
        type: 'LX4',
        odometerKm: null,
        condition: 100,
        damage: 0,
        upgrades: [
          { type: 'winch', value: 1500 },
          { type: 'ramp', value: 500 },
        ],
      },
    ),
  });
  const first = (order: (typeof orders)[number]): readonly string[] =>
    tableOf(garageCard(answer(garage), { order, page: 0 }, t))
      .slice(1)
      .map((line) => /AB12\d/.exec(line)?.[0] ?? '');

  test('shows what is built in, kind by kind with the worst of each', () => {
    const cars = [
      {
        vin: 'AB12C',
        upgrades: [
          { type: 'winch', condition: 0.4415, value: 100 },
          { type: 'ramp', condition: 0.9996, value: 0 },
        ],
      },
      {
        vin: 'AB12D',
        upgrades: [
          { type: 'winch', condition: 1, value: 500 },
          { type: 'x_ray', value: 0 },
        ],
      },
      { vin: 'AB12E', upgrades: [] },
    ];
    const text = textOf(garageCard(answer(driver({ cars })), { order: 'km', page: 0 }, t));
    expect(text).toContain(
      '**Garage** 3 cars · **Upgrades** 4 · worth\u00a0600\n2 × Winch (worst\u00a044%) · Ramp 99% · x ray\n',
    );
  });

  test('is a table in the chosen order, missing values last', () => {
    expect(first('condition')).toEqual(['AB121', 'AB120', 'AB123', 'AB122']);
    expect(first('km')).toEqual(['AB121', 'AB120', 'AB122', 'AB123']);
    expect(first('model')).toEqual(['AB122', 'AB123', 'AB120', 'AB121']);
    expect(tableOf(garageCard(answer(garage), { order: 'km', page: 0 }, t))).toEqual([
      'Car     VIN       km  Cond.',
      'XR GT   AB121 12,346  20% 🔧',
      'UF 1000 AB120    500  80%',
      'FZ50    AB122      3  –',
      'LX4     AB123      –  100%',
    ]);
    // Where digits have a space between them, one more keeps the figures apart.
    const far = driver({ cars: cars({ type: 'UF1', odometerKm: 389_370, condition: 100 }) });
    expect(tableOf(garageCard(answer(far), { order: 'km', page: 0 }, translatorFor('ru')))[1]).toBe(
      'UF 1000 AB120 389 370  100%',
    );
  });

  test('shows what all upgrades are worth', () => {
    const worth = (...upgrades: readonly object[]) =>
      textOf(
        garageCard(
          answer(driver({ cars: cars({ upgrades }, { upgrades: [] }) })),
          { order: 'model', page: 0 },
          t,
        ),
      );
    const [winch, ramp] = [
      { type: 'winch', value: 1500 },
      { type: 'ramp', value: 500 },
    ];
    expect(worth(winch, ramp)).toContain('**Upgrades** 2 · worth\u00a02,000\n');
    // A part of them has no sum, and a car that does not report them no count.
    expect(worth(winch, { type: 'ramp' })).toContain('**Upgrades** 2\nWinch');
    expect(textOf(garageCard(answer(garage), { order: 'model', page: 0 }, t))).not.toContain('Upgrades');
  });

  test('of more cars than a page holds has pages, and every car can be opened', () => {
    const many = driver({
      cars: cars(...Array.from({ length: 40 }, (_, index) => ({ vin: String(10_000 + index) }))),
    });
    const opened = [0, 1, 2, 3, 4].flatMap((page) => {
      const card = garageCard(answer(many), { order: 'km', page }, t);
      const open = rowsOf(card)
        .flatMap(({ components }) => components)
        .find(({ custom_id: id }) => id === `1:car:openkm-${page}:k3nny`);
      return open?.options?.map(({ value }) => value) ?? [];
    });
    expect(new Set(opened).size).toBe(40);
    expect(tableOf(garageCard(answer(many), { order: 'km', page: 99 }, t))).toHaveLength(9);
  });

  test('says whether there are no cars or none were reported', () => {
    expect(textOf(garageCard(answer(driver({ cars: [] })), { order: 'km', page: 0 }, t))).toContain(
      'No cars.',
    );
    expect(textOf(garageCard(answer(driver({ cars: undefined })), { order: 'km', page: 0 }, t))).toContain(
      "didn't send the cars",
    );
  });

  test('is narrow enough for a phone', () => {
    const real = driver({
      cars: cars({ type: 'UF1.XMAS', odometerKm: 987_654, condition: 9 }, { type: 'BF1' }),
    });
    for (const line of tableOf(garageCard(answer(real), { order: 'km', page: 0 }, t)))
      expect(line.length).toBeLessThanOrEqual(32);
  });
});

describe('options', () => {
  const told = (options: object): Card =>
    optionsCard({ username: 'k3nny', nickname: null }, answer(Options.parse(options)), t);

  test('are said in words and in groups', () => {
    const text = textOf(
      told({ mph: '1', force_mouse: '0', pri_uf1_cop: 'p1', spawn_location: 'harbour', theme: 'amber' }),
    );
    expect(text).toContain('**Options** · 5 changed from the default');
    expect(text).toMatch(/Display\n\*\*Speed\*\* in miles per hour\n\*\*Theme\*\* `amber`/);
    expect(text).toMatch(/Driving\n\*\*Spawn at\*\* `harbour`\n\*\*Forced mouse\*\* off/);
    expect(text).toContain('**UF 1000 · police** `p1`');
  });

  test('show a colour by its name and in that colour, unless colours are not wanted', () => {
    expect(textOf(told({ loccol: '3' }))).toContain(
      '**Location colour**\n```ansi\n\u001b[33myellow\u001b[0m\n```',
    );
    const plain = translatorFor('en-GB', { unit: 'kilometre', colours: false });
    expect(
      textOf(
        optionsCard({ username: 'k3nny', nickname: null }, answer(Options.parse({ loccol: '3' })), plain),
      ),
    ).not.toContain('ansi');
    expect(textOf(told({ loccol: '8' }))).toContain('**Location colour** default');
    expect(textOf(told({ loccol: '12' }))).toContain('**Location colour** 12');
  });

  test('that nobody knows are shown as they are', () => {
    const text = textOf(told({ 'new_*option*': 'x_y', pri_uf1_king: 'k', mph: 'maybe', ['__proto__x']: '' }));
    expect(text).toContain('**new\\_\\*option\\*** `x_y`');
    expect(text).toContain('**pri\\_uf1\\_king** `k`');
    expect(text).toContain('**Speed** `maybe`');
    expect(text).toContain('**\\_\\_proto\\_\\_x** empty');
  });

  test('of which none was changed say so', () => {
    expect(textOf(told([]))).toContain('all at their defaults');
  });
});

describe('a comparison', () => {
  const a = answer(driver());
  const b = answer(
    driver({
      username: 'mad_max',
      nickname: 'Mad ^1Max',
      money: 1_234_567,
      stats: { driven_distance: 5000, crashes: 3, chases_won_cop: 400, net_value: 9_876_543 },
      cars: [],
    }),
  );

  test('says who leads in each line by a mark and counts it in words; fewer crashes lead', () => {
    const card = compareCard(a, b, t);
    const line = (label: string) => tableOf(card).find((each) => each.startsWith(label)) ?? '';
    // Signs stand for the names, which a phone would cut.
    expect(line('Stat')).toMatch(/^Stat +◄ +►$/);
    expect(line('Driven')).toMatch(/^Driven km +123,457 ◄ +5$/);
    expect(line('Crashes')).toMatch(/ 1,482 ► +3$/);
    expect(line('Won (police)')).toMatch(/ 312 ► +400$/);
    expect(line('Net worth')).toMatch(/ 9.88m = +9.88m$/);
    // Only one of them reports it: nobody leads.
    expect(line('Police XP')).toMatch(/ 53,200 +–$/);
    expect(textOf(card)).toMatch(/◄ \*\*.*k3nny.*\*\* leads in 2 · ► \*\*Mad Max\*\* leads in 2 · 2 tied/);
    for (const each of tableOf(card)) expect(each.length).toBeLessThanOrEqual(32);
  });

  test('compares rates too, where there is enough to go by', () => {
    const rates = (stats: object) => {
      const other = answer(driver({ username: 'mad_max', nickname: 'Mad Max', stats }));
      const lines = tableOf(compareCard(a, other, t));
      return ['Chase wins', 'Crash/1000km', 'Earned/hour'].map((label) =>
        lines.find((each) => each.startsWith(label))?.replace(/ +/g, ' '),
      );
    };
    const chases = { chases_won_cop: 0, chases_lost_cop: 0, chases_won_robber: 1, chases_lost_robber: 3 };
    const known = { driven_distance: 1e8, crashes: 2000, ...chases };
    expect(rates({ ...known, gaming_time_total: 36_000, driving_money_plus: 50_000 })).toEqual([
      'Chase wins 84% ◄ 25%',
      'Crash/1000km 12 ◄ 20',
      'Earned/hour 2,111 ► 5,000',
    ]);
    // Whoever has no losses on record may still have lost.
    expect(rates({ chases_won_cop: 5, chases_won_robber: 2, chases_lost_robber: 1 })[0]).toBe(
      'Chase wins 84% –',
    );
    const short = { driven_distance: 99_999, crashes: 0, gaming_time_total: 3599, driving_money_plus: 1 };
    expect(rates(short)).toEqual(['Chase wins 84% –', 'Crash/1000km 12 –', 'Earned/hour 2,111 –']);
  });

  test('two drivers of one name are told apart by their login names', () => {
    const other = answer(driver({ username: 'mad_max' }));
    expect(textOf(compareCard(a, other, t))).toMatch(/◄ \*\*k3nny\*\* leads .* ► \*\*mad\\_max\*\* leads/);
  });

  test('leads to both profiles, and both names stand in its refresh', () => {
    expect(ids(compareCard(a, b, t))).toEqual([
      '1:profile:overview:k3nny',
      '1:profile:overview:mad_max',
      '1:compare:refresh-5:k3nnymad_max',
    ]);
    const long = (letter: string) => answer(driver({ username: letter.repeat(64) }));
    expect(ids(compareCard(long('x'), b, t))).toHaveLength(3);
    expect(ids(compareCard(long('x'), long('y'), t))).toHaveLength(2);
  });
  test('without figures says that there is nothing to compare', () => {
    const nothing = answer(driver({ stats: undefined, money: undefined, cars: undefined }));
    expect(textOf(compareCard(nothing, nothing, t))).toContain('Nothing to compare');
  });
});

describe('who is on duty', () => {
  const fresh = (players: Parameters<typeof liveJson>[0]) => answer(liveFile(liveJson(players)));
  const nobody: Parameters<typeof dutyCard>[0] = {
    one: fresh({}),
    two: fresh({}),
    three: fresh({}),
    four: fresh({}),
  };

  test('is summed over all servers and listed for each', () => {
    const files = {
      ...nobody,
      one: fresh({ 1: { cop: true }, 2: { cop: true, isChased: false }, 3: { isChased: true } }),
      two: fresh({ 1: { med: true }, 2: { cop: true }, 3: { isJoining: true } }),
    };
    const text = textOf(dutyCard(files, NOON, t)).replaceAll('\u00a0', ' ');
    expect(text).toContain('**🚓 3 police · 🚑 1 medic · 🏃 1 chase**');
    expect(text).toMatch(
      /\*\*One\*\* 🚓 2 police · 🏃 1 chase\n\*\*Two\*\* 🚓 1 police · 🚑 1 medic\nNo one on duty: \*\*Three\*\* · \*\*Four\*\*\n/,
    );
    expect(text).not.toContain('joining');
  });

  test('counts sirens and cautions', () => {
    const one = fresh({ 1: { siren: true, caution: true }, 2: { siren: true } });
    const text = textOf(dutyCard({ ...nobody, one }, NOON, t)).replaceAll('\u00a0', ' ');
    expect(text).toContain('**🚨 2 sirens · 🚧 1 caution**');
  });

  test('are no hazards, beside which others are on duty or nobody is', () => {
    const hazards = fresh({ 1: { un: 'gian', hazard: true } });
    const one = fresh({ 1: { un: 'gian', hazard: true }, 2: { un: 'ann', cop: true, hazard: true } });
    expect(textOf(dutyCard({ ...nobody, two: hazards }, NOON, t))).toMatch(
      /No drivers on duty\.\*\*(?!.*gian)/s,
    );
    const [{ description = '' }] = dutyCard({ ...nobody, one, two: hazards }, NOON, t).embeds;
    expect(blocksOf(description)).toEqual([['One', '  ann 🚓']]);
    expect(description).toContain('No one on duty: **Two** · **Three** · **Four**');
  });

  test('is nobody only where every server says so', () => {
    expect(textOf(dutyCard(nobody, NOON, t))).toContain('No drivers on duty.');
  });

  test.each([
    ['a file that cannot be read', { fault: 'bad-response' as const }, "sends answers that I can't read"],
    ['a file whose time stands still', { ...fresh({}), asOf: NOON - 46_000 }, 'service has stopped updating'],
    [
      'a file from before an outage',
      { ...fresh({}), stale: 'unavailable' as const },
      "service isn't answering",
    ],
    [
      'a file that tells no duty',
      answer(LiveStatus.parse({ ps: { 1: { un: 'k3nny' } }, t: NOON })),
      "1 server doesn't report duty",
    ],
  ])('%s is never shown as nobody', (_what, file, said) => {
    const text = textOf(dutyCard({ ...nobody, three: file }, NOON, t));
    expect(text).not.toContain('No drivers on duty.');
    expect(text).toContain(said);
    expect(text).toMatch(/\*\*Three\*\* ❔ duty (unknown|not reported)/);
    const none = textOf(dutyCard({ one: file, two: file, three: file, four: file }, NOON, t));
    expect(none).not.toMatch(/no drivers on duty/i);
  });

  test('an outage is no silence of the servers', () => {
    const kept = { ...fresh({}), stale: 'unavailable' as const };
    const silent = answer(LiveStatus.parse({ ps: { 1: { un: 'k3nny' } }, t: NOON }));
    const text = textOf(dutyCard({ ...nobody, one: kept, two: silent }, NOON, t));
    expect(text).toMatch(
      /Incomplete\.\*\* The data service isn't answering[\s\S]*1 server doesn't report duty/,
    );
    const none = textOf(dutyCard({ one: kept, two: kept, three: kept, four: kept }, NOON, t));
    expect(none).toContain("The data service isn't answering.");
    expect(none).not.toContain("n't report");
    expect(none).not.toContain('No drivers on duty');
  });

  test('is unknown in one line, with its time, for servers that stopped together', () => {
    const since = (ago: number) => ({ ...fresh({}), asOf: NOON - ago, stale: 'unavailable' as const });
    const text = textOf(dutyCard({ ...nobody, one: since(52_000), two: since(50_000) }, NOON, t));
    expect(text).toContain(`**One** · **Two** ❔ duty unknown since <t:${NOON / 1000 - 60}:t>`);
    const old = textOf(dutyCard({ ...nobody, one: since(86_400_000) }, NOON, t));
    expect(old).toContain(`**One** ❔ duty unknown since <t:${NOON / 1000 - 86_400}:f>`);
  });

  test('is named where the service shows who it is', () => {
    const named = answer(
      LiveStatus.parse({
        ps: { 7: { un: 'k3nny', nn: '^1K_', cop: true }, 8: { un: 'x', cop: false } },
        t: NOON,
      }),
    );
    const [{ description = '' }] = dutyCard({ ...nobody, four: named }, NOON, t).embeds;
    expect(blocksOf(description)).toEqual([['Four', '  K_ 🚓']]);
    expect(description).toContain('No one on duty: **One** · **Two** · **Three**');
    const hidden = createTranslators()('en-GB', { unit: 'kilometre', colours: false });
    expect(textOf(dutyCard({ ...nobody, four: named }, NOON, hidden))).toContain('**Four**\nK\\_ 🚓\n');
  });

  test('counts those on duty who have no name, or do not want one, at their server', () => {
    const players = {
      1: { un: 'ann', isJoining: true, cop: true },
      2: { cop: true },
      3: { med: true },
      4: {},
    };
    const [{ description = '' }] = dutyCard({ ...nobody, one: fresh(players) }, NOON, t).embeds;
    expect(blocksOf(description)).toEqual([['One · +2', '  ann 🚓']]);
  });

  test('leads to the live card of each server', () => {
    expect(ids(dutyCard(nobody, NOON, t))).toEqual([
      '1:live:page-0:one.duty',
      '1:live:page-0:two.duty',
      '1:live:page-0:three.duty',
      '1:live:page-0:four.duty',
      '1:duty:refresh:',
      '1:watch:tell:duty police',
      '1:watch:tell:duty medic',
      '1:watch:tell:duty tow',
      '1:watch:tell:duty chase',
    ]);
  });
});

describe('free slots', () => {
  const overview = servers({
    one: { online: true, guests: 40, maxGuests: 40, trackName: 'A' },
    two: { online: true, guests: 3, maxGuests: 40, trackName: 'B' },
    three: { online: true, guests: 38, maxGuests: 40, trackName: 'C' },
    events: { online: false, guests: 0, maxGuests: 40, trackName: 'D' },
    'strange_^1one': { online: true, guests: 9, maxGuests: 8 },
    training: { online: true },
  });

  test('start with the fullest server that has some, then the full ones, then the rest', () => {
    const text = textOf(slotsCard(answer(overview), [], t));
    expect(text.match(/^\*\*(?:[A-Z]\w+|strange.*?)\*\*/gm)).toEqual([
      '**Three**',
      '**Two**',
      '**strange\\_one**',
      '**One**',
      '**Training**',
      '**Events**',
    ]);
    expect(text).toContain('**39 free slots** in total');
  });

  test('lead to the drivers of each server that runs and lists them', () => {
    const open = (card: Card) => ids(card).filter((id) => id.startsWith('1:live'));
    expect(open(slotsCard(answer(overview), ['four'], t))).toEqual([
      '1:live:page-0:one.slots',
      '1:live:page-0:two.slots',
      '1:live:page-0:three.slots',
      '1:live:page-0:four.slots',
    ]);
    const closed = servers({ two: { online: false, guests: 0, maxGuests: 40 }, training: { online: true } });
    expect(open(slotsCard(answer(closed), [], t))).toEqual([]);
  });

  test('of a server that gives no number are said to be unknown, and are in no sum', () => {
    const some = servers({ one: { online: true, guests: 3, maxGuests: 8 }, two: { online: true } });
    const text = textOf(slotsCard(answer(some), ['four'], t));
    for (const name of ['Two', 'Four'])
      expect(text).toMatch(new RegExp(`\\*\\*${name}\\*\\*[^*]*free slots unknown`));
    expect(text).toContain(
      "**5 free slots** in total\nServers that don't report their slots aren't counted.",
    );
    const told = servers({ one: { online: true, guests: 3, maxGuests: 8 } });
    expect(textOf(slotsCard(answer(told), [], t))).not.toMatch(/unknown|not counted/);
  });

  test('that there are none is said', () => {
    const full = servers({ one: { online: true, guests: 8, maxGuests: 8 } });
    expect(textOf(slotsCard(answer(full), [], t))).toContain('No free slot');
    expect(textOf(slotsCard(answer(servers([])), [], t))).toContain('No servers.');
  });

  test('that are known of no server that runs are unknown, not none', () => {
    const text = textOf(slotsCard(answer(servers([])), ['one'], t));
    expect(text).toContain('free slots unknown');
    expect(text).not.toContain('No free slot');
  });
});

const everyRole = Object.fromEntries(
  ['', '_civil', '_cop', '_tow', '_chasing', '_chased', '_offroad', '_sos'].flatMap((role) => [
    [`driven_distance${role}`, 123_456_789],
    [`gaming_time_${role === '' ? 'total' : role.slice(1)}`, 234_567],
  ]),
);
const money = `sent_money received_money earned_refunds paid_for_renting received_fines paid_fines paid_radar_fines
  driving_money_plus driving_money_minus paid_donation received_donation paid_compensation received_compensation`;
const everyFigure = {
  ...everyRole,
  ...Object.fromEntries(money.split(/\s+/).map((name) => [name, 1_234_567])),
};
const everyState = [
  { name: 'Race', revoked: false, validUntil: NOON / 1000 + 3600 },
  { name: 'Car', revoked: false },
  { name: 'Tow', suspended: true, suspendedUntil: NOON / 1000 + 3600 },
  { name: 'Bus', expired: true },
  { name: 'Taxi', revoked: true },
  { name: 'Van' },
];

test.each(languages)('in %s, tables have whole labels and the width of a phone', (language) => {
  const of = translatorFor(language);
  const other = answer(driver({ username: 'mad_max', cars: [] }));
  for (const card of [
    compareCard(answer(driver()), other, of),
    garageCard(answer(driver()), { order: 'condition', page: 0 }, of),
    ...(['record', 'licences', 'properties'] as const).map((view) =>
      profileCard(answer(driver({ stats: everyFigure, licenses: everyState })), view, of),
    ),
  ]) {
    const lines = tableOf(card);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      // A long name of a car is cut.
      expect(line.replace(/^UF 1000 \(X.*?…/, '')).not.toContain('…');
      expect(line.length, line).toBeLessThanOrEqual(32);
    }
  }
});

// ── Whatever may come ───────────────────────────────────────────────────────────────────────────────

/** Those that are served, and some with other figures. */
const locales = [...languages, 'ja', 'ar'];
const absurd = fc.constantFrom(1.7e308, -1.7e308, 5e-324, -0, 1e15, 999_999_999_999_999, null, '12', 'x', 7);
const name = fc
  .oneof(inGameText, fc.constantFrom(...Object.values(longNames), '', '```', '__proto__'))
  .map((text) => text.slice(0, MAX_TEXT_LENGTH));
const anyCar = fc.record({
  vin: fc.oneof(name, fc.stringMatching(/^[A-Z0-9]{5}$/)),
  type: fc.oneof(name, fc.constantFrom('XRT', 'UF1.XMAS', 'A1B2C3', null)),
  odometerKm: absurd,
  condition: absurd,
  damage: absurd,
  upgrades: fc.constantFrom(
    null,
    [],
    [
      { type: 'winch', value: 1.7e308 },
      { type: 'ramp', value: 1.7e308 },
    ],
  ),
});
const anyDriver = fc.record({
  username: fc.constantFrom('k3nny', '|'.repeat(64), 'Zoë *B*', '^1'),
  nickname: name,
  money: absurd,
  stats: fc.record(Object.fromEntries(Object.keys(driverJson.stats).map((key) => [key, absurd]))),
  cars: fc.oneof(fc.array(anyCar, { maxLength: 40 }), fc.constantFrom(null, {}, 'x')),
});

describe('whatever the service sends of', () => {
  test('garages, every order and page is a message that Discord accepts', () => {
    fc.assert(
      fc.property(
        anyDriver,
        fc.constantFrom(...locales),
        fc.constantFrom(...orders),
        fc.nat(3),
        (json, locale, order, page) => {
          expectSound(
            garageCard(answer(driver(json), 'unavailable'), { order, page }, translatorFor(locale)),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  test('two drivers, the comparison is a message that Discord accepts', () => {
    fc.assert(
      fc.property(anyDriver, anyDriver, fc.constantFrom(...locales), (a, b, locale) => {
        expectSound(
          compareCard(
            answer(driver(a), 'unavailable'),
            answer(driver(b), 'unavailable'),
            translatorFor(locale),
          ),
        );
      }),
      { numRuns: 150 },
    );
  });

  test('options, the card is a message that Discord accepts', () => {
    const option = fc.oneof(name, fc.constantFrom('mph', 'loccol', 'theme', 'pri_uf1_cop'));
    fc.assert(
      fc.property(
        fc.dictionary(option, name, { maxKeys: 60 }),
        fc.constantFrom(...locales),
        (json, locale) => {
          expectSound(
            optionsCard(
              { username: 'k3nny', nickname: null },
              answer(Options.parse(json), 'unavailable'),
              translatorFor(locale),
            ),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  test('servers, free slots and duty are messages that Discord accepts', () => {
    const server = fc.record({ online: fc.boolean(), guests: absurd, maxGuests: absurd, trackName: name });
    const player = fc.record({
      cop: fc.constantFrom(true, false, null),
      med: fc.constantFrom(true, null),
      un: name,
      nn: name,
    });
    fc.assert(
      fc.property(
        fc.dictionary(name, server, { maxKeys: 30 }),
        fc.dictionary(fc.string(), player, { maxKeys: 60 }),
        fc.constantFrom(...locales),
        (overview, ps, locale) => {
          expectSound(slotsCard(answer(Overview.parse(overview), 'unavailable'), [], translatorFor(locale)));
          const file = answer(LiveStatus.parse({ ps, t: NOON }));
          expectSound(
            dutyCard(
              { one: file, two: { fault: 'unavailable' }, three: file, four: file },
              NOON,
              translatorFor(locale),
            ),
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});
