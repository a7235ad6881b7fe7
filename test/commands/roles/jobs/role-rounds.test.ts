import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { roleCollections } from '../../../../commands/roles/models/role-rules.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src/base/duration.ts';
import { forgetPerson } from '../../../../src/store/forget.ts';
import { countTurns } from '../../../support/turns.ts';
import { BOT, GUILD, guildWithRoles, Killed, POLICE, PROVED, VETERAN } from '../support/roles-in-memory.ts';

const people = Array.from({ length: 40 }, (_, at) => String(300_000_000_000_000_000 + at * 1000));

/** Forty proved drivers, and three rules. */
async function community() {
  const guild = guildWithRoles();
  for (const [at, person] of people.entries()) {
    guild.join(person);
    guild.drive(person, {});
    await guild.know(person, {
      policeXp: at * 100,
      licences: at % 4 === 0 ? [{ type: 'Cop', until: null }] : [],
    });
  }
  guild.hours = new Map(people.map((person, at) => [`driver ${person}`, at]));
  await guild.rule({ role: PROVED, when: { kind: 'proved' } });
  await guild.rule({ role: VETERAN, when: { kind: 'hours-30-days', atLeast: 25 } });
  await guild.rule({ role: POLICE, when: { kind: 'licence', type: 'cop' } });
  return guild;
}

const wanted = {
  [PROVED]: people,
  [VETERAN]: people.filter((_, at) => at >= 25),
  [POLICE]: people.filter((_, at) => at % 4 === 0),
};

test.each(['atQuestion', 'atChange'] as const)(
  'a person who is forgotten while Discord answers (%s) is not stored again',
  async (moment) => {
    const guild = guildWithRoles();
    const [person = ''] = people;
    guild.join(person);
    guild.drive(person, {});
    await guild.rule({ role: PROVED, when: { kind: 'proved' } });
    guild[moment] = () => {
      guild.drive(person, null);
      return forgetPerson(guild.documents, roleCollections, person);
    };
    await guild.rounds(3);
    expect(await guild.documents.naming(person)).toEqual([]);
  },
);

test('forty verified drivers, three rules: exactly the earned roles, then no change', async () => {
  const guild = await community();
  await guild.rounds(5);
  for (const [role, persons] of Object.entries(wanted)) expect(guild.has(role)).toEqual(persons);
  expect(guild.changes).toHaveLength(40 + 15 + 10);
  expect(new Set(guild.reasons)).toEqual(
    new Set(['Pitwall: proved', 'Pitwall: hours-30-days', 'Pitwall: licence']),
  );
  await guild.rounds(30);
  expect(guild.changes).toHaveLength(65);
});

test('a process killed at any point, twenty times: right roles, none changed twice', async () => {
  const guild = await community();
  // A batch of 25 takes about 105 steps, so that half of these are killed while roles are being given.
  for (let kill = 0; kill < 20; kill += 1) {
    guild.untilKill = 3 + ((kill * 37) % 101);
    await expect(guild.rounds(6)).rejects.toBeInstanceOf(Killed);
  }
  guild.untilKill = Number.POSITIVE_INFINITY;
  await guild.rounds(10);
  for (const [role, persons] of Object.entries(wanted)) expect(guild.has(role)).toEqual(persons);
  expect(new Set(guild.changes).size).toBe(guild.changes.length);
  // Each of them counts as given by the bot, and not as one that the member had before.
  for (const person of people) guild.drive(person, null);
  await guild.rounds(25);
  expect(Object.keys(wanted).map(guild.has)).toEqual([[], [], []]);
});

