import { expect, test } from 'vitest';
import { liveReading } from '../../../src/community/history/live-reading.ts';
import { liveFile } from '../../support/records.ts';

const reading = (json: unknown) => liveReading(liveFile(json), () => false);

test('chases say nothing of medics and tow, so history counts no police from them', () => {
  const later = { t: 1, ps: { 5: { un: 'Ann' }, 7: { un: 'Bob' } }, cs: [{ su: { u: 5 }, co: [{ u: 7 }] }] };
  expect(reading(later)).toMatchObject({
    ...{ drivers: 2, police: null },
    namedDrivers: [
      { driver: 'Ann', roles: null },
      { driver: 'Bob', roles: null },
    ],
  });
});

test('an unreadable duty flag is no zero in history', () => {
  const file = (cop: unknown) => ({
    time: 1,
    players: { 1: { un: 'Ann', cop, med: true }, 2: { un: 'Bob', cop: true, med: false } },
  });
  expect(reading(file(false))).toMatchObject({
    police: 1,
    namedDrivers: [{ roles: ['medic'] }, { roles: ['police'] }],
  });
  expect(reading(file('perhaps'))).toMatchObject({
    police: null,
    namedDrivers: [{ roles: null }, { roles: ['police'] }],
  });
});
