import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { roleCollections } from '../../../../commands/roles/models/role-rules.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src/base/duration.ts';
import { forgetPerson } from '../../../../src/store/forget.ts';
import { countTurns } from '../../../support/turns.ts';
import { BOT, createWorld, GUILD, Killed, POLICE, PROVED, VETERAN } from '../support/world.ts';

const people = Array.from({ length: 40 }, (_, at) => String(300_000_000_000_000_000 + at * 1000));

/** Forty proved drivers, and three rules. */
async function community() {
  const world = createWorld();
  for (const [at, person] of people.entries()) {
    world.join(person);
    world.drive(person, {});
    await world.know(person, {
      policeXp: at * 100,
      licences: at % 4 === 0 ? [{ type: 'Cop', until: null }] : [],
    });
  }
  world.hours = new Map(people.map((person, at) => [`driver ${person}`, at]));
  await world.rule({ role: PROVED, when: { kind: 'proved' } });
  await world.rule({ role: VETERAN, when: { kind: 'hours-30-days', atLeast: 25 } });
  await world.rule({ role: POLICE, when: { kind: 'licence', type: 'cop' } });
  return world;
}

const wanted = {
  [PROVED]: people,
  [VETERAN]: people.filter((_, at) => at >= 25),
  [POLICE]: people.filter((_, at) => at % 4 === 0),
};

test.each(['atQuestion', 'atChange'] as const)(
  'a person who is forgotten while Discord answers (%s) is not stored again',
  async (moment) => {
    const world = createWorld();
    const [person = ''] = people;
    world.join(person);
    world.drive(person, {});
    await world.rule({ role: PROVED, when: { kind: 'proved' } });
    world[moment] = () => {
      world.drive(person, null);
      return forgetPerson(world.documents, roleCollections, person);
    };
    await world.rounds(3);
    expect(await world.documents.naming(person)).toEqual([]);
  },
);

test('forty verified drivers, three rules: exactly the earned roles, then no change', async () => {
  const world = await community();
  await world.rounds(5);
  for (const [role, persons] of Object.entries(wanted)) expect(world.has(role)).toEqual(persons);
  expect(world.changes).toHaveLength(40 + 15 + 10);
  expect(new Set(world.reasons)).toEqual(
    new Set(['Pitwall: proved', 'Pitwall: hours-30-days', 'Pitwall: licence']),
  );
  await world.rounds(30);
  expect(world.changes).toHaveLength(65);
});

test('a process killed at any point, twenty times: right roles, none changed twice', async () => {
  const world = await community();
  // A batch of 25 takes about 105 steps, so that half of these are killed while roles are being given.
  for (let kill = 0; kill < 20; kill += 1) {
    world.untilKill = 3 + ((kill * 37) % 101);
    await expect(world.rounds(6)).rejects.toBeInstanceOf(Killed);
  }
  world.untilKill = Number.POSITIVE_INFINITY;
  await world.rounds(10);
  for (const [role, persons] of Object.entries(wanted)) expect(world.has(role)).toEqual(persons);
  expect(new Set(world.changes).size).toBe(world.changes.length);
  // Each of them counts as given by the bot, and not as one that the member had before.
  for (const person of people) world.drive(person, null);
  await world.rounds(25);
  expect(Object.keys(wanted).map(world.has)).toEqual([[], [], []]);
});

test('many guilds, and many drivers of one, let others have the event loop', async () => {
  const [guilds, drivers] = [createWorld(), createWorld()];
  for (let at = 0; at < 50; at += 1) {
    await guilds.rule({ role: PROVED, when: { kind: 'proved' } }, `${at}`);
    drivers.drive(`${at}`, {});
  }
  await drivers.rule({ role: VETERAN, when: { kind: 'hours', atLeast: 5 } });
  const turns = countTurns();
  await guilds.process().rounds.round();
  const turnsOfGuilds = turns();
  await drivers.process().rounds.round();
  expect(turnsOfGuilds).toBeGreaterThanOrEqual(50);
  expect(turns() - turnsOfGuilds).toBeGreaterThanOrEqual(50);
});