test('many guilds, and many drivers of one, let others have the event loop', async () => {
  const [guilds, drivers] = [guildWithRoles(), guildWithRoles()];
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
  const guild = guildWithRoles();
  guild.drive('1', {});
  for (const id of [GUILD, '200', '300']) await guild.rule({ role: PROVED, when: { kind: 'proved' } }, id);
  const slow = Promise.withResolvers<void>();
  guild.atQuestion = () => (guild.questions.at(-1)?.startsWith('200 ') ? slow.promise : null);
  const { round } = guild.process().rounds;
  const guilds = () => new Set(guild.questions.map((question) => question.split(' ')[0]));
  const first = round();
  await expect.poll(() => guilds().has('200')).toBe(true);
  guild.clock.pass(SECOND);
  await first;
  expect(guilds()).toEqual(new Set([GUILD, '200', '300']));
  // The next rounds leave its turn alone, and take it up again once it is over.
  const asked = guild.questions.length;
  guild.clock.pass(11 * MINUTE);
  await round();
  expect(guild.questions.slice(asked).some((question) => question.startsWith('200 '))).toBe(false);
  slow.resolve();
  guild.join('2');
  guild.drive('2', {});
  await expect
    .poll(async () => {
      await round();
      return guild.questions;
    })
    .toContain('200 2');
});

test('a process that may not act does nothing', async () => {
  const guild = await community();
  guild.holds = false;
  await guild.rounds(3);
  expect(guild.changes).toEqual([]);
});

test('a process whose claim runs out during its turn changes no further role', async () => {
  const guild = await community();
  await guild.rounds(3);
  const all = guild.changes.length;
  expect(all).toBeGreaterThan(1);
  const other = await community();
  Object.defineProperty(other, 'holds', { get: () => other.changes.length < 1 });
  await other.rounds(3);
  expect(other.changes).toHaveLength(1);
});

describe('a role is given', () => {
  test('to verified drivers only, unless the rule says linked; corrections do not count', async () => {
    const guild = guildWithRoles();
    guild.join('1');
    guild.drive('1', { proved: false });
    await guild.rule({ role: PROVED, when: { kind: 'proved' } });
    guild.hours = new Map([['driver 1', 30]]);
    await guild.rule({ role: VETERAN, when: { kind: 'hours-30-days', atLeast: 25 } });
    await guild.rule({ role: POLICE, when: { kind: 'hours-30-days', atLeast: 25 }, linked: true });
    await guild.rounds(2);
    expect(guild.changes).toEqual([`give 1 ${POLICE}`]);
  });

  test('after so many days in the guild', async () => {
    const guild = guildWithRoles();
    guild.join('1');
    guild.drive('1', {});
    await guild.rule({ role: VETERAN, when: { kind: 'member-days', atLeast: 2 } });
    const { rounds } = guild.process();
    await guild.rounds(3, rounds);
    guild.clock.pass(1.9 * DAY);
    await guild.rounds(1, rounds);
    expect(guild.changes).toEqual([]);
    guild.clock.pass(0.2 * DAY);
    await guild.rounds(2, rounds);
    expect(guild.has(VETERAN)).toEqual(['1']);
  });

  test('by a figure: kilometres, hours in all, police XP', async () => {
    const guild = guildWithRoles();
    for (const [person, km] of [
      ['1', 4999],
      ['2', 5000],
    ] as const) {
      guild.join(person);
      guild.drive(person, {});
      await guild.know(person, { km, hours: 10, policeXp: 3 });
    }
    await guild.rule({ role: VETERAN, when: { kind: 'km', atLeast: 5000 } });
    await guild.rule({ role: PROVED, when: { kind: 'hours', atLeast: 11 } });
    await guild.rule({ role: POLICE, when: { kind: 'police-xp', atLeast: 3 } });
    await guild.rounds(3);
    expect([guild.has(VETERAN), guild.has(PROVED), guild.has(POLICE)]).toEqual([['2'], [], ['1', '2']]);
  });

  test('to nobody who is not there, and to who comes back once more', async () => {
    const guild = guildWithRoles();
    guild.drive('1', {});
    await guild.rule({ role: PROVED, when: { kind: 'proved' } });
    const { rounds } = guild.process();
    await guild.rounds(2, rounds);
    expect(guild.changes).toEqual([]);
    guild.join('1');
    guild.clock.pass(7 * HOUR);
    await guild.rounds(1, rounds);
    expect(guild.has(PROVED)).toEqual(['1']);
    guild.members.delete('1');
    guild.clock.pass(2 * DAY);
    await guild.rounds(2, rounds);
    guild.join('1');
    guild.clock.pass(2 * DAY);
    await guild.rounds(2, rounds);
    expect(guild.has(PROVED)).toEqual(['1']);
  });
});

