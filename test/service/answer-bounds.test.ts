import { describe, expect, test } from 'vitest';
import { broken, readCar, readOptions, readProfile } from './read-as.ts';

/** A garage like those of the service: some 165 characters of JSON a car. */
function garage(size: number): readonly object[] {
  return Array.from({ length: size }, (_, index) => ({
    vin: `A${String(index).padStart(4, '0')}`,
    type: 'XRT',
    odometerKm: 12_345.6,
    condition: 71.25,
    wear: 10.5,
    damage: 0.25,
    upgrades: [{ type: 'radar', name: 'Radar warner', condition: 0.5, value: 1200 }],
    // Nobody reads this.
    history: 'x'.repeat(1000),
  }));
}

describe('an answer', () => {
  test('may be a garage of 300 cars, whatever else it holds', async () => {
    const { record } = await readProfile({ cars: garage(300) });
    expect(record.cars).toHaveLength(300);
  });

  test('with many times more than anyone has is a bad response', async () => {
    await expect(readProfile({ cars: garage(3000) })).rejects.toMatchObject(broken);
  });
});

describe('a text', () => {
  test('longer than any of the game is not read, and the rest of the record is', async () => {
    const { record, drift } = await readCar({
      vin: 'AB12C',
      type: 'x'.repeat(513),
      nickname: 'y'.repeat(512),
    });
    expect(record).toMatchObject({ type: null, nickname: 'y'.repeat(512) });
    expect(drift).toEqual(['car type']);
  });

  test('that names an entry and is longer than any is not read either', async () => {
    const { record } = await readOptions({ ['x'.repeat(513)]: 1, units: 'kmh' });
    expect(record).toEqual([{ name: 'units', value: 'kmh' }]);
  });
});
