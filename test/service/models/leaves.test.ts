import { describe, expect, test } from 'vitest';
import { profile } from '../../../src/service/endpoints.ts';
import { readAs, readProfile, second } from '../read-as.ts';

describe('a moment', () => {
  test.for<[unknown, number | null]>([
    [second, second * 1000],
    [`${second}`, second * 1000],
    [second * 1000 + 123, second * 1000 + 123],
    [0, null],
    ['0', null],
    [null, null],
    ['', null],
    [-62_169_984_000, null],
    ['0000-00-00 00:00:00', null],
    ['2025-01-02T03:04:05Z', Date.UTC(2025, 0, 2, 3, 4, 5)],
    ['2025-01-02T03:04:05.678+02:00', Date.UTC(2025, 0, 2, 1, 4, 5, 678)],
    ['2025-01-02T03:04:05+0000', Date.UTC(2025, 0, 2, 3, 4, 5)],
    ['2025-01-02 03:04:05', Date.UTC(2025, 0, 2, 3, 4, 5)],
    ['2025-01-02T03:04:05.123456Z', Date.UTC(2025, 0, 2, 3, 4, 5, 123)],
    ['2025-01-02', Date.UTC(2025, 0, 2)],
    // Dates in digits alone.
    ['20330328', Date.UTC(2033, 2, 28)],
    [20_330_328, Date.UTC(2033, 2, 28)],
    ['20330328T101112Z', Date.UTC(2033, 2, 28, 10, 11, 12)],
    ['203303281011', Date.UTC(2033, 2, 28, 10, 11)],
    [20_330_328_101_112, Date.UTC(2033, 2, 28, 10, 11, 12)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    // The ends of the range of each unit.
    [1_000_000_000, Date.UTC(2001, 8, 9, 1, 46, 40)],
    [9_999_999_999, Date.UTC(2286, 10, 20, 17, 46, 39)],
    [1_000_000_000_000, Date.UTC(2001, 8, 9, 1, 46, 40)],
    [9_999_999_999_999, Date.UTC(2286, 10, 20, 17, 46, 39, 999)],
    // Zero, and a first day, as dates are written of them.
    ['1970-01-01T00:00:00+00:00', null],
    ['1970-01-01', null],
    ['0001-01-01T00:00:00Z', null],
    ['1899-12-30 00:00:00', null],
  ])('sent as %j is %j', async ([sent, moment]) => {
    const { record, drift } = await readProfile({ dateJoined: sent });
    expect(record.joined).toBe(moment);
    expect(drift).toEqual([]);
  });

  test.for([
    ...[true, 'yesterday', 'Tue', '2025-13-45', {}, [], 1e300, -5],
    // Days that no calendar has.
    ...['2026-02-30T10:00:00+00:00', '2026-02-30', '2030-02-31', '2026-11-31T20:00Z', '2025-02-29'],
    ...['20260230', 20_260_230, '20330328241112', '202602301011'],
    // Of every length of digits that is neither a date nor in the range of a unit.
    ...[1, 12, 123, 1234, 12_345, 123_456, 1_234_567, 99_999_999, 999_999_999, '999999999'],
    ...[10_000_000_000, 253_402_300_799, 999_999_999_999, 10_000_000_000_000, 253_402_300_799_000],
    ...[1_711_620_672_000_000, '1711620672000000000', '638471234567890123'],
  ])('sent as %j is none, and is told', async (sent) => {
    const { record, drift } = await readProfile({ dateJoined: sent, money: 5 });
    expect(record.joined).toBeNull();
    expect(record.money).toBe(5);
    expect(drift).toEqual(['profile dateJoined']);
  });
});

describe('a number', () => {
  test.for<[unknown, number | null]>([
    ['-0', 0],
    [12, 12],
    ['12', 12],
    [' 12.5 ', 12.5],
    ['-3', -3],
    ['1e3', 1000],
    [null, null],
    ['', null],
  ])('sent as %j is %j', async ([sent, value]) => {
    const { record, drift } = await readProfile({ money: sent });
    expect(record.money).toBe(value);
    expect(drift).toEqual([]);
  });

  test.for(['twelve', '0x10', '1,234', '1e999', true, [], {}, 'NaN'])(
    'sent as %j is none, and is told',
    async (sent) => {
      const { record, drift } = await readProfile({ money: sent });
      expect(record.money).toBeNull();
      expect(drift).toEqual(['profile money']);
    },
  );

  test('beyond what a number can hold is none', async () => {
    const { record } = await readAs(profile, { username: 'a' }, '{"username":"a","money":1e999}');
    expect(record.money).toBeNull();
  });
});

describe('a flag', () => {
  test.for<[unknown, boolean | null]>([
    [true, true],
    [1, true],
    ['1', true],
    ['true', true],
    [false, false],
    [0, false],
    ['0', false],
    ['false', false],
    ['', false],
    // As Python and C# write it, SQL, and a field of fixed width.
    ['True', true],
    ['TRUE', true],
    [' true ', true],
    ['False', false],
    ['FALSE', false],
    [' 0', false],
    [null, null],
  ])('sent as %j is %j', async ([sent, value]) => {
    const { record, drift } = await readProfile({ isOnline: sent });
    expect(record.online).toBe(value);
    expect(drift).toEqual([]);
  });

  test('sent as anything else is unknown rather than true', async () => {
    for (const sent of [2, 'no', {}, []]) {
      const { record, drift } = await readProfile({ isOnline: sent });
      expect(record.online).toBeNull();
      expect(drift).toEqual(['profile isOnline']);
    }
  });
});
