/** Roles at work: what they ask Discord, and what ends with them. */
import { Routes } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { createRoleFigures } from '../../../commands/roles/models/figures.ts';
import { createRoleRules } from '../../../commands/roles/models/role-rules.ts';
import type { NewRule } from '../../../commands/roles/models/rule.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { ANNA, bot, GUILD, NOON, OWNER, ROLE, time } from '../../support/bot-in-memory.ts';
import { bodies, driver } from '../../support/records.ts';

describe('roles', () => {
  const rule: NewRule = {
    ...{ guild: GUILD, role: ROLE, when: { kind: 'member-days', atLeast: 1 }, keep: false, linked: true },
    ...{ madeBy: OWNER, locale: 'en-GB' },
  };

  /** A driver who has earned the role of a rule. */
  async function earned() {
    const all = bot({ features: ['roles'] });
    await all.repositories.links.set(ANNA, { username: 'k3nny', since: 0 });
    const rules = createRoleRules(all.documents);
    const put = () => rules.put(GUILD, { ...rule, since: NOON, paused: null, ending: false });
    const given = () => all.requests.filter((request) => request.startsWith('put')).length;
    return { ...all, roles: all.features.roles, rules, put, given };
  }

  test('are given at once where a rule is made, and each minute otherwise, until the end', async () => {
    const { roles, start, resources, requests, given, repositories, lines } = await earned();
    start();
    await time.pass(90 * SECOND);
    expect(await roles.add(rule, NOON)).toBe('added');
    await time.pass(0);
    expect([given(), requests.at(-1)]).toEqual([1, `put ${Routes.guildMemberRole(GUILD, ANNA, ROLE)}`]);
    await repositories.links.set('8', { username: 'b0ris', since: 0 });
    await time.pass(MINUTE);
    expect(given()).toBe(2);
    await time.until(resources.disposeAsync());
    await repositories.links.set('10', { username: 'cem', since: 0 });
    await time.pass(HOUR);
    expect([given(), lines]).toEqual([2, []]);
  });

  test.each([
    ['the bot is not in the guild, or Discord does not serve it', { isThere: false }],
    ['the bot is in time-out', { isTimedOut: true }],
    ['another process keeps the guild', { holds: false }],
  ])('ask Discord nothing while %s', async (_what, change) => {
    const { start, put, state, requests, given } = await earned();
    await put();
    Object.assign(state, change);
    start();
    await time.pass(30 * MINUTE);
    expect(requests).toEqual([]);
    Object.assign(state, { holds: true, isThere: true, isTimedOut: false });
    await time.pass(11 * MINUTE);
    expect(given()).toBe(1);
  });

  test.each([
    [OWNER, [{ place: OWNER, content: expect.stringContaining('paused') }]],
    ['', []],
  ])(
    'tell the maker of a rule that it is paused, unless the maker was forgotten: %j',
    async (madeBy, told) => {
      const { start, rules, messages, lines } = await earned();
      const { guild: _, ...stored } = rule;
      const gone = { ...stored, role: '77', madeBy, since: NOON, paused: null, ending: false };
      await rules.put(GUILD, gone);
      start();
      await time.pass(2 * MINUTE);
      expect((await rules.of(GUILD))[0]?.paused).toBe('unknown-role');
      expect(lines).toHaveLength(1);
      expect(messages).toMatchObject(told);
    },
  );

  test('want the profiles of members until the end, and count what is read of them', async () => {
    const { start, resources, rules, state, wanted, observed, documents } = await earned();
    const when = { kind: 'km', atLeast: 5 } as const;
    const { guild: _, ...stored } = rule;
    await rules.put(GUILD, { ...stored, when, since: NOON, paused: null, ending: false });
    await rules.setHolders(GUILD, ROLE, { [ANNA]: { state: 'member', joined: '2026-01-01T00:00:00Z' } });
    start();
    await time.pass(2 * MINUTE);
    observed({ kind: 'profile', record: driver(bodies.profile) });
    const observedAt = time.clock.now();
    await time.pass(30 * MINUTE);
    expect(wanted()).toEqual(['profile k3nny']);
    state.holds = false;
    expect(wanted()).toEqual([]);
    state.holds = true;
    await time.until(resources.disposeAsync());
    expect(wanted()).toEqual([]);
    const known = await createRoleFigures(documents).known();
    expect(known(ANNA, 'k3nny', observedAt)?.asOf).toBe(observedAt);
  });
});