test('a guild that Discord answers slowly holds up no other one', async () => {
  const world = createWorld();
  world.drive('1', {});
  for (const guild of [GUILD, '200', '300'])
    await world.rule({ role: PROVED, when: { kind: 'proved' } }, guild);
  const slow = Promise.withResolvers<void>();
  world.atQuestion = () => (world.questions.at(-1)?.startsWith('200 ') ? slow.promise : null);
  const { round } = world.process().rounds;
  const guilds = () => new Set(world.questions.map((question) => question.split(' ')[0]));
  const first = round();
  await expect.poll(() => guilds().has('200')).toBe(true);
  world.clock.pass(SECOND);
  await first;
  expect(guilds()).toEqual(new Set([GUILD, '200', '300']));
  // The next rounds leave its turn alone, and take it up again once it is over.
  const asked = world.questions.length;
  world.clock.pass(11 * MINUTE);
  await round();
  expect(world.questions.slice(asked).some((question) => question.startsWith('200 '))).toBe(false);
  slow.resolve();
  world.join('2');
  world.drive('2', {});
  await expect
    .poll(async () => {
      await round();
      return world.questions;
    })
    .toContain('200 2');
});

test('a process that may not act does nothing', async () => {
  const world = await community();
  world.holds = false;
  await world.rounds(3);
  expect(world.changes).toEqual([]);
});

test('a process whose claim runs out during its turn changes no further role', async () => {
  const world = await community();
  await world.rounds(3);
  const all = world.changes.length;
  expect(all).toBeGreaterThan(1);
  const other = await community();
  Object.defineProperty(other, 'holds', { get: () => other.changes.length < 1 });
  await other.rounds(3);
  expect(other.changes).toHaveLength(1);
});

describe('a role is given', () => {
  test('to verified drivers only, unless the rule says linked; corrections do not count', async () => {
    const world = createWorld();
    world.join('1');
    world.drive('1', { proved: false });
    await world.rule({ role: PROVED, when: { kind: 'proved' } });
    world.hours = new Map([['driver 1', 30]]);
    await world.rule({ role: VETERAN, when: { kind: 'hours-30-days', atLeast: 25 } });
    await world.rule({ role: POLICE, when: { kind: 'hours-30-days', atLeast: 25 }, linked: true });
    await world.rounds(2);
    expect(world.changes).toEqual([`give 1 ${POLICE}`]);
  });

  test('after so many days in the guild', async () => {
    const world = createWorld();
    world.join('1');
    world.drive('1', {});
    await world.rule({ role: VETERAN, when: { kind: 'member-days', atLeast: 2 } });
    const { rounds } = world.process();
    await world.rounds(3, rounds);
    world.clock.pass(1.9 * DAY);
    await world.rounds(1, rounds);
    expect(world.changes).toEqual([]);
    world.clock.pass(0.2 * DAY);
    await world.rounds(2, rounds);
    expect(world.has(VETERAN)).toEqual(['1']);
  });

  test('by a figure: kilometres, hours in all, police XP', async () => {
    const world = createWorld();
    for (const [person, km] of [
      ['1', 4999],
      ['2', 5000],
    ] as const) {
      world.join(person);
      world.drive(person, {});
      await world.know(person, { km, hours: 10, policeXp: 3 });
    }
    await world.rule({ role: VETERAN, when: { kind: 'km', atLeast: 5000 } });
    await world.rule({ role: PROVED, when: { kind: 'hours', atLeast: 11 } });
    await world.rule({ role: POLICE, when: { kind: 'police-xp', atLeast: 3 } });
    await world.rounds(3);
    expect([world.has(VETERAN), world.has(PROVED), world.has(POLICE)]).toEqual([['2'], [], ['1', '2']]);
  });

  test('to nobody who is not there, and to who comes back once more', async () => {
    const world = createWorld();
    world.drive('1', {});
    await world.rule({ role: PROVED, when: { kind: 'proved' } });
    const { rounds } = world.process();
    await world.rounds(2, rounds);
    expect(world.changes).toEqual([]);
    world.join('1');
    world.clock.pass(7 * HOUR);
    await world.rounds(1, rounds);
    expect(world.has(PROVED)).toEqual(['1']);
    world.members.delete('1');
    world.clock.pass(2 * DAY);
    await world.rounds(2, rounds);
    world.join('1');
    world.clock.pass(2 * DAY);
    await world.rounds(2, rounds);
    expect(world.has(PROVED)).toEqual(['1']);
  });
});

