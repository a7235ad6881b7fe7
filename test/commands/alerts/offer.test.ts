import { describe, expect, test } from 'vitest';
import watch from '../../../commands/alerts/watch.ts';
import { offerButtons } from '../../support/offered.ts';

const offered = (called: string, args: Parameters<typeof offerButtons>[2]) =>
  offerButtons(new Map([['watch', watch]]), called, args);

describe('an alert', () => {
  const direct = { channel: null, ping: null, 'at-night': null };

  test('on a driver or a car keeps what else was chosen', () => {
    expect(offered('watch driver', { ...direct, player: 'hoardr' })).toEqual([
      ['hoarder', '1:watch:driver:hoarder'],
    ]);
    expect(offered('watch driver', { ...direct, player: 'hoardr', 'at-night': true })).toEqual([
      ['hoarder', '1:watch:driver-1:hoarder'],
    ]);
    expect(offered('watch car', { ...direct, vin: 'AB12D', below: null })).toEqual([
      ['AB12C', '1:watch:car:AB12C'],
    ]);
    expect(offered('watch car', { ...direct, vin: 'AB12D', below: null, 'at-night': true })).toEqual([
      ['AB12C', '1:watch:car-1:AB12C'],
    ]);
  });

  test('whose button could not hold the rest is not offered', () => {
    expect(offered('watch car', { ...direct, vin: 'AB12D', below: 40_000 })).toEqual([]);
    expect(offered('watch car', { ...direct, vin: 'AB12D', below: null, channel: '7' })).toEqual([]);
    expect(offered('watch driver', { ...direct, player: 'hoardr', channel: '7' })).toEqual([]);
  });
});