describe('a member who has not accepted the rules of the guild', () => {
  /** Somebody who has earned a role and joined, after three rounds. */
  async function joined() {
    const guild = guildWithRoles();
    guild.drive('1', {});
    guild.join('1');
    Object.assign(guild.members.get('1') ?? {}, { isProvisional: true });
    await guild.rule({ role: PROVED, when: { kind: 'proved' } });
    const { rounds, showMember } = guild.process();
    await guild.rounds(3, rounds);
    expect(guild.tried).toBe(0);
    expect(guild.questions.filter((question) => question.endsWith(' 1'))).toHaveLength(1);
    Object.assign(guild.members.get('1') ?? {}, { isProvisional: false });
    return { guild, rounds, showMember };
  }

  test('gets the role in the next round after an interaction shows that they have', async () => {
    const { guild, rounds, showMember } = await joined();
    showMember('1');
    await guild.rounds(1, rounds);
    expect(guild.has(PROVED)).toEqual(['1']);
  });

  test('gets the role within ten minutes of accepting them without an interaction', async () => {
    const { guild, rounds } = await joined();
    await guild.rounds(10, rounds);
    expect(guild.has(PROVED)).toEqual(['1']);
  });
});

describe('an interaction of a member gives the role in the next round', () => {
  test('to who has left and come back', async () => {
    const { guild, rounds, showMember } = await veteran(by30Days);
    guild.members.delete('1');
    guild.clock.pass(MINUTE);
    guild.join('1');
    await guild.rounds(3, rounds);
    expect(guild.has(VETERAN)).toEqual([]);
    showMember('1');
    await guild.rounds(1, rounds);
    expect(guild.has(VETERAN)).toEqual(['1']);
  });

  test('to who was no member an hour ago', async () => {
    const guild = guildWithRoles();
    guild.drive('1', {});
    await guild.rule({ role: PROVED, when: { kind: 'proved' } });
    const { rounds, showMember } = guild.process();
    await guild.rounds(2, rounds);
    guild.join('1');
    showMember('1');
    await guild.rounds(1, rounds);
    expect(guild.has(PROVED)).toEqual(['1']);
  });

  test('unless it was taken away by hand, and asks Discord nothing', async () => {
    const { guild, rounds, showMember } = await veteran(by30Days);
    guild.members.get('1')?.roles.delete(VETERAN);
    const before = guild.questions.length;
    showMember('1');
    await guild.rounds(3, rounds);
    expect(guild.has(VETERAN)).toEqual([]);
    expect(guild.questions.length).toBe(before);
    guild.clock.pass(2 * DAY);
    await guild.rounds(3, rounds);
    showMember('1');
    await guild.rounds(3, rounds);
    expect(guild.has(VETERAN)).toEqual([]);
  });
});

/** One member who has the role by the rule. */
async function veteran(rule: Parameters<ReturnType<typeof guildWithRoles>['rule']>[0]) {
  const guild = guildWithRoles();
  guild.join('1');
  guild.drive('1', {});
  guild.hours = new Map([['driver 1', 30]]);
  await guild.know('1', { km: 6000, licences: [{ type: 'Cop', until: null }] });
  await guild.rule(rule);
  const { rounds, showMember } = guild.process();
  await guild.rounds(2, rounds);
  expect(guild.has(rule.role)).toEqual(['1']);
  return { guild, rounds, showMember };
}
const by30Days = { role: VETERAN, when: { kind: 'hours-30-days', atLeast: 25 } } as const;
const byLicence = { role: POLICE, when: { kind: 'licence', type: 'Cop' } } as const;

