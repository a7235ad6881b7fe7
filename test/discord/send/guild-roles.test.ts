import { DiscordAPIError, GuildMemberFlags } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { createGuildRoles } from '../../../src/discord/send/guild-roles.ts';

const [GUILD, PERSON, ROLE] = ['7', '4', '9'];
const member = { roles: [ROLE], joined_at: '2026-01-01T00:00:00Z' };

/** Discord's REST, which gives each request this answer. */
function answeredWith(answer: unknown) {
  const request = async (): Promise<unknown> => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const lines: string[] = [];
  const log = createLog({ level: 'warn', secrets: [], stream: { write: (line) => lines.push(line) } });
  const roles = createGuildRoles({ get: request, put: request, delete: request }, () => '3', log);
  return { roles, lines };
}

describe('a refusal', () => {
  test.for([
    ['no-member', 404, 10_007],
    ['no-member', 404, 10_013],
    ['unknown-role', 404, 10_011],
    ['rights', 403, 50_013],
    ['rights', 403, 50_001],
    ['rights', 403, 60_003],
  ] as const)(
    'means %s where Discord answers %i with %i, to each question',
    async ([failure, status, code]) => {
      const refusal = new DiscordAPIError({ code, message: 'no' }, code, status, 'PUT', '', {});
      const { roles, lines } = answeredWith(refusal);
      expect(await roles.member(GUILD, PERSON)).toBe(failure);
      expect(await roles.standing(GUILD, PERSON)).toBe(failure);
      expect(await roles.give(GUILD, PERSON, ROLE, 'earned')).toBe(failure);
      expect(await roles.take(GUILD, PERSON, ROLE, 'lost')).toBe(failure);
      expect(lines).toEqual([]);
    },
  );

  test.for([
    ['an unknown number', new DiscordAPIError({ code: 1, message: 'no' }, 1, 404, 'PUT', '', {})],
    ['no answer', new Error('away')],
  ] as const)('by %s is lost, and logged', async ([, error]) => {
    const { roles, lines } = answeredWith(error);
    expect(await roles.member(GUILD, PERSON)).toBe('lost');
    expect(await roles.give(GUILD, PERSON, ROLE, 'earned')).toBe('lost');
    expect(lines).toHaveLength(2);
  });
});

test.for([
  ['has not accepted the rules', { pending: true }, 'provisional'],
  ['is a guest', { pending: false, flags: GuildMemberFlags.IsGuest }, 'provisional'],
  ['has come back', { pending: false, flags: GuildMemberFlags.DidRejoin }, { roles: [ROLE] }],
  ['is as Discord wrote members before it had rules', {}, { roles: [ROLE] }],
  ['cannot be read', { pending: 'yes' }, 'lost'],
] as const)('a member who %s', async ([, state, expected]) => {
  const { roles } = answeredWith({ ...member, ...state });
  const seen = await roles.member(GUILD, PERSON);
  if (typeof expected === 'string') expect(seen).toBe(expected);
  else expect(seen).toMatchObject(expected);
});
