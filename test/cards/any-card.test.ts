import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { carCard } from '../../commands/cars/cards/car-card.ts';
import { garageCard } from '../../commands/drivers/cards/garage-card.ts';
import { profileCard, views } from '../../commands/drivers/cards/profile-card.ts';
import { Car } from '../../src/service/models/car.ts';
import { Profile } from '../../src/service/models/profile.ts';
import { breaches } from '../support/embed-limits.ts';
import { strayMarkup } from '../support/markup.ts';
import { rowsOf } from '../support/readable.ts';
import { locales, translatorFor, worst } from '../support/readers.ts';
import { answer, carJson, driverJson } from '../support/records.ts';
import { inGameText } from '../text/in-game.ts';

type Card = ReturnType<typeof profileCard>;

/** Every card of a driver: all views, and a far page of the garage, the only one that has pages. */
function driverCards(profile: Profile, locale: string): readonly Card[] {
  const [old, t] = [answer(profile, 'unavailable'), translatorFor(locale)];
  return [
    ...views.map((view) => profileCard(old, view, t)),
    garageCard(old, { order: 'condition', page: 7 }, t),
  ];
}

function expectSound(card: Card): void {
  expect(breaches(card)).toEqual([]);
  expect(strayMarkup(card.embeds[0])).toEqual([]);
  expect(JSON.stringify(card.embeds)).not.toMatch(/\b(null|NaN|undefined|Infinity)\b|\[object|Invalid Date/);
}

// ── The worst that may come ─────────────────────────────────────────────────────────────────────────

const absurd = [1.7e308, -1.7e308, 5e-324, -0, 1e15, 999_999_999_999_999];

describe.each(worst)('with names of $kind', ({ name, locales }) => {
  const number = (index: number): number => absurd[index % absurd.length] ?? 0;
  const things = Array.from({ length: 300 }, (_, index) => ({
    type: name,
    name,
    condition: number(index),
    value: number(index + 1),
  }));
  const worst = {
    ...driverJson,
    // A username is at most 64 characters long; the longest of them still has all its buttons.
    username: '|'.repeat(64),
    nickname: name,
    isOnline: false,
    insimAdmin: true,
    adminLevel: 1.7e308,
    needsCopTraining: true,
    money: -1.7e308,
    stats: {
      ...Object.fromEntries(Object.keys(driverJson.stats).map((key, index) => [key, number(index)])),
      ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}${name}`, number(index)])),
    },
    licenses: Array.from({ length: 500 }, () => ({
      name,
      type: name,
      dateIssued: 1e9,
      validUntil: 4e9,
      suspended: true,
      suspendedUntil: 4e9,
    })),
    properties: things,
    cars: Array.from({ length: 300 }, (_, index) => ({
      vin: index % 2 === 0 ? name : String(10_000 + index),
      type: name,
      odometerKm: number(index),
      condition: number(index),
      upgrades: things.slice(0, 3),
    })),
  };

  test('300 cars, 500 licences and absurd numbers fit every view in every language', () => {
    const profile = Profile.parse(worst);
    expect(profile.cars).toHaveLength(300);
    for (const card of locales.flatMap((locale) => driverCards(profile, locale))) {
      expectSound(card);
      expect(card.components.length).toBeGreaterThan(1);
    }
  });

  test('so does a car that went through 300 hands', () => {
    const car = Car.parse({
      ...carJson,
      vin: name,
      owner: name,
      nickname: name,
      type: name,
      odometerKm: 1.7e308,
      marketPrice: 1.7e308,
      isWrecked: true,
      condition: -1.7e308,
      upgrades: things,
      preOwners: Array.from({ length: 300 }, (_, index) => ({
        buyer: name,
        datePurchase: 1e9 + index,
        odometerKm: index * 1e305,
      })),
    });
    for (const locale of locales) expectSound(carCard(answer(car, 'unavailable'), translatorFor(locale)));
  });
});

test('what does not fit is counted to the last one', () => {
  const properties = Array.from({ length: 500 }, (_, index) => ({ type: 'x', name: `Place ${index}` }));
  const [embed] = profileCard(
    answer(Profile.parse({ ...driverJson, properties })),
    'properties',
    translatorFor('en-GB'),
  ).embeds;
  const shown = embed.description?.match(/\*\*Place \d+\*\*/g)?.length ?? 0;
  expect(shown).toBeGreaterThan(50);
  expect(embed.description).toContain(`+${500 - shown} more`);
});

// ── Whatever may come ───────────────────────────────────────────────────────────────────────────────

const anyNumber = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(...absurd),
);
const oddity = fc.constantFrom(null, undefined, '', '0', 0, false, [], {}, 'x', '1e400');
const said = fc.oneof({ weight: 5, arbitrary: inGameText }, { weight: 1, arbitrary: oddity });
const count = fc.oneof({ weight: 5, arbitrary: anyNumber }, { weight: 1, arbitrary: oddity });
const moment = fc.oneof(
  count,
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);
const truth = fc.constantFrom(true, false, 0, 1, '1', null, undefined, 'maybe');
const rows = <Row>(row: fc.Arbitrary<Row>) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.array(fc.oneof(row, oddity), { maxLength: 14 }) },
    { weight: 1, arbitrary: oddity },
  );

const thing = fc.record({ type: said, name: said, condition: count, value: count });
const upgrades = rows(thing);
const licence = fc.record({
  type: said,
  name: said,
  dateIssued: moment,
  validUntil: moment,
  suspendedUntil: moment,
  revoked: truth,
  expired: truth,
  suspended: truth,
});
const garageCar = fc.record({
  vin: fc.oneof(said, fc.stringMatching(/^[A-Za-z0-9]{5}$/)),
  type: fc.oneof(said, fc.constantFrom('XRT', 'UF1.XMAS', 'A1B2C3')),
  odometerKm: count,
  condition: count,
  upgrades,
});
const anyDriver = fc.record({
  username: said,
  nickname: said,
  isOnline: truth,
  insimAdmin: truth,
  adminLevel: count,
  needsCopTraining: truth,
  money: count,
  dateJoined: moment,
  dateLastSeen: moment,
  countryCode: fc.oneof(said, fc.stringMatching(/^[a-zA-Z]{2}$/)),
  flag: fc.oneof(said, fc.constant('//flags.example/de.png')),
  stats: fc.dictionary(
    fc.oneof(fc.constantFrom(...Object.keys(driverJson.stats), '__proto__', '7'), inGameText),
    count,
  ),
  licenses: rows(licence),
  properties: rows(thing),
  cars: rows(garageCar),
});
const anyCar = fc.record({
  vin: fc.oneof(said, fc.stringMatching(/^[A-Za-z0-9]{5}$/)),
  owner: said,
  nickname: said,
  type: said,
  dateBuilt: moment,
  datePurchase: moment,
  odometerKm: count,
  isOnMarket: truth,
  numPreowners: count,
  isWrecked: truth,
  marketPrice: count,
  condition: count,
  wear: count,
  damage: count,
  preOwners: rows(fc.record({ buyer: said, datePurchase: moment, odometerKm: count })),
  upgrades,
});

describe('whatever the service sends of', () => {
  test('a driver, Discord accepts every view, and names are shown literally', () => {
    fc.assert(
      fc.property(anyDriver, fc.constantFrom(...locales), (json, locale) => {
        const profile = Profile.safeParse(json);
        fc.pre(profile.success);
        if (profile.success) for (const card of driverCards(profile.data, locale)) expectSound(card);
      }),
      { numRuns: 150 },
    );
  });

  test('a car, its card is a message that Discord accepts, and shows names literally', () => {
    fc.assert(
      fc.property(anyCar, fc.constantFrom(...locales), (json, locale) => {
        const car = Car.safeParse(json);
        fc.pre(car.success);
        if (car.success) expectSound(carCard(answer(car.data), translatorFor(locale)));
      }),
      { numRuns: 300 },
    );
  });

  test('a driver, no button asks for anyone else', () => {
    fc.assert(
      fc.property(inGameText, (username) => {
        const profile = Profile.safeParse({ ...driverJson, username });
        fc.pre(profile.success);
        if (!profile.success) return;
        for (const card of driverCards(profile.data, 'en-GB'))
          for (const { custom_id: id } of rowsOf(card).flatMap(({ components }) => components))
            expect(id.replace(':tell:driver ', ':').endsWith(`:${profile.data.username.trim()}`)).toBe(true);
      }),
    );
  });
});