describe('a member who has not accepted the rules of the guild', () => {
  /** Somebody who has earned a role and joined, after three rounds. */
  async function joined() {
    const world = createWorld();
    world.drive('1', {});
    world.join('1');
    Object.assign(world.members.get('1') ?? {}, { isProvisional: true });
    await world.rule({ role: PROVED, when: { kind: 'proved' } });
    const { rounds, showMember } = world.process();
    await world.rounds(3, rounds);
    expect(world.tried).toBe(0);
    expect(world.questions.filter((question) => question.endsWith(' 1'))).toHaveLength(1);
    Object.assign(world.members.get('1') ?? {}, { isProvisional: false });
    return { world, rounds, showMember };
  }

  test('gets the role in the next round after an interaction shows that they have', async () => {
    const { world, rounds, showMember } = await joined();
    showMember('1');
    await world.rounds(1, rounds);
    expect(world.has(PROVED)).toEqual(['1']);
  });

  test('gets the role within ten minutes of accepting them without an interaction', async () => {
    const { world, rounds } = await joined();
    await world.rounds(10, rounds);
    expect(world.has(PROVED)).toEqual(['1']);
  });
});

describe('an interaction of a member gives the role in the next round', () => {
  test('to who has left and come back', async () => {
    const { world, rounds, showMember } = await veteran(by30Days);
    world.members.delete('1');
    world.clock.pass(MINUTE);
    world.join('1');
    await world.rounds(3, rounds);
    expect(world.has(VETERAN)).toEqual([]);
    showMember('1');
    await world.rounds(1, rounds);
    expect(world.has(VETERAN)).toEqual(['1']);
  });

  test('to who was no member an hour ago', async () => {
    const world = createWorld();
    world.drive('1', {});
    await world.rule({ role: PROVED, when: { kind: 'proved' } });
    const { rounds, showMember } = world.process();
    await world.rounds(2, rounds);
    world.join('1');
    showMember('1');
    await world.rounds(1, rounds);
    expect(world.has(PROVED)).toEqual(['1']);
  });

  test('unless it was taken away by hand, and asks Discord nothing', async () => {
    const { world, rounds, showMember } = await veteran(by30Days);
    world.members.get('1')?.roles.delete(VETERAN);
    const before = world.questions.length;
    showMember('1');
    await world.rounds(3, rounds);
    expect(world.has(VETERAN)).toEqual([]);
    expect(world.questions.length).toBe(before);
    world.clock.pass(2 * DAY);
    await world.rounds(3, rounds);
    showMember('1');
    await world.rounds(3, rounds);
    expect(world.has(VETERAN)).toEqual([]);
  });
});

/** One member who has the role by the rule. */
async function veteran(rule: Parameters<ReturnType<typeof createWorld>['rule']>[0]) {
  const world = createWorld();
  world.join('1');
  world.drive('1', {});
  world.hours = new Map([['driver 1', 30]]);
  await world.know('1', { km: 6000, licences: [{ type: 'Cop', until: null }] });
  await world.rule(rule);
  const { rounds, showMember } = world.process();
  await world.rounds(2, rounds);
  expect(world.has(rule.role)).toEqual(['1']);
  return { world, rounds, showMember };
}
const by30Days = { role: VETERAN, when: { kind: 'hours-30-days', atLeast: 25 } } as const;
const byLicence = { role: POLICE, when: { kind: 'licence', type: 'Cop' } } as const;

describe('a role is taken', () => {
  test('where the figure falls below, and stays where the rule says so', async () => {
    const { world, rounds } = await veteran(by30Days);
    await world.rule({ ...by30Days, role: PROVED, keep: true });
    await world.rounds(2, rounds);
    world.hours = new Map([['driver 1', 24]]);
    await world.rounds(12, rounds);
    expect([world.has(VETERAN), world.has(PROVED)]).toEqual([[], ['1']]);
  });

  test('where the link has ended for a quarter of an hour, and not before', async () => {
    const { world, rounds } = await veteran({ ...by30Days, keep: true });
    world.drive('1', null);
    await world.rounds(14, rounds);
    expect(world.has(VETERAN)).toEqual(['1']);
    world.drive('1', {});
    await world.rounds(1, rounds);
    world.drive('1', null);
    await world.rounds(14, rounds);
    expect(world.has(VETERAN)).toEqual(['1']);
    await world.rounds(3, rounds);
    expect(world.has(VETERAN)).toEqual([]);
  });

  test('where somebody else has proved the driver', async () => {
    const { world, rounds } = await veteran(by30Days);
    world.drive('1', { proved: false });
    await world.rounds(18, rounds);
    expect(world.has(VETERAN)).toEqual([]);
  });
});