describe('a role is taken', () => {
  test('where the figure falls below, and stays where the rule says so', async () => {
    const { guild, rounds } = await veteran(by30Days);
    await guild.rule({ ...by30Days, role: PROVED, keep: true });
    await guild.rounds(2, rounds);
    guild.hours = new Map([['driver 1', 24]]);
    await guild.rounds(12, rounds);
    expect([guild.has(VETERAN), guild.has(PROVED)]).toEqual([[], ['1']]);
  });

  test('where the link has ended for a quarter of an hour, and not before', async () => {
    const { guild, rounds } = await veteran({ ...by30Days, keep: true });
    guild.drive('1', null);
    await guild.rounds(14, rounds);
    expect(guild.has(VETERAN)).toEqual(['1']);
    guild.drive('1', {});
    await guild.rounds(1, rounds);
    guild.drive('1', null);
    await guild.rounds(14, rounds);
    expect(guild.has(VETERAN)).toEqual(['1']);
    await guild.rounds(3, rounds);
    expect(guild.has(VETERAN)).toEqual([]);
  });

  test('where somebody else has proved the driver', async () => {
    const { guild, rounds } = await veteran(by30Days);
    guild.drive('1', { proved: false });
    await guild.rounds(18, rounds);
    expect(guild.has(VETERAN)).toEqual([]);
  });
});

describe('no role is taken', () => {
  test.each([
    ['nothing is known of the hours', { ...by30Days }, (guild) => Object.assign(guild, { hours: null })],
    [
      'the missing time could make up for it',
      { ...by30Days },
      (guild) => {
        guild.hours = new Map();
        guild.missed = 25;
      },
    ],
    [
      'the driver is hidden',
      { ...by30Days },
      (guild) => {
        guild.hours = new Map();
        guild.drive('1', { isHidden: true });
      },
    ],
    ['the figures are older than three days', { ...byLicence }, (guild) => guild.clock.pass(73 * HOUR)],
    [
      'the profile does not say',
      { ...byLicence },
      (guild) => guild.know('1', { licences: null, asOf: guild.clock.now() + 2 * HOUR }),
    ],
    [
      'Discord does not answer',
      { ...by30Days },
      (guild) => {
        guild.hours = new Map();
        guild.failure = 'lost';
      },
    ],
    [
      'the bot did not give it',
      { role: VETERAN, when: { kind: 'hours-30-days', atLeast: 25 } },
      async (guild) => {
        await guild.rules.remove(GUILD, VETERAN);
        await guild.rule(by30Days);
        await guild.rounds(1);
        guild.hours = new Map();
      },
    ],
  ] satisfies readonly (readonly [
    string,
    Parameters<typeof veteran>[0],
    (guild: ReturnType<typeof guildWithRoles>) => unknown,
  ])[])('where %s', async (_name, rule, happens) => {
    const { guild, rounds } = await veteran(rule);
    await happens(guild);
    await guild.rounds(25, rounds);
    expect(guild.changes.filter((change) => change.startsWith('take'))).toEqual([]);
    expect(guild.has(rule.role)).toEqual(['1']);
  });

  test('that was given by hand to somebody who had left and come back', async () => {
    const { guild, rounds } = await veteran(by30Days);
    guild.members.set('1', { roles: new Set([VETERAN]), joined: '2026-11-22T00:00:00Z' });
    guild.hours = new Map();
    await guild.rounds(12, rounds);
    expect([guild.has(VETERAN), guild.changes]).toEqual([['1'], [`give 1 ${VETERAN}`]]);
    await guild.process().requests.remove(GUILD, VETERAN, { isTaken: true, by: '1' });
    await guild.rounds(3, rounds);
    expect([guild.has(VETERAN), await guild.rules.of(GUILD)]).toEqual([['1'], []]);
  });

  test('where somebody was forgotten, nor given once more', async () => {
    const { guild } = await veteran(by30Days);
    await guild.rules.setHolders(GUILD, VETERAN, { 1: null });
    guild.drive('1', null);
    await guild.rounds(30);
    expect(guild.changes).toHaveLength(1);
  });

  test('and none is given back that was taken away by hand', async () => {
    const { guild, rounds } = await veteran(by30Days);
    guild.members.get('1')?.roles.delete(VETERAN);
    guild.clock.pass(2 * DAY);
    await guild.rounds(25, rounds);
    expect(guild.changes).toHaveLength(1);
  });
});

