import { PermissionFlagsBits } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { BOT, createWorld, GUILD, MAKER, newRule, POLICE, PROVED, VETERAN } from './support/world.ts';

const { madeBy: _, since: __, paused: ___, ending: ____, ...rule } = newRule;
const asked = { ...rule, guild: GUILD, madeBy: MAKER };

/** The maker's own role stands above VETERAN and PROVED. */
function world() {
  const all = createWorld();
  all.join(MAKER, POLICE);
  return all;
}

test.each([
  ['everyone', GUILD, {}],
  ['unknown-role', '100000000000000077', {}],
  ['managed', VETERAN, { managed: true }],
  ['above-person', POLICE, {}],
  ['above-bot', VETERAN, { position: 6 }],
  ...(
    ['Administrator', 'ManageGuild', 'ManageRoles', 'BanMembers', 'KickMembers', 'ModerateMembers'] as const
  ).map((right) => ['unsafe', VETERAN, { permissions: String(PermissionFlagsBits[right]) }] as const),
] as const)('a role is refused: %s', async (why, role, more) => {
  const all = world();
  const at = all.roles.findIndex(({ id }) => id === role);
  const found = all.roles[at];
  if (found !== undefined) all.roles.splice(at, 1, { ...found, ...more });
  const { requests } = all.process();
  expect(await requests.add({ ...asked, role }, 0)).toBe(why);
  expect(await all.rules.of(GUILD)).toEqual([]);
});

test('who owns the guild stands above every role; a bot whose role is lowest above none', async () => {
  const all = world();
  all.join('1');
  const { requests } = all.process();
  expect(await requests.add({ ...asked, role: POLICE, madeBy: '1' }, 0)).toBe('added');
  all.place(BOT, 1);
  expect(await requests.add({ ...asked, role: VETERAN, madeBy: '1' }, 0)).toBe('above-bot');
});

test('nothing is stored while Discord does not answer, and a guild has twenty rules at most', async () => {
  const all = world();
  const { requests } = all.process();
  all.failure = 'lost';
  expect(await requests.add(asked, 0)).toBe('lost');
  all.failure = null;
  for (let made = 0; made < 20; made += 1)
    await all.rule({ role: `30000000000000000${made}`, when: { kind: 'proved' } });
  expect(await requests.add(asked, 0)).toBe('full');
  await all.rules.remove(GUILD, '300000000000000000');
  expect(await requests.add(asked, 0)).toBe('added');
});

test('a preview names who would gain and who would lose, and changes nothing', async () => {
  const all = world();
  for (const person of ['1', '2', '3']) {
    all.join(person);
    all.drive(person, {});
  }
  all.drive('4', {});
  await all.know('2', { km: 10 });
  await all.rule({ role: VETERAN, when: { kind: 'proved' } });
  const { requests, rounds } = all.process();
  await rounds.round();
  const done = [...all.changes];
  expect(done).toHaveLength(3);

  const byKm = { ...asked, when: { kind: 'km', atLeast: 10 } } as const;
  expect(await requests.preview(GUILD, { ...byKm, role: PROVED })).toMatchObject([
    { gains: ['2'], loses: [], unknown: 2, perhaps: 0 },
  ]);
  all.drive('1', { proved: false });
  expect(await requests.preview(GUILD, null)).toMatchObject([{ role: VETERAN, gains: [], loses: ['1'] }]);
  expect(all.changes).toEqual(done);
  expect(await requests.list(GUILD)).toMatchObject({ rules: [{ holders: 3 }], lastRun: all.clock.now() });
});
