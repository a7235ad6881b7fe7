import { PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import {
  BOT,
  GUILD,
  guildWithRoles,
  MAKER,
  newRule,
  POLICE,
  PROVED,
  VETERAN,
} from '../support/roles-in-memory.ts';

const { madeBy: _, since: __, paused: ___, ending: ____, ...rule } = newRule;
const asked = { ...rule, guild: GUILD, madeBy: MAKER };

const MANAGES = String(PermissionFlagsBits.ManageRoles);

/** Everyone manages roles there; the maker's own one stands above VETERAN and PROVED. */
function setUp() {
  const all = guildWithRoles();
  all.place(GUILD, 0, MANAGES);
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
    [
      ...([
        'Administrator',
        'ManageGuild',
        'ManageRoles',
        'BanMembers',
        'KickMembers',
        'ModerateMembers',
      ] as const),
      ...(['ViewAuditLog', 'MentionEveryone', 'PinMessages', 'BypassSlowmode'] as const),
    ] as const
  ).map((right) => ['unsafe', VETERAN, { permissions: String(PermissionFlagsBits[right]) }] as const),
] as const)('a role is refused: %s', async (why, role, more) => {
  const all = setUp();
  const at = all.roles.findIndex(({ id }) => id === role);
  const found = all.roles[at];
  if (found !== undefined) all.roles.splice(at, 1, { ...found, ...more });
  const { requests } = all.process();
  expect(await requests.add({ ...asked, role }, 0)).toBe(why);
  expect(await all.rules.of(GUILD)).toEqual([]);
});

test('a rule is refused while the bot may not manage roles, and nothing is stored', async () => {
  const all = setUp();
  all.mayManageRoles = false;
  expect(await all.process().requests.add(asked, 0)).toBe('rights');
  expect(await all.rules.of(GUILD)).toEqual([]);
});

test('the owner stands above every role; a bot with the lowest role above none', async () => {
  const all = setUp();
  all.join('1');
  const { requests } = all.process();
  expect(await requests.add({ ...asked, role: POLICE, madeBy: '1' }, 0)).toBe('added');
  all.place(BOT, 1);
  expect(await requests.add({ ...asked, role: VETERAN, madeBy: '1' }, 0)).toBe('above-bot');
});

test('nothing is stored while Discord is away, and a guild has twenty rules at most', async () => {
  const all = setUp();
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
  const all = setUp();
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
  expect(await requests.preview(GUILD, MAKER, { ...byKm, role: PROVED })).toMatchObject([
    { gains: ['2'], loses: [], unknown: 2, perhaps: 0 },
  ]);
  all.drive('1', { proved: false });
  expect(await requests.preview(GUILD, MAKER, null)).toMatchObject([
    { role: VETERAN, gains: [], loses: ['1'], has: ['2', '3'] },
  ]);
  expect(all.changes).toEqual(done);
  expect(await requests.list(GUILD, MAKER)).toMatchObject({
    rules: [{ holders: 3 }],
    lastRun: all.clock.now(),
  });

  // Rules that are made after the last one was removed have not run yet.
  await all.rules.remove(GUILD, VETERAN);
  await rounds.round();
  await all.rule({ role: VETERAN, when: { kind: 'proved' } });
  expect(await requests.list(GUILD, MAKER)).toMatchObject({ lastRun: null });
});

test('people who could take a role by hand may end its rule with it, and nobody else', async () => {
  const all = setUp();
  const [junior = '', owner = ''] = ['5', '1'];
  all.join(junior, VETERAN);
  all.join(owner);
  await all.rule({ role: PROVED, when: { kind: 'proved' } });
  const { requests } = all.process();
  const remove = (by: string) => requests.remove(GUILD, PROVED, { isTaken: true, by });
  expect(await remove(junior)).toBe('above-person');
  // Nor where it may moderate by now, which no rule may give.
  all.place(PROVED, 2, String(PermissionFlagsBits.ModerateMembers));
  expect(await remove(junior)).toBe('above-person');
  all.failure = 'lost';
  expect(await remove(MAKER)).toBe('lost');
  all.failure = null;
  expect(await all.rules.of(GUILD)).toMatchObject([{ ending: false }]);
  expect(await remove(MAKER)).toBe('removed');
  expect(await remove(owner)).toBe('removed');
  expect(await all.rules.of(GUILD)).toMatchObject([{ ending: true }]);
});