describe('no role is taken', () => {
  test.each([
    ['nothing is known of the hours', { ...by30Days }, (world) => Object.assign(world, { hours: null })],
    [
      'the missing time could make up for it',
      { ...by30Days },
      (world) => {
        world.hours = new Map();
        world.missed = 25;
      },
    ],
    [
      'the driver is hidden',
      { ...by30Days },
      (world) => {
        world.hours = new Map();
        world.drive('1', { isHidden: true });
      },
    ],
    ['the figures are older than three days', { ...byLicence }, (world) => world.clock.pass(73 * HOUR)],
    [
      'the profile does not say',
      { ...byLicence },
      (world) => world.know('1', { licences: null, asOf: world.clock.now() + 2 * HOUR }),
    ],
    [
      'Discord does not answer',
      { ...by30Days },
      (world) => {
        world.hours = new Map();
        world.failure = 'lost';
      },
    ],
    [
      'the bot did not give it',
      { role: VETERAN, when: { kind: 'hours-30-days', atLeast: 25 } },
      async (world) => {
        await world.rules.remove(GUILD, VETERAN);
        await world.rule(by30Days);
        await world.rounds(1);
        world.hours = new Map();
      },
    ],
  ] satisfies readonly (readonly [
    string,
    Parameters<typeof veteran>[0],
    (world: ReturnType<typeof createWorld>) => unknown,
  ])[])('where %s', async (_name, rule, happens) => {
    const { world, rounds } = await veteran(rule);
    await happens(world);
    await world.rounds(25, rounds);
    expect(world.changes.filter((change) => change.startsWith('take'))).toEqual([]);
    expect(world.has(rule.role)).toEqual(['1']);
  });

  test('that was given by hand to somebody who had left and come back', async () => {
    const { world, rounds } = await veteran(by30Days);
    world.members.set('1', { roles: new Set([VETERAN]), joined: '2026-11-22T00:00:00Z' });
    world.hours = new Map();
    await world.rounds(12, rounds);
    expect([world.has(VETERAN), world.changes]).toEqual([['1'], [`give 1 ${VETERAN}`]]);
    await world.process().requests.remove(GUILD, VETERAN, { isTaken: true, by: '1' });
    await world.rounds(3, rounds);
    expect([world.has(VETERAN), await world.rules.of(GUILD)]).toEqual([['1'], []]);
  });

  test('where somebody was forgotten, nor given once more', async () => {
    const { world } = await veteran(by30Days);
    await world.rules.setHolders(GUILD, VETERAN, { 1: null });
    world.drive('1', null);
    await world.rounds(30);
    expect(world.changes).toHaveLength(1);
  });

  test('and none is given back that was taken away by hand', async () => {
    const { world, rounds } = await veteran(by30Days);
    world.members.get('1')?.roles.delete(VETERAN);
    world.clock.pass(2 * DAY);
    await world.rounds(25, rounds);
    expect(world.changes).toHaveLength(1);
  });
});

test('an unlinked person without a role is dropped, and earns one again once linked', async () => {
  const world = createWorld();
  world.join('1');
  world.drive('1', {});
  world.hours = null;
  await world.rule(by30Days);
  const { rounds } = world.process();
  await world.rounds(2, rounds);
  expect(await world.rules.holders(GUILD, VETERAN)).toMatchObject({ 1: { state: 'member' } });
  world.drive('1', null);
  await world.rounds(1, rounds);
  expect(await world.rules.holders(GUILD, VETERAN)).toEqual({});
  world.hours = new Map([['driver 1', 30]]);
  world.drive('1', {});
  world.clock.pass(HOUR);
  await world.rounds(2, rounds);
  expect(world.has(VETERAN)).toEqual(['1']);
});

test('hours that the store cannot read for a moment are read again in the next round', async () => {
  const { world, rounds } = await veteran(by30Days);
  world.clock.pass(HOUR);
  world.playedFails = true;
  await expect(rounds.round()).rejects.toThrow('the store is away');
  world.playedFails = false;
  world.hours = new Map([['driver 1', 24]]);
  await world.rounds(1, rounds);
  expect(world.has(VETERAN)).toEqual([]);
});

