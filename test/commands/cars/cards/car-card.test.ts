import { describe, expect, test } from 'vitest';
import { carCard } from '../../../../commands/cars/cards/car-card.ts';
import type { Offer } from '../../../../src/community/history/history.ts';
import { rowsOf } from '../../../support/readable.ts';
import { answer, carJson, NOON, vehicle } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';

const t = createTranslators()('en-GB');

function embed(changes: object = {}, offers: readonly Offer[] = []) {
  return carCard(answer(vehicle(changes)), t, { offers }).embeds[0];
}

function section(name: string, changes: object = {}): string | undefined {
  const value = embed(changes).fields?.find((field) => field.name.startsWith(name))?.value;
  return value?.replace(/\n-# As of .*$/, '');
}

test('the title is the model and the VIN, with the code if the name lacks it', () => {
  expect(embed().title).toBe('XR GT Turbo · AB12C');
  expect(section('History')).toContain('**Model code** XRT');
  expect(section('History', { type: 'ZZ9' })).not.toContain('Model code');
});

test('the owner is shown by name and username, once, with buttons', () => {
  expect(embed().description).toMatch(/\n\*\*Owner\*\* .*k3nny».* \\\(k3nny\\\)\n\*\*Odometer/);
  const ids = rowsOf(carCard(answer(vehicle()), t)).flatMap(({ components }) =>
    components.map(({ custom_id: id }) => id),
  );
  expect(ids).toEqual([
    '1:profile:open:',
    '1:profile:overview:k3nny',
    '1:garage:condition-0:k3nny',
    '1:car:refresh:AB12C',
  ]);
});

test('a car without an owner says so and leads to nobody', () => {
  const card = carCard(answer(vehicle({ owner: '', nickname: '' })), t);
  expect(card.embeds[0].description).toMatch(/\nThe data service names no owner\.\n/);
  expect(JSON.stringify(card.components)).not.toContain('profile:overview');
});

test('an owner of whom only the in-game name is told is named by it', () => {
  expect(embed({ owner: undefined, nickname: '^1Ann' }).description).toMatch(/\n\*\*Owner\*\* Ann\n/);
});

test('those who had it before can be opened, by the names that are known of them', () => {
  const nicknameOf = (username: string) => (username === 'mad_max' ? '^1Max' : null);
  const card = carCard(answer(vehicle()), t, { nicknameOf });
  expect(card.components[0]?.components[0]).toMatchObject({
    custom_id: '1:profile:open:',
    options: [
      { label: 'Zoë', value: 'Zoë' },
      { label: 'Max (mad_max)', value: 'mad_max' },
    ],
  });
  expect(JSON.stringify(card.embeds)).toContain('**Max \\\\(mad\\\\_max\\\\)** · from');
});

test('condition is one bar, which damage and a wear of its own explain in words', () => {
  expect(embed().description?.replaceAll('\u00a0', ' ')).toContain(
    '**Condition** ▰▰▰▰▰▰▰▱▱▱ 72% · 3% damage\n',
  );
  expect(embed({ condition: 60, wear: 28 }).description?.replaceAll('\u00a0', ' ')).toContain(
    ' 60% · 28% wear · 3% damage\n',
  );
});

test('wear that is all that the condition lacks is not said twice', () => {
  expect(embed({ condition: 24, wear: 76, damage: 5 }).description).not.toContain('wear');
  const shown = embed({ condition: 50, wear: 50, damage: 0 }).description;
  expect(shown).toContain('**Condition** ▰▰▰▰▰▱▱▱▱▱ 50%\n');
});

test.each([
  [{ condition: 80 }, 0x2ecc71],
  [{ condition: 72.4 }, 0xe6a23c],
  [{ condition: 49.9 }, 0xd9534f],
  [{ condition: 100, isWrecked: true }, 0xd9534f],
  [{ condition: null }, undefined],
])('%j has its colour at the side', (changes, colour) => {
  expect(embed(changes).color).toBe(colour);
});

test('a damage too small to round is not zero, and 99.96 is not 100', () => {
  const shown = embed({ condition: 99.96, wear: 0, damage: 0.0199 }).description;
  expect(shown?.replaceAll('\u00a0', ' ')).toContain('**Condition** ▰▰▰▰▰▰▰▰▰▱ 99% · <1% damage\n');
});

test.each([
  [{ isOnMarket: true, marketPrice: 56000 }, /For sale at 56,000\*\*/],
  [{ isOnMarket: true, marketPrice: 0 }, /For sale\*\*/],
  [{ isOnMarket: null, marketPrice: 56000 }, /For sale at 56,000/],
])('%j is for sale', (changes, line) => {
  expect(embed(changes).description).toMatch(line);
});

test.each([
  { isOnMarket: false, marketPrice: 56000 },
  { isOnMarket: null, marketPrice: 0 },
  { isOnMarket: 0, marketPrice: null },
])('%j is not for sale', (changes) => {
  expect(embed(changes).description).not.toMatch(/sale/i);
});

describe('a price', () => {
  const day = 86_400_000;
  const seen = (vin: string, price: number | null, days: number): Offer => ({
    ...{ vin, price, model: 'XRT', gone: null },
    at: NOON - days * day,
  });
  const others = [
    seen('AAAA1', 60_000, 1),
    seen('AAAA2', null, 2),
    seen('AAAA3', 70_000, 3),
    seen('AAAA4', 80_000, 9),
  ];
  const description = (offers: readonly Offer[], changes: object = {}): string =>
    embed(changes, offers).description ?? '';
  const at = (days: number): number => (NOON - days * day) / 1000;

  test('stands beside recent prices of its model: their number, range and the last one', () => {
    expect(description(others)).toContain(
      [
        '**🏷️ For sale at 56,000** · 20% below the usual price',
        `3 others seen for sale: 60,000–80,000, usually 70,000; latest <t:${at(1)}:R>`,
      ].join('\n'),
    );
    expect(description(others, { marketPrice: 84_000 })).toContain('84,000** · 20% above the usual price\n');
    expect(description(others, { marketPrice: 70_000 })).toContain('70,000**\n');
  });

  test('is not compared with its own, and from one other no median is made', () => {
    expect(description([seen('AB12C', 1, 0), seen('AAAA1', 60_000, 1)])).toContain(
      `**🏷️ For sale at 56,000**\nOne other of this model seen for sale: at 60,000, <t:${at(1)}:R>\n`,
    );
    expect(description([seen('AB12C', 1, 0)])).not.toMatch(/seen|usual/);
  });

  test.each([[{ isOnMarket: false }], [{ marketPrice: 0 }]])('of %j is none to compare', (changes) => {
    expect(description(others, changes)).not.toMatch(/seen|usual/);
  });
});

test('a car opened from a garage leads back to its page, after a refresh too', () => {
  const from = { order: 'condition', page: 9999, username: '|'.repeat(64) } as const;
  const ids = rowsOf(carCard(answer(vehicle()), t, { from })).flatMap(({ components }) =>
    components.map(({ custom_id: id }) => id),
  );
  expect(ids).toEqual([
    '1:profile:open:',
    `1:garage:condition-9999:${from.username}`,
    '1:profile:overview:k3nny',
    `1:car:refresh-incondition-9999:AB12C${from.username}`,
  ]);
  for (const id of ids) expect(id.length).toBeLessThanOrEqual(100);
});

test('a wreck is called one, and no other car is', () => {
  expect(embed({ isWrecked: 1 }).description).toContain('Wrecked');
  expect(embed().description).not.toContain('Wrecked');
});

test('upgrades show their condition, and an unknown kind its own name', () => {
  expect(section('Upgrades')).toBe('**Radar detector** ▰▰▰▰▰▰▰▰▰▱ 87%\n**turbo whistle** ▰▱▱▱▱▱▱▱▱▱ 10%');
  expect(section('Upgrades', { upgrades: [] })).toBe('None.');
  expect(section('Upgrades', { upgrades: undefined })).toMatch(/didn't send the upgrades/);
});

test('another car than the one that was asked for is named as such', () => {
  const lead = (asked: string) =>
    carCard(answer(vehicle({ vin: ' ab12c' })), t, { asked }).embeds[0].description;
  expect(lead('XY99Z')).toMatch(/^⚠️ You asked for \*\*XY99Z\*\*\./);
  expect(lead('AB12C')).not.toContain('asked for');
});

describe('its life', () => {
  const noneSoFar = '**Previous owners** None so far.';
  const [first, second] = carJson.preOwners;

  test('are a timeline, latest first, with the kilometres that each one drove', () => {
    expect(section('History')?.split('\n')).toEqual([
      `🔑 **\\[TC\\] k3nny»\\_3000\\_ \\(k3nny\\)** · from <t:${Date.UTC(2025, 1, 1, 10) / 1000}:d>`,
      expect.stringMatching(
        /^\*\*Zoë\*\* · from <t:\d+:d> at 20,001 km · 25,678 km to now, with later owners$/,
      ),
      expect.stringMatching(/^\*\*mad\\_max\*\* · from <t:\d+:d> · drove 20,001 km$/),
      `**Built** <t:${Date.UTC(2018, 4, 1, 10) / 1000}:d> · **Model code** XRT`,
    ]);
  });

  test('stand in the order of their purchases, however the service lists them', () => {
    expect(section('History', { preOwners: [second, first] })).toBe(section('History'));
  });

  test('no distance is made up where an odometer is missing or ran backwards', () => {
    const without = [{ ...first, odometerKm: null }, second];
    expect(section('History', { preOwners: without })).not.toContain('drove');
    const backwards = [{ ...first, odometerKm: 30000 }, second];
    expect(section('History', { preOwners: backwards })).not.toMatch(/drove|-/);
  });

  const own = { buyer: 'K3nny', buyerId: '4711', datePurchase: 1_738_404_000, odometerKm: 30000 };

  test('do not count the present one, who may be listed with them', () => {
    const firstHand = { preOwners: [own], numPreowners: 0, datePurchase: 0 };
    expect(section('History', { ...firstHand, nickname: null })).toBe(
      `🔑 **k3nny** · from <t:1738404000:d> · drove 15,679 km\n${noneSoFar}\n**Built** <t:1525168800:d> · **Model code** XRT`,
    );

    const third = { preOwners: [first, second, own], numPreowners: 2 };
    expect(section('History', third)).toMatch(
      /^🔑 .*k3nny.* · drove 15,679 km\n.*Zoë.* · drove 10,000 km\n.*mad.*\n.*Built/,
    );
    expect(section('History', third)).not.toContain('later owners');
  });

  test('count an owner who has bought the car back', () => {
    const before = { ...own, datePurchase: 1_600_000_000 };
    expect(section('History', { preOwners: [first, before], numPreowners: 2 })).toContain('**K3nny**');
    // The very purchase is no second one.
    expect(section('History', { preOwners: [first, own], numPreowners: 2 })).not.toContain('K3nny');
  });

  test('do not show the owner’s purchase twice where others are not listed', () => {
    const cut = section('History', { preOwners: [first, own], numPreowners: 6, datePurchase: 0 });
    expect(cut).toMatch(/^🔑 .*k3nny.* · from <t:1738404000:d> · drove 15,679 km\n.*mad/);
    expect(cut).not.toContain('K3nny');
    expect(cut).toContain('\n5 more, not listed');
  });

  test('that are counted and not listed are reported', () => {
    const cut = { preOwners: [first], numPreowners: 3 };
    expect(section('History', cut)).toMatch(/mad.*\n2 more, not listed/);
    // The third may have had it between the two.
    const between = section('History', { preOwners: [first, second], numPreowners: 3 });
    expect(between).toMatch(/mad.* 45,679 km to now, with later owners\n1 more, not listed/);
    expect(between).not.toContain('drove');
  });

  test('of many owners has the latest, and the number of the others', () => {
    const preOwners = Array.from({ length: 7 }, (_, at) => ({
      ...{ buyer: `owner ${at}`, buyerId: '1', datePurchase: 1_600_000_000 + at, odometerKm: at * 1000 },
    }));
    expect(section('History', { preOwners, numPreowners: 7 })?.split('\n')).toEqual([
      expect.stringContaining('k3nny'),
      ...[6, 5, 4, 3].map((at) => expect.stringContaining(`owner ${at}`)),
      '+3 more',
      expect.stringContaining('Built'),
    ]);
  });

  test('keep a place for an owner without a readable name', () => {
    const nameless = [
      first,
      { ...own, buyer: ['?'], odometerKm: 15_000, datePurchase: 1_600_000_000 },
      second,
    ];
    expect(section('History', { preOwners: nameless, numPreowners: 3 })).toMatch(
      /Zoë.*\n\*\*\?\*\* · from <t:\d+:d> · drove 5,001 km\n.*mad.* drove 15,000 km/,
    );
  });

  test('none, not reported, and reported as a number only read differently', () => {
    expect(section('History', { preOwners: [], numPreowners: 0 })).toContain(noneSoFar);
    expect(section('History', { preOwners: undefined, numPreowners: null })).toMatch(
      /didn't send the previous owners/,
    );
    expect(section('History', { preOwners: undefined })).toMatch(/owners\*\* 2 in total/);
    expect(section('History', { preOwners: undefined, numPreowners: 0 })).toContain(noneSoFar);
    const older = { preOwners: undefined, numPreowners: undefined, numPreOwners: 1 };
    expect(section('History', older)).toMatch(/owners\*\* 1 in total/);
  });
});

test('with nothing but a VIN is still a card', () => {
  const bare = Object.fromEntries(Object.keys(carJson).map((field) => [field, null]));
  const text = JSON.stringify(embed({ ...bare, vin: 'AB12C' }));
  expect(text).toContain('Unknown model · AB12C');
  expect(text).not.toMatch(/null|NaN|undefined|Odometer|Built/);
});
