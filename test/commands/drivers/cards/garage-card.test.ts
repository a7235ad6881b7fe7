import { describe, expect, test } from 'vitest';
import { garageCard } from '../../../../commands/drivers/cards/garage-card.ts';
import type { orders } from '../../../../src/cards/car/garage-page.ts';
import { tableOf, textOf } from '../../../support/card-text.ts';
import { rowsOf } from '../../../support/readable.ts';
import { answer, driver } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';

const translatorFor = createTranslators();
const t = translatorFor('en-GB');

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