describe('a rule pauses', () => {
  test('where the bot may not, says so once, and goes on by itself', async () => {
    const world = createWorld();
    world.join('1');
    world.drive('1', {});
    await world.rule({ role: PROVED, when: { kind: 'proved' } });
    const { rounds } = world.process();
    world.place(BOT, 0);
    await world.rounds(180, rounds);
    expect([world.paused, world.changes]).toEqual([['rights'], []]);
    world.place(BOT, 5);
    await world.rounds(70, rounds);
    expect([world.has(PROVED), (await world.rules.of(GUILD))[0]?.paused]).toEqual([['1'], null]);
  });

  test.each([
    ['is gone', 'unknown-role', (world: ReturnType<typeof createWorld>) => world.roles.splice(1, 1)],
    [
      'may moderate',
      'unsafe',
      (world: ReturnType<typeof createWorld>) =>
        world.place(VETERAN, 1, String(PermissionFlagsBits.ModerateMembers)),
    ],
  ] as const)(
    'within a minute of the news that its role %s, though nobody is due',
    async (_what, why, change) => {
      const world = createWorld();
      await world.rule({ role: VETERAN, when: { kind: 'proved' } });
      const { rounds } = world.process();
      await world.rounds(3, rounds);
      change(world);
      await world.rounds(1, rounds);
      expect(world.paused).toEqual([why]);
      await world.rounds(180, rounds);
      expect([world.paused, (await world.rules.of(GUILD))[0]?.paused]).toEqual([[why], why]);
    },
  );

  test('where its role may moderate by now, or is gone', async () => {
    const { world, rounds } = await veteran(by30Days);
    world.hours = new Map();
    world.place(VETERAN, 1, String(PermissionFlagsBits.ModerateMembers));
    await world.rounds(15, rounds);
    world.roles.splice(1, 1);
    await world.rounds(70, rounds);
    expect(world.paused).toEqual(['unsafe']);
    expect((await world.rules.of(GUILD))[0]?.paused).toBe('unknown-role');
    expect(world.has(VETERAN)).toEqual(['1']);
  });
});

test('a removed rule leaves its role, or takes it from those to whom the bot gave it', async () => {
  const { world, rounds } = await veteran(by30Days);
  world.join('2', VETERAN);
  const { requests } = world.process();
  expect(await requests.remove(GUILD, PROVED, { isTaken: true, by: '1' })).toBe('none');
  expect(await requests.remove(GUILD, VETERAN, { isTaken: true, by: '1' })).toBe('removed');
  await world.rounds(3, rounds);
  expect([world.has(VETERAN), await world.rules.of(GUILD)]).toEqual([['2'], []]);
});

test('a rule made again while the removed one’s roles are being taken stays', async () => {
  const { world, rounds } = await veteran(by30Days);
  await world.process().requests.remove(GUILD, VETERAN, { isTaken: true, by: '1' });
  world.atQuestion = () => world.rule({ ...by30Days, when: { kind: 'hours-30-days', atLeast: 40 } });
  await world.rounds(1, rounds);
  world.atQuestion = () => null;
  expect(await world.rules.of(GUILD)).toMatchObject([{ when: { atLeast: 40 }, ending: false }]);
});