test('an unlinked person without a role is dropped, and earns one again once linked', async () => {
  const guild = guildWithRoles();
  guild.join('1');
  guild.drive('1', {});
  guild.hours = null;
  await guild.rule(by30Days);
  const { rounds } = guild.process();
  await guild.rounds(2, rounds);
  expect(await guild.rules.holders(GUILD, VETERAN)).toMatchObject({ 1: { state: 'member' } });
  guild.drive('1', null);
  await guild.rounds(1, rounds);
  expect(await guild.rules.holders(GUILD, VETERAN)).toEqual({});
  guild.hours = new Map([['driver 1', 30]]);
  guild.drive('1', {});
  guild.clock.pass(HOUR);
  await guild.rounds(2, rounds);
  expect(guild.has(VETERAN)).toEqual(['1']);
});

test('hours that the store cannot read for a moment are read again in the next round', async () => {
  const { guild, rounds } = await veteran(by30Days);
  guild.clock.pass(HOUR);
  guild.playedFails = true;
  await expect(rounds.round()).rejects.toThrow('the store is away');
  guild.playedFails = false;
  guild.hours = new Map([['driver 1', 24]]);
  await guild.rounds(1, rounds);
  expect(guild.has(VETERAN)).toEqual([]);
});

describe('a rule pauses', () => {
  test('where the bot may not, says so once, and goes on by itself', async () => {
    const guild = guildWithRoles();
    guild.join('1');
    guild.drive('1', {});
    await guild.rule({ role: PROVED, when: { kind: 'proved' } });
    const { rounds } = guild.process();
    guild.place(BOT, 0);
    await guild.rounds(180, rounds);
    expect([guild.paused, guild.changes]).toEqual([['rights'], []]);
    guild.place(BOT, 5);
    await guild.rounds(70, rounds);
    expect([guild.has(PROVED), (await guild.rules.of(GUILD))[0]?.paused]).toEqual([['1'], null]);
  });

  test.each([
    ['is gone', 'unknown-role', (guild: ReturnType<typeof guildWithRoles>) => guild.roles.splice(1, 1)],
    [
      'may moderate',
      'unsafe',
      (guild: ReturnType<typeof guildWithRoles>) =>
        guild.place(VETERAN, 1, String(PermissionFlagsBits.ModerateMembers)),
    ],
  ] as const)(
    'within a minute of the news that its role %s, though nobody is due',
    async (_what, why, change) => {
      const guild = guildWithRoles();
      await guild.rule({ role: VETERAN, when: { kind: 'proved' } });
      const { rounds } = guild.process();
      await guild.rounds(3, rounds);
      change(guild);
      await guild.rounds(1, rounds);
      expect(guild.paused).toEqual([why]);
      await guild.rounds(180, rounds);
      expect([guild.paused, (await guild.rules.of(GUILD))[0]?.paused]).toEqual([[why], why]);
    },
  );

  test('where its role may moderate by now, or is gone', async () => {
    const { guild, rounds } = await veteran(by30Days);
    guild.hours = new Map();
    guild.place(VETERAN, 1, String(PermissionFlagsBits.ModerateMembers));
    await guild.rounds(15, rounds);
    guild.roles.splice(1, 1);
    await guild.rounds(70, rounds);
    expect(guild.paused).toEqual(['unsafe']);
    expect((await guild.rules.of(GUILD))[0]?.paused).toBe('unknown-role');
    expect(guild.has(VETERAN)).toEqual(['1']);
  });
});

