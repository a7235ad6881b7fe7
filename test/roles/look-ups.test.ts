import { expect, test } from 'vitest';
import { z } from 'zod';
import { DAY, HOUR, SECOND } from '../../src/base/duration.ts';
import type { GuildDriver } from '../../src/people/guild-drivers.ts';
import { figuresIn } from '../../src/roles/figures.ts';
import { createRoleLookUps } from '../../src/roles/look-ups.ts';
import { createLookUps } from '../../src/service/look-ups.ts';
import { driver, driverJson, serviceOf } from '../support/records.ts';
import { createWorld, GUILD, VETERAN } from './support/world.ts';

/** As often as alerts look, in ms. */
const ROUND = 15 * SECOND;

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
  // Known as members from before they hid, or lost the proof.
  for (const person of ['2', '3'])
    await world.rules.setHolders(GUILD, VETERAN, { [person]: { state: 'held', joined: '' } });
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

  // A minute later he has driven on, and an older record of then comes after it: neither waits for an hour.
  world.clock.pass(60 * SECOND);
  const on = driver({ username: 'Driver 1', stats: { driven_distance: 6000 } });
  await lookUps.observed({ kind: 'profile', record: on }, world.clock.now());
  await lookUps.observed({ kind: 'profile', record: read }, world.clock.now() - 60 * SECOND);
  const known = await world.figures.known();
  expect(known('1', 'driver 1', world.clock.now())).toMatchObject({ km: 6, asOf: world.clock.now() });
  world.clock.pass(73 * HOUR);
  await lookUps.refresh();
  expect(lookUps.subjects()).toMatchObject([{ name: 'driver 1', knownAt: null }]);
  expect((await world.rules.holders(GUILD, VETERAN))['1']?.state).toBe('held');
});

test('what a profile says of a driver is whole, or not known', () => {
  const licence = (type: string) => ({ type, revoked: false });
  const licences = (count: number) =>
    figuresIn(driver({ licenses: Array.from({ length: count }, (_, at) => licence(`kind ${at}`)) }), 0)
      .licences;
  expect(licences(50)).toHaveLength(50);
  expect(licences(51)).toBeNull();
  const { km, hours } = figuresIn(driver({ stats: { driven_distance: -1, gaming_time_total: 0 } }), 0);
  expect([km, hours]).toEqual([null, 0]);
});

test('a day with a thousand drivers takes at most sixty look-ups in any hour, and no driver twice', async () => {
  const world = createWorld();
  const drivers = new Map(
    Array.from({ length: 1000 }, (_, at) => {
      const driver: GuildDriver = { username: `driver ${at}`, proved: true, isHidden: false };
      return [String(at), driver] as const;
    }),
  );
  await world.rule({ role: VETERAN, when: { kind: 'km', atLeast: 5 } });
  const joined = '2026-01-01T00:00:00Z';
  const members = [...drivers.keys()].map((person) => [person, { state: 'member', joined }] as const);
  await world.rules.setHolders(GUILD, VETERAN, Object.fromEntries(members));
  const { rules, figures, clock } = world;
  const lookUps = createRoleLookUps({ rules, figures, drivers: async () => drivers, clock });
  const asked: { readonly name: string; readonly at: number }[] = [];
  const service = serviceOf(
    ({ asked: params }) => {
      const { username } = z.object({ username: z.string() }).parse(params);
      asked.push({ name: username, at: clock.now() });
      return { ...driverJson, username };
    },
    () => ({ asOf: clock.now(), stale: null }),
  );
  const lookUp = createLookUps({ service, clock, failed: (error) => expect(error).toBeNull() });
  for (let round = 0; round < DAY / ROUND; round += 1) {
    if (round % 40 === 0) await lookUps.refresh();
    await lookUp(lookUps.subjects(), (found, asOf) => void lookUps.observed(found, asOf));
    clock.pass(ROUND);
  }
  const hours = Map.groupBy(asked, ({ at }) => Math.floor(at / HOUR));
  expect(Math.max(...[...hours.values()].map((each) => each.length))).toBeLessThanOrEqual(60);
  expect(asked.length).toBeGreaterThan(900);
  expect(new Set(asked.map(({ name }) => name)).size).toBe(asked.length);
});