describe('a guild with many strangers', () => {
  const strangers = Array.from({ length: 120 }, (_, at) => `9${at}`);
  const others = Array.from({ length: 15 }, (_, at) => `05000000000000000${at}`);
  const kinds = [
    { when: { kind: 'proved' } },
    { when: { kind: 'hours', atLeast: 1 }, linked: true },
  ] as const;

  /** Fifteen guilds of twenty rules each, in which none of a hundred and twenty drivers is a member. */
  async function crowd() {
    const world = createWorld();
    for (const person of strangers) world.drive(person, {});
    for (let made = 0; made < 20; made += 1)
      world.roles.push({
        ...{ id: `30000000000000000${made}`, position: 1 },
        ...{ managed: false, permissions: '0' },
      });
    for (const guild of others)
      for (let made = 0; made < 20; made += 1)
        await world.rule({ ...kinds[made % 2 === 0 ? 0 : 1], role: `30000000000000000${made}` }, guild);
    return world;
  }

  test('delays no other: a new rule gives its role to all in the next round', async () => {
    const world = await crowd();
    world.drive('1', {});
    const { rounds } = world.process();
    await world.rounds(2, rounds);
    expect(new Set(world.questions.slice(0, 375).map((question) => question.split(' ')[0])).size).toBe(15);
    world.join('1');
    await world.rule({ role: PROVED, when: { kind: 'proved' } });
    world.questions.length = 0;
    await rounds.round();
    expect(world.has(PROVED)).toEqual(['1']);
    expect(world.questions.slice(0, 125).every((question) => question.startsWith(GUILD))).toBe(true);
    expect(world.questions.length).toBeLessThanOrEqual(300);
  });

  test('is asked about in the end, once for all its rules', async () => {
    const world = await crowd();
    const { rounds } = world.process();
    const strangersAsked = () => world.questions.filter((question) => !question.endsWith('@me')).length;
    await world.rounds(1, rounds);
    expect(strangersAsked()).toBe(250);
    await world.rounds(10, rounds);
    expect(strangersAsked()).toBe(15 * 120);
  });

  test('waits for what is due elsewhere, also after a restart', async () => {
    const world = await crowd();
    world.join('1');
    world.drive('1', {});
    world.hours = new Map([['driver 1', 30]]);
    await world.rule(by30Days);
    await world.rounds(10);
    expect(world.has(VETERAN)).toEqual(['1']);
    world.hours = new Map();
    world.questions.length = 0;
    await world.process().rounds.round();
    expect(world.has(VETERAN)).toEqual([]);
    expect(world.questions.findIndex((question) => question.endsWith(' 90'))).toBeGreaterThan(
      world.questions.indexOf(`${GUILD} 1`),
    );
  });

  test('gives way to a rule that somebody makes in the middle of a round', async () => {
    const world = await crowd();
    const { rounds } = world.process();
    world.atQuestion = () => {
      if (world.questions.length === 30) rounds.interrupt();
    };
    await rounds.round();
    expect(world.questions.length).toBeLessThanOrEqual(60);
    await rounds.round();
    expect(world.questions.length).toBeGreaterThan(250);
  });
});

test('a round asks about at most 250 people who are due, and the next one goes on', async () => {
  const world = createWorld();
  const due = Array.from({ length: 25 }, (_, at) => `8${at}`);
  const holder = { state: 'member', joined: '2026-01-01T00:00:00Z' } as const;
  for (const person of due) world.drive(person, {});
  for (let made = 0; made < 12; made += 1) {
    const guild = `0600000000000000${10 + made}`;
    await world.rule({ role: PROVED, when: { kind: 'proved' } }, guild);
    await world.rules.setHolders(guild, PROVED, Object.fromEntries(due.map((person) => [person, holder])));
  }
  const { rounds } = world.process();
  const asked = () => world.questions.filter((question) => !question.endsWith('@me')).length;
  await rounds.round();
  expect(asked()).toBe(250);
  await rounds.round();
  expect(asked()).toBe(12 * 25);
});

test('a guild whose documents cannot be read ends the round of no other one', async () => {
  const world = createWorld();
  world.join('1');
  world.drive('1', {});
  world.unreadable = '150000000000000000';
  await world.rule({ role: PROVED, when: { kind: 'proved' } }, world.unreadable);
  await world.rule({ role: PROVED, when: { kind: 'proved' } });
  await expect(world.rounds(1)).rejects.toThrow('broken');
  expect(world.has(PROVED)).toEqual(['1']);
});

test('a role that is given rights in the middle of a batch is given to nobody else', async () => {
  const world = createWorld();
  for (const person of ['1', '2', '3']) {
    world.join(person);
    world.drive(person, {});
  }
  await world.rule({ role: PROVED, when: { kind: 'proved' } });
  const { rounds } = world.process();
  const first = world.members.get('1')?.roles;
  if (first !== undefined)
    first.add = (role) => {
      world.reported = String(PermissionFlagsBits.Administrator);
      return Set.prototype.add.call(first, role);
    };
  await rounds.round();
  expect([world.changes, world.paused]).toEqual([[`give 1 ${PROVED}`], ['unsafe']]);
});

test('a paused rule asks Discord once an hour', async () => {
  const world = createWorld();
  world.join('1');
  world.drive('1', {});
  await world.rule({ role: PROVED, when: { kind: 'proved' } });
  const { rounds } = world.process();
  world.place(BOT, 0);
  await world.rounds(5, rounds);
  expect(world.paused).toEqual(['rights']);
  world.questions.length = 0;
  await world.rounds(50, rounds);
  expect(world.questions).toEqual([]);
});

test('figures of an earlier driver earn nothing', async () => {
  const world = createWorld();
  world.join('1');
  world.drive('1', { username: 'another' });
  await world.know('1', { km: 9000 });
  await world.rule({ role: VETERAN, when: { kind: 'km', atLeast: 5000 } });
  await world.rounds(3);
  expect(world.changes).toEqual([]);
});