test('a removed rule leaves its role, or takes it from those to whom the bot gave it', async () => {
  const { guild, rounds } = await veteran(by30Days);
  guild.join('2', VETERAN);
  const { requests } = guild.process();
  expect(await requests.remove(GUILD, PROVED, { isTaken: true, by: '1' })).toBe('none');
  expect(await requests.remove(GUILD, VETERAN, { isTaken: true, by: '1' })).toBe('removed');
  await guild.rounds(3, rounds);
  expect([guild.has(VETERAN), await guild.rules.of(GUILD)]).toEqual([['2'], []]);
});

test('a rule made again while the removed one’s roles are being taken stays', async () => {
  const { guild, rounds } = await veteran(by30Days);
  await guild.process().requests.remove(GUILD, VETERAN, { isTaken: true, by: '1' });
  guild.atQuestion = () => guild.rule({ ...by30Days, when: { kind: 'hours-30-days', atLeast: 40 } });
  await guild.rounds(1, rounds);
  guild.atQuestion = () => null;
  expect(await guild.rules.of(GUILD)).toMatchObject([{ when: { atLeast: 40 }, ending: false }]);
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
    const guild = guildWithRoles();
    for (const person of strangers) guild.drive(person, {});
    for (let made = 0; made < 20; made += 1)
      guild.roles.push({
        ...{ id: `30000000000000000${made}`, position: 1 },
        ...{ managed: false, permissions: '0' },
      });
    for (const id of others)
      for (let made = 0; made < 20; made += 1)
        await guild.rule({ ...kinds[made % 2 === 0 ? 0 : 1], role: `30000000000000000${made}` }, id);
    return guild;
  }

  test('delays no other: a new rule gives its role to all in the next round', async () => {
    const guild = await crowd();
    guild.drive('1', {});
    const { rounds } = guild.process();
    await guild.rounds(2, rounds);
    expect(new Set(guild.questions.slice(0, 375).map((question) => question.split(' ')[0])).size).toBe(15);
    guild.join('1');
    await guild.rule({ role: PROVED, when: { kind: 'proved' } });
    guild.questions.length = 0;
    await rounds.round();
    expect(guild.has(PROVED)).toEqual(['1']);
    expect(guild.questions.slice(0, 125).every((question) => question.startsWith(GUILD))).toBe(true);
    expect(guild.questions.length).toBeLessThanOrEqual(300);
  });

  test('is asked about in the end, once for all its rules', async () => {
    const guild = await crowd();
    const { rounds } = guild.process();
    const strangersAsked = () => guild.questions.filter((question) => !question.endsWith('@me')).length;
    await guild.rounds(1, rounds);
    expect(strangersAsked()).toBe(250);
    await guild.rounds(10, rounds);
    expect(strangersAsked()).toBe(15 * 120);
  });

  test('waits for what is due elsewhere, also after a restart', async () => {
    const guild = await crowd();
    guild.join('1');
    guild.drive('1', {});
    guild.hours = new Map([['driver 1', 30]]);
    await guild.rule(by30Days);
    await guild.rounds(10);
    expect(guild.has(VETERAN)).toEqual(['1']);
    guild.hours = new Map();
    guild.questions.length = 0;
    await guild.process().rounds.round();
    expect(guild.has(VETERAN)).toEqual([]);
    expect(guild.questions.findIndex((question) => question.endsWith(' 90'))).toBeGreaterThan(
      guild.questions.indexOf(`${GUILD} 1`),
    );
  });

  test('gives way to a rule that somebody makes in the middle of a round', async () => {
    const guild = await crowd();
    const { rounds } = guild.process();
    guild.atQuestion = () => {
      if (guild.questions.length === 30) rounds.interrupt();
    };
    await rounds.round();
    expect(guild.questions.length).toBeLessThanOrEqual(60);
    await rounds.round();
    expect(guild.questions.length).toBeGreaterThan(250);
  });
});

