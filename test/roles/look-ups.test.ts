import { expect, test } from 'vitest';
import { DAY, HOUR } from '../../src/base/duration.ts';
import { createRoleLookUps } from '../../src/roles/look-ups.ts';
import { driver } from '../support/records.ts';
import { createWorld, GUILD, VETERAN } from './support/world.ts';

test('members who may earn a role by a figure are wanted once a day, and what is read of them counts', async () => {
  const world = createWorld();
  for (const [person, more] of [
    ['1', {}],
    ['2', { isHidden: true }],
    ['3', { proved: false }],
  ] as const) {
    world.join(person);
    world.drive(person, more);
  }
  world.drive('4', {});
  await world.rule({ role: VETERAN, when: { kind: 'km', atLeast: 5 } });
  const { rounds } = world.process();
  await world.rounds(2, rounds);
  const drivers = async () =>
    new Map([
      ['1', { username: 'driver 1', proved: true, isHidden: false }],
      ['2', { username: 'driver 2', proved: true, isHidden: true }],
      ['3', { username: 'driver 3', proved: false, isHidden: false }],
      ['4', { username: 'driver 4', proved: true, isHidden: false }],
    ]);
  const lookUps = createRoleLookUps({
    rules: world.rules,
    figures: world.figures,
    drivers,
    clock: world.clock,
  });
  await lookUps.refresh();
  expect(lookUps.subjects()).toMatchObject([{ name: 'driver 1', every: DAY, knownAt: null }]);

  const read = driver({ username: 'Driver 1', stats: { driven_distance: 5000 } });
  await lookUps.observed({ kind: 'profile', record: read }, world.clock.now());
  await lookUps.refresh();
  expect(lookUps.subjects()).toMatchObject([{ name: 'driver 1', knownAt: world.clock.now() }]);
  await world.rounds(1, rounds);
  expect(world.has(VETERAN)).toEqual(['1']);
  world.clock.pass(73 * HOUR);
  await lookUps.refresh();
  expect(lookUps.subjects()).toMatchObject([{ name: 'driver 1', knownAt: null }]);
  expect((await world.rules.holders(GUILD, VETERAN))['1']?.state).toBe('held');
});