test('of a rule that was removed meanwhile nobody is kept', async () => {
  const world = createWorld();
  await world.rule({ role: PROVED, when: { kind: 'proved' } });
  await world.rules.remove(GUILD, PROVED);
  await world.rules.setHolders(GUILD, PROVED, { 1: { state: 'held', joined: '' } });
  expect(await world.rules.holders(GUILD, PROVED)).toEqual({});
});

test('a holder who could not be checked is checked in the next round, not a day later', async () => {
  const { world, rounds } = await veteran(by30Days);
  world.members.get('1')?.roles.delete(VETERAN);
  world.clock.pass(2 * DAY);
  world.failure = 'lost';
  await world.rounds(1, rounds);
  world.failure = null;
  await world.rounds(1, rounds);
  expect(await world.rules.holders(GUILD, VETERAN)).toMatchObject({ 1: { state: 'refused' } });
});

test('a guild without an answer is asked ever less often, until a rule changes', async () => {
  const world = createWorld();
  world.join('1');
  world.drive('1', {});
  await world.rule({ role: PROVED, when: { kind: 'proved' } });
  const { rounds } = world.process();
  world.failure = 'lost';
  await world.rounds(60, rounds);
  const lostCount = world.questions.length;
  await world.rounds(60, rounds);
  expect(world.questions.length - lostCount).toBeLessThan(lostCount);
  expect(lostCount).toBeLessThan(30);
  world.failure = null;
  await world.rounds(1, rounds);
  expect(world.has(PROVED)).toEqual([]);
  rounds.interrupt();
  await world.rounds(1, rounds);
  expect(world.has(PROVED)).toEqual(['1']);
});

test('who could not be asked about is asked about again at the next round', async () => {
  const world = createWorld();
  world.join('1');
  world.drive('1', {});
  await world.rule({ role: VETERAN, when: { kind: 'member-days', atLeast: 1 } });
  world.clock.pass(2 * DAY);
  const { rounds } = world.process();
  world.failure = 'lost';
  await world.rounds(2, rounds);
  world.failure = null;
  await world.rounds(1, rounds);
  expect(world.has(VETERAN)).toEqual(['1']);
});

describe('a change of roles', () => {
  /** Two members who have earned a role, and a rule that gives it. */
  async function earned() {
    const world = createWorld();
    for (const person of ['1', '2']) {
      world.join(person);
      world.drive(person, {});
    }
    await world.rule({ role: PROVED, when: { kind: 'proved' } });
    const { rounds } = world.process();
    const lose = async () => {
      for (const person of ['1', '2']) world.drive(person, null);
      await world.rounds(25, rounds);
    };
    return { world, rounds, lose };
  }

  test('whose answer is lost counts as the bot’s own: the role goes with what earned it', async () => {
    const { world, rounds, lose } = await earned();
    world.changeFailures = ['lost'];
    await world.rounds(12, rounds);
    expect(world.has(PROVED)).toEqual(['1', '2']);
    await lose();
    expect(world.has(PROVED)).toEqual([]);
  });

  test('that Discord refuses ends the batch, and nobody counts as a holder', async () => {
    const { world, rounds } = await earned();
    world.changeFailures = ['rights'];
    await world.rounds(3, rounds);
    expect([world.tried, world.paused, world.changes]).toEqual([1, ['rights'], []]);
    expect(await world.rules.holders(GUILD, PROVED)).toEqual({});
  });

  test('of somebody who left in the meantime forgets them, and goes on with the others', async () => {
    const { world, rounds } = await earned();
    world.changeFailures = ['no-member'];
    await world.rounds(2, rounds);
    expect(world.has(PROVED)).toHaveLength(1);
    const [gone = ''] = ['1', '2'].filter((person) => !world.has(PROVED).includes(person));
    expect(await world.rules.holders(GUILD, PROVED)).not.toHaveProperty(gone);
  });

  test('that would be taken from somebody who has left is none', async () => {
    const { world, rounds, lose } = await earned();
    await world.rounds(12, rounds);
    world.members.delete('1');
    await lose();
    expect(world.changes.filter((change) => change.startsWith('take'))).toEqual([`take 2 ${PROVED}`]);
    expect(await world.rules.holders(GUILD, PROVED)).toEqual({});
  });
});