test('a round asks about at most 250 people who are due, and the next one goes on', async () => {
  const guild = guildWithRoles();
  const due = Array.from({ length: 25 }, (_, at) => `8${at}`);
  const holder = { state: 'member', joined: '2026-01-01T00:00:00Z' } as const;
  for (const person of due) guild.drive(person, {});
  for (let made = 0; made < 12; made += 1) {
    const id = `0600000000000000${10 + made}`;
    await guild.rule({ role: PROVED, when: { kind: 'proved' } }, id);
    await guild.rules.setHolders(id, PROVED, Object.fromEntries(due.map((person) => [person, holder])));
  }
  const { rounds } = guild.process();
  const asked = () => guild.questions.filter((question) => !question.endsWith('@me')).length;
  await rounds.round();
  expect(asked()).toBe(250);
  await rounds.round();
  expect(asked()).toBe(12 * 25);
});

test('a guild whose documents cannot be read ends the round of no other one', async () => {
  const guild = guildWithRoles();
  guild.join('1');
  guild.drive('1', {});
  guild.unreadable = '150000000000000000';
  await guild.rule({ role: PROVED, when: { kind: 'proved' } }, guild.unreadable);
  await guild.rule({ role: PROVED, when: { kind: 'proved' } });
  await expect(guild.rounds(1)).rejects.toThrow('broken');
  expect(guild.has(PROVED)).toEqual(['1']);
});

test('a role that is given rights in the middle of a batch is given to nobody else', async () => {
  const guild = guildWithRoles();
  for (const person of ['1', '2', '3']) {
    guild.join(person);
    guild.drive(person, {});
  }
  await guild.rule({ role: PROVED, when: { kind: 'proved' } });
  const { rounds } = guild.process();
  const first = guild.members.get('1')?.roles;
  if (first !== undefined)
    first.add = (role) => {
      guild.reported = String(PermissionFlagsBits.Administrator);
      return Set.prototype.add.call(first, role);
    };
  await rounds.round();
  expect([guild.changes, guild.paused]).toEqual([[`give 1 ${PROVED}`], ['unsafe']]);
});

test('a paused rule asks Discord once an hour', async () => {
  const guild = guildWithRoles();
  guild.join('1');
  guild.drive('1', {});
  await guild.rule({ role: PROVED, when: { kind: 'proved' } });
  const { rounds } = guild.process();
  guild.place(BOT, 0);
  await guild.rounds(5, rounds);
  expect(guild.paused).toEqual(['rights']);
  guild.questions.length = 0;
  await guild.rounds(50, rounds);
  expect(guild.questions).toEqual([]);
});

test('figures of an earlier driver earn nothing', async () => {
  const guild = guildWithRoles();
  guild.join('1');
  guild.drive('1', { username: 'another' });
  await guild.know('1', { km: 9000 });
  await guild.rule({ role: VETERAN, when: { kind: 'km', atLeast: 5000 } });
  await guild.rounds(3);
  expect(guild.changes).toEqual([]);
});

test('of a rule that was removed meanwhile nobody is kept', async () => {
  const guild = guildWithRoles();
  await guild.rule({ role: PROVED, when: { kind: 'proved' } });
  await guild.rules.remove(GUILD, PROVED);
  await guild.rules.setHolders(GUILD, PROVED, { 1: { state: 'held', joined: '' } });
  expect(await guild.rules.holders(GUILD, PROVED)).toEqual({});
});

