import { expect, test } from 'vitest';
import { z } from 'zod';
import { createRoleLookUps } from '../../../../commands/roles/jobs/role-look-ups.ts';
import { createRoleFigures, figuresIn } from '../../../../commands/roles/models/figures.ts';
import { createRoleRules } from '../../../../commands/roles/models/role-rules.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src/base/duration.ts';
import { createListeners } from '../../../../src/base/listeners.ts';
import { createGuildDrivers, type GuildDriver } from '../../../../src/community/accounts/guild-drivers.ts';
import { createLinks } from '../../../../src/community/accounts/links.ts';
import { type Observation, profile } from '../../../../src/service/endpoints.ts';
import { createLookUps } from '../../../../src/service/look-ups.ts';
import { pickUsedPart } from '../../../../src/service/models/read.ts';
import { documentsInMemory } from '../../../support/documents-in-memory.ts';
import { driver, driverJson, NOON, serviceOf } from '../../../support/records.ts';
import { startTime } from '../../../support/start-time.ts';
import { countTurns } from '../../../support/turns.ts';
import { GUILD, guildWithRoles, VETERAN } from '../support/roles-in-memory.ts';

test('members who may earn a role by a figure are read once a day, and that counts', async () => {
  const guild = guildWithRoles();
  for (const [person, more] of [
    ['1', {}],
    ['2', { isHidden: true }],
    ['3', { proved: false }],
  ] as const) {
    guild.join(person);
    guild.drive(person, more);
  }
  guild.drive('4', {});
  await guild.rule({ role: VETERAN, when: { kind: 'km', atLeast: 5 } });
  const { rounds } = guild.process();
  await guild.rounds(2, rounds);
  // Known as members from before they hid, or lost the proof.
  for (const person of ['2', '3'])
    await guild.rules.setHolders(GUILD, VETERAN, { [person]: { state: 'held', joined: '' } });
  const inGuild = async () =>
    new Map([
      ['1', { username: 'driver 1', proved: true, isHidden: false }],
      ['2', { username: 'driver 2', proved: true, isHidden: true }],
      ['3', { username: 'driver 3', proved: false, isHidden: false }],
      ['4', { username: 'driver 4', proved: true, isHidden: false }],
    ]);
  const owners = async (username: string) => (username === 'Driver 1' ? ['1'] : []);
  const lookUps = createRoleLookUps({
    rules: guild.rules,
    figures: guild.figures,
    drivers: { in: inGuild, owners },
    clock: guild.clock,
  });
  await lookUps.refresh();
  expect(lookUps.subjects()).toMatchObject([{ name: 'driver 1', every: DAY, knownAt: null }]);

  const read = driver({ username: 'Driver 1', stats: { driven_distance: 5000 } });
  await lookUps.observed({ kind: 'profile', record: read }, guild.clock.now());
  await lookUps.refresh();
  expect(lookUps.subjects()).toMatchObject([{ name: 'driver 1', knownAt: guild.clock.now() }]);
  await guild.rounds(1, rounds);
  expect(guild.has(VETERAN)).toEqual(['1']);

  // A minute later he has driven on, and an older record of then comes after it: neither waits for an hour.
  guild.clock.pass(60 * SECOND);
  const on = driver({ username: 'Driver 1', stats: { driven_distance: 6000 } });
  await lookUps.observed({ kind: 'profile', record: on }, guild.clock.now());
  await lookUps.observed({ kind: 'profile', record: read }, guild.clock.now() - 60 * SECOND);
  const known = await guild.figures.known();
  expect(known('1', 'driver 1', guild.clock.now())).toMatchObject({ km: 6, asOf: guild.clock.now() });
  guild.clock.pass(73 * HOUR);
  await lookUps.refresh();
  expect(lookUps.subjects()).toMatchObject([{ name: 'driver 1', knownAt: null }]);
  expect((await guild.rules.holders(GUILD, VETERAN))['1']?.state).toBe('held');
});