test('a preview reaches members behind many linked strangers, press by press', async () => {
  const all = setUp();
  for (let stranger = 0; stranger < 60; stranger += 1) all.drive(`9${stranger}`, {});
  all.join('1');
  all.drive('1', {});
  const { requests } = all.process();
  const proved = { ...asked, when: { kind: 'proved' } } as const;
  const looks = [];
  for (let press = 0; press < 4; press += 1) looks.push(await requests.preview(GUILD, MAKER, proved));
  expect(looks).toMatchObject([
    [{ gains: [], perhaps: 36 }],
    [{ gains: [], perhaps: 11 }],
    [{ gains: ['1'], perhaps: 0 }],
    [{ gains: ['1'], perhaps: 0 }],
  ]);
});

test('a list counts who has a role by its rule, and leaves hidden drivers out', async () => {
  const all = setUp();
  all.join('1');
  all.join('2', VETERAN);
  all.join('3');
  for (const person of ['1', '2', '3']) all.drive(person, { isHidden: person === '3' });
  await all.rule({ role: VETERAN, when: { kind: 'member-days', atLeast: 1 }, keep: true });
  await all.rule({ role: PROVED, when: { kind: 'km', atLeast: 1 } });
  const { requests, rounds } = all.process();
  all.clock.pass(2 * 86_400_000);
  await rounds.round();
  expect(await requests.list(GUILD, MAKER)).toMatchObject({
    rules: [
      { holders: 1, qualify: ['1', '2'], theirs: ['2'], unknown: 0 },
      { holders: 0, qualify: [], theirs: [], unknown: 2 },
    ],
  });
});

test.each([
  ['not-allowed', 'no right in the guild', '0', '0'],
  ['not-allowed', 'another right', '0', String(PermissionFlagsBits.ManageChannels)],
  ['added', 'the right for everyone', MANAGES, '0'],
  ['added', 'the right by a role', '0', MANAGES],
  ['added', 'Administrator by a role', '0', String(PermissionFlagsBits.Administrator)],
] as const)(
  'people with Manage Roles make, list, preview and end rules: %s for %s',
  async (expected, _what, everyone, own) => {
    const all = setUp();
    all.place(GUILD, 0, everyone);
    all.place(POLICE, 3, own);
    await all.rule({ role: PROVED, when: { kind: 'proved' } });
    const { requests } = all.process();
    const mayNot = expected === 'not-allowed';
    const removal = { isTaken: false, by: MAKER };
    expect(await requests.add(asked, 0)).toBe(expected);
    const shown = [await requests.list(GUILD, MAKER), await requests.preview(GUILD, MAKER, null)];
    expect(shown.map((each) => each === 'not-allowed')).toEqual([mayNot, mayNot]);
    expect(await requests.remove(GUILD, PROVED, { ...removal, isTaken: true })).toBe(
      mayNot ? expected : 'removed',
    );
    expect(await requests.remove(GUILD, PROVED, removal)).toBe(mayNot ? expected : 'removed');
    expect((await all.rules.of(GUILD)).map(({ role, ending }) => [role, ending])).toEqual(
      mayNot ? [[PROVED, false]] : [[VETERAN, false]],
    );
  },
);

test('a preview of twenty rules asks about twenty-five members in all', async () => {
  const all = setUp();
  for (let person = 10; person < 50; person += 1) {
    all.drive(String(person), {});
    if (person % 2 === 0) all.join(String(person));
  }
  for (let made = 0; made < 20; made += 1)
    await all.rule({ role: `30000000000000000${made}`, when: { kind: 'proved' } });
  const previews = await all.process().requests.preview(GUILD, MAKER, null);
  expect(all.questions).toHaveLength(25);
  if (typeof previews === 'string') throw new Error(previews);
  expect(previews.map(({ gains, perhaps }) => [gains.length, perhaps])).toEqual([
    [13, 15],
    ...Array.from({ length: 19 }, () => [13, 15]),
  ]);
});

test('a preview that Discord breaks off is none, and shows no half of the members', async () => {
  const all = setUp();
  for (const person of ['1', '2']) {
    all.join(person);
    all.drive(person, {});
  }
  await all.rule({ role: PROVED, when: { kind: 'proved' } });
  const { requests } = all.process();
  expect(await requests.preview(GUILD, MAKER, null)).toMatchObject([{ role: PROVED }]);
  all.atQuestion = () => {
    all.failure = 'lost';
  };
  expect(await all.process().requests.preview(GUILD, MAKER, null)).toBe('lost');
});

test('the list says of a role at once that it is gone, or may moderate by now', async () => {
  const all = setUp();
  const { requests } = all.process();
  for (const role of [VETERAN, PROVED]) expect(await requests.add({ ...asked, role }, 0)).toBe('added');
  all.place(VETERAN, 1, String(PermissionFlagsBits.ModerateMembers));
  all.roles.splice(2, 1);
  expect(await requests.list(GUILD, MAKER)).toMatchObject({
    rules: [{ paused: 'unsafe' }, { paused: 'unknown-role' }],
  });
});