test('a holder who could not be checked is checked in the next round, not a day later', async () => {
  const { guild, rounds } = await veteran(by30Days);
  guild.members.get('1')?.roles.delete(VETERAN);
  guild.clock.pass(2 * DAY);
  guild.failure = 'lost';
  await guild.rounds(1, rounds);
  guild.failure = null;
  await guild.rounds(1, rounds);
  expect(await guild.rules.holders(GUILD, VETERAN)).toMatchObject({ 1: { state: 'refused' } });
});

test('a guild without an answer is asked ever less often, until a rule changes', async () => {
  const guild = guildWithRoles();
  guild.join('1');
  guild.drive('1', {});
  await guild.rule({ role: PROVED, when: { kind: 'proved' } });
  const { rounds } = guild.process();
  guild.failure = 'lost';
  await guild.rounds(60, rounds);
  const lostCount = guild.questions.length;
  await guild.rounds(60, rounds);
  expect(guild.questions.length - lostCount).toBeLessThan(lostCount);
  expect(lostCount).toBeLessThan(30);
  guild.failure = null;
  await guild.rounds(1, rounds);
  expect(guild.has(PROVED)).toEqual([]);
  rounds.interrupt();
  await guild.rounds(1, rounds);
  expect(guild.has(PROVED)).toEqual(['1']);
});

test('who could not be asked about is asked about again at the next round', async () => {
  const guild = guildWithRoles();
  guild.join('1');
  guild.drive('1', {});
  await guild.rule({ role: VETERAN, when: { kind: 'member-days', atLeast: 1 } });
  guild.clock.pass(2 * DAY);
  const { rounds } = guild.process();
  guild.failure = 'lost';
  await guild.rounds(2, rounds);
  guild.failure = null;
  await guild.rounds(1, rounds);
  expect(guild.has(VETERAN)).toEqual(['1']);
});

describe('a change of roles', () => {
  /** Two members who have earned a role, and a rule that gives it. */
  async function earned() {
    const guild = guildWithRoles();
    for (const person of ['1', '2']) {
      guild.join(person);
      guild.drive(person, {});
    }
    await guild.rule({ role: PROVED, when: { kind: 'proved' } });
    const { rounds } = guild.process();
    const lose = async () => {
      for (const person of ['1', '2']) guild.drive(person, null);
      await guild.rounds(25, rounds);
    };
    return { guild, rounds, lose };
  }

  test('whose answer is lost counts as the bot’s own: the role goes with what earned it', async () => {
    const { guild, rounds, lose } = await earned();
    guild.changeFailures = ['lost'];
    await guild.rounds(12, rounds);
    expect(guild.has(PROVED)).toEqual(['1', '2']);
    await lose();
    expect(guild.has(PROVED)).toEqual([]);
  });

  test('that Discord refuses ends the batch, and nobody counts as a holder', async () => {
    const { guild, rounds } = await earned();
    guild.changeFailures = ['rights'];
    await guild.rounds(3, rounds);
    expect([guild.tried, guild.paused, guild.changes]).toEqual([1, ['rights'], []]);
    expect(await guild.rules.holders(GUILD, PROVED)).toEqual({});
  });

  test('of somebody who left in the meantime forgets them, and goes on with the others', async () => {
    const { guild, rounds } = await earned();
    guild.changeFailures = ['no-member'];
    await guild.rounds(2, rounds);
    expect(guild.has(PROVED)).toHaveLength(1);
    const [gone = ''] = ['1', '2'].filter((person) => !guild.has(PROVED).includes(person));
    expect(await guild.rules.holders(GUILD, PROVED)).not.toHaveProperty(gone);
  });

  test('that would be taken from somebody who has left is none', async () => {
    const { guild, rounds, lose } = await earned();
    await guild.rounds(12, rounds);
    guild.members.delete('1');
    await lose();
    expect(guild.changes.filter((change) => change.startsWith('take'))).toEqual([`take 2 ${PROVED}`]);
    expect(await guild.rules.holders(GUILD, PROVED)).toEqual({});
  });
});