test('figures are kept for a linked driver before any rule, unless hidden', async () => {
  const documents = documentsInMemory(() => 0);
  const links = createLinks(documents);
  await links.set('1', { username: 'ann', since: 0 });
  await links.set('2', { username: 'bob', since: 0 });
  await links.correct('3', { guild: GUILD, username: 'Cem', since: 0 });
  const [rules, figures] = [createRoleRules(documents), createRoleFigures(documents)];
  const drivers = createGuildDrivers(documents, (username) => username === 'bob');
  const lookUps = createRoleLookUps({ rules, figures, drivers, clock: { now: () => 0 } });
  for (const username of ['ANN', 'bob', 'cem', 'stranger'])
    await lookUps.observed({ kind: 'profile', record: driver({ username }) }, 5);
  expect(lookUps.subjects()).toEqual([]);
  const known = await figures.known();
  const asOf = (person: string, name: string) => known(person, name, 10)?.asOf;
  expect([asOf('1', 'ann'), asOf('2', 'bob'), asOf('3', 'cem')]).toEqual([5, undefined, 5]);
  await links.remove('1');
  await lookUps.observed({ kind: 'profile', record: driver({ username: 'ann' }) }, 7_200_000);
  expect((await figures.known())('1', 'ann', 10)?.asOf).toBe(5);
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

/** As they are read of what is stored of an answer. A car's licence is always held, so that the list itself is readable. */
function licencesIn(licenses: readonly object[]) {
  const body = { username: 'ann', licenses: [...licenses, { type: 'Car', revoked: false }] };
  const stored: unknown = JSON.parse(JSON.stringify(pickUsedPart(profile.response, body).body));
  const { record } = profile.read(stored);
  if (record === null) throw new Error('unreadable');
  const { licences, hasUnreadableLicences } = figuresIn(record, NOON);
  return { licences, ...(hasUnreadableLicences ? { hasUnreadableLicences } : {}) };
}

test.each([
  ['that does not end', { validUntil: 0, revoked: false }, 'met'],
  ['without a date', { revoked: false }, 'met'],
  ['that ends later', { validUntil: NOON / 1000 + 86_400 }, 'met'],
  ['that has ended', { validUntil: NOON / 1000 - 60 }, 'unmet'],
  ['whose end is beyond all dates', { validUntil: Number.POSITIVE_INFINITY, revoked: false }, 'unknown'],
  ['whose end is a day that no calendar has', { validUntil: '2030-02-31', revoked: false }, 'unknown'],
  ['whose end is a date in digits', { validUntil: '20330328', revoked: false, expired: false }, 'met'],
  ['whose end is before 1970', { validUntil: -5, revoked: false, expired: false }, 'unknown'],
  ['whose end is no date', { validUntil: 'soon', revoked: false }, 'unknown'],
  ['whose end is a sentence', { validUntil: 'until further notice' }, 'unknown'],
  ['whose revocation cannot be read', { revoked: 'perhaps', validUntil: 0 }, 'unknown'],
  ['whose suspension cannot be read', { suspended: { by: 'cop' }, revoked: false }, 'unknown'],
  ['whose expiry cannot be read', { expired: 2, revoked: false }, 'unknown'],
  ['whose suspension ends nobody knows when', { suspendedUntil: 'later', revoked: false }, 'unknown'],
  ['whose type cannot be read', { type: ['Cop'], name: 'Cop driver', revoked: false }, 'unknown'],
  ['that cannot be read at all', { type: [], revoked: false }, 'unknown'],
  ['that Python calls revoked', { revoked: 'True' }, 'unmet'],
  ['that C# calls valid', { revoked: 'False', expired: 'False', suspended: 'False' }, 'met'],
  ['of which nothing is said', {}, 'unknown'],
  ['whose end cannot be read, and that is revoked', { validUntil: -5, revoked: true }, 'unmet'],
] as const)('a licence %s: %s', async (_what, licence, verdict) => {
  const guild = guildWithRoles();
  const know = (person: string, ...licenses: readonly object[]) =>
    guild.know(person, {
      ...licencesIn(licenses.map((one) => ({ type: 'Cop', ...one }))),
      asOf: guild.clock.now(),
    });
  guild.clock.pass(NOON - guild.clock.now());
  for (const person of ['1', '2', '3']) {
    guild.join(person);
    guild.drive(person, {});
    await know(person, ...(person === '1' ? [] : [{ revoked: false }]));
  }
  await guild.rule({ role: VETERAN, when: { kind: 'licence', type: 'cop' } });
  const { rounds } = guild.process();
  await guild.rounds(2, rounds);
  expect(guild.has(VETERAN)).toEqual(['2', '3']);
  guild.clock.pass(2 * HOUR);
  for (const person of ['1', '2']) await know(person, licence);
  await know('3', licence, { revoked: false });
  await guild.rounds(2, rounds);
  // Of which nothing is known earns nothing, and costs nobody a role.
  expect(guild.has(VETERAN)).toEqual({ met: ['1', '2', '3'], unmet: ['3'], unknown: ['2', '3'] }[verdict]);
});

test('a thousand drivers a day take at most sixty look-ups an hour, and none twice', async () => {
  const guild = guildWithRoles();
  const drivers = new Map(
    Array.from({ length: 1000 }, (_, at) => {
      const driver: GuildDriver = { username: `driver ${at}`, proved: true, isHidden: false };
      return [String(at), driver] as const;
    }),
  );
  await guild.rule({ role: VETERAN, when: { kind: 'km', atLeast: 5 } });
  const joined = '2026-01-01T00:00:00Z';
  const members = [...drivers.keys()].map((person) => [person, { state: 'member', joined }] as const);
  await guild.rules.setHolders(GUILD, VETERAN, Object.fromEntries(members));
  const { rules, figures, clock } = guild;
  const lookUps = createRoleLookUps({
    ...{ rules, figures, clock },
    drivers: { in: async () => drivers, owners: async (username) => [username.slice('driver '.length)] },
  });
  const turns = countTurns();
  await lookUps.refresh();
  expect(turns()).toBeGreaterThanOrEqual(1000);
  const time = startTime(clock.now());
  const asked: { readonly name: string; readonly at: number }[] = [];
  const service = serviceOf(
    ({ asked: params }) => {
      const { username } = z.object({ username: z.string() }).parse(params);
      asked.push({ name: username, at: time.clock.now() });
      return { ...driverJson, username };
    },
    () => ({ asOf: time.clock.now(), stale: null }),
  );
  const observations = createListeners<[Observation, number]>();
  observations.listen((observation, asOf) => void lookUps.observed(observation, asOf));
  const failed = (error: unknown) => expect(error).toBeNull();
  const queue = createLookUps({ service, observations, clock: time.clock, onFailure: failed });
  queue.want(lookUps.subjects);
  await time.pass(DAY - MINUTE);
  await time.until(queue.stop());
  const hours = Map.groupBy(asked, ({ at }) => Math.floor(at / HOUR));
  expect(Math.max(...[...hours.values()].map((each) => each.length))).toBeLessThanOrEqual(60);
  expect(asked.length).toBeGreaterThan(900);
  expect(new Set(asked.map(({ name }) => name)).size).toBe(asked.length);
});
