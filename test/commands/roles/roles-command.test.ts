import { expect, test } from 'vitest';
import type { ListedRule, NewRule } from '../../../commands/roles/models/rule.ts';
import roles from '../../../commands/roles/roles.ts';
import { UserError } from '../../../src/base/errors.ts';
import { readCustomId } from '../../../src/cards/kit/custom-id.ts';
import { valuesFromSubject } from '../../../src/command-kit/form.ts';
import { contextOf } from '../../support/context.ts';
import { peopleInMemory } from '../../support/people.ts';
import { press } from '../../support/press.ts';
import { controls } from '../../support/readable.ts';

/** What the form of `/roles add` earns a role by; null: it is refused. */
async function earned(typed: { when: string; 'at-least'?: string; licence?: string }) {
  const made: NewRule[] = [];
  const people = peopleInMemory();
  const context = contextOf({
    ...people,
    person: { mayManageRoles: true },
    features: {
      ...people.features,
      roles: {
        ...people.features.roles,
        async add(rule) {
          made.push(rule);
          return 'added';
        },
      },
    },
  });
  const values = { role: '100000000000000001', 'at-least': '', licence: '', more: '', ...typed };
  try {
    await roles.subcommands['add']?.form?.submit(values, context, {});
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
  return made[0]?.when ?? null;
}

const ROLE = '100000000000000001';

/** The controls of the rule that is chosen below `/roles list`. */
async function chosen(when: ListedRule['when'], more: Partial<ListedRule> = {}) {
  const rule: ListedRule = {
    ...{ role: ROLE, when, keep: true, linked: true, madeBy: '1', locale: 'en', since: 0 },
    ...{ paused: null, ending: false, holders: 2, qualify: [], theirs: [], unknown: 0, ...more },
  };
  const people = peopleInMemory();
  const list = async () => ({ rules: [rule], lastRun: null });
  const context = contextOf({
    ...people,
    person: { mayManageRoles: true },
    features: { ...people.features, roles: { ...people.features.roles, list } },
  });
  const listed = await roles.subcommands['list']?.run({}, context);
  expect(controls(listed ?? {})).toMatchObject([{ customId: '1:roles:one:', values: [ROLE] }]);
  const one = await press(roles, { action: 'one', values: [ROLE] }, context);
  return { context, one };
}

test.each<[ListedRule['when'], object]>([
  [
    { kind: 'km', atLeast: 100_000_000 },
    { when: 'km', 'at-least': '100000000' },
  ],
  [{ kind: 'hours-30-days', atLeast: 100_000_000 }, { when: 'hours-30-days' }],
  [
    { kind: 'licence', type: 'x'.repeat(40) },
    { when: 'licence', licence: 'x'.repeat(40) },
  ],
  [
    { kind: 'licence', type: 'bus, long' },
    { when: 'licence', licence: '' },
  ],
  [{ kind: 'proved' }, { when: 'proved' }],
])('a rule of the list opens the window with what it says: %j', async (when, values) => {
  const { one } = await chosen(when);
  const change = readCustomId(controls(one).find(({ label }) => label === 'Change')?.customId ?? '');
  const form = roles.subcommands['add']?.form;
  expect([change?.command, change?.action]).toEqual(['roles add', 'form']);
  expect(form && valuesFromSubject(form, change?.subject ?? '')).toMatchObject({
    role: ROLE,
    more: 'keep linked',
    ...values,
  });
});

test('a rule of the list is removed after the question what becomes of its members', async () => {
  const { context, one } = await chosen({ kind: 'proved' });
  const remove = readCustomId(controls(one).find(({ label }) => label === 'Remove')?.customId ?? '');
  const { action = '', subject = '' } = remove ?? {};
  const ask = await press(roles, { action, subject }, context);
  expect(ask.content).toContain('2 members have this role through this rule.');
  expect(controls(ask).map(({ label }) => label)).toEqual(['Keep the role', 'Remove the role']);
  const gone = '100000000000000002';
  await expect(press(roles, { action: 'one', values: [gone] }, context)).rejects.toThrow(`<@&${gone}>`);
});

test('a rule names its requirement, since when is a time everywhere else', () => {
  for (const name of ['add', 'preview'] as const) {
    const options = Object.keys(roles.subcommands[name]?.options ?? {});
    expect(options).toContain('requirement');
    expect(options).not.toContain('when');
  }
});

test.each([
  ['25', 25],
  [' 5000 ', 5000],
  // As a comma arrives.
  ['5 000', 5000],
  ['5.000', 5000],
  ["1'250'000", 1_250_000],
  ['2.5', null],
  ['2 5', null],
  ['12e3', null],
  ['0x10', null],
  ['0', null],
  ['-5', null],
  ['', null],
  ['100 000 001', null],
])('a figure is taken as it is written or refused, and never as another one: %s', async (written, figure) => {
  const atLeast = figure === null ? null : { kind: 'km', atLeast: figure };
  expect(await earned({ when: 'km', 'at-least': written })).toEqual(atLeast);
});

test.each([
  ['not-allowed', /You need \*Manage Roles\* for this, from one of your roles/],
  ['lost', /Discord/],
] as const)('the form of a new rule does not open for whom it would be refused: %s', async (why, said) => {
  const people = peopleInMemory();
  const begin = (refusal: typeof why | null) => {
    const context = contextOf({
      ...people,
      features: { ...people.features, roles: { ...people.features.roles, refusalOf: async () => refusal } },
    });
    return roles.subcommands['add']?.form?.begin(context, {});
  };
  await expect(begin(why)).rejects.toThrow(said);
  expect(await begin(null)).toEqual({ when: 'proved' });
});

test.each(['\u202eabc', 'a\u2028b', 'x\u0000y', 'x'.repeat(65)])(
  'a licence that would break a line is refused, in a form as well: %j',
  async (licence) => {
    expect(await earned({ when: 'licence', licence })).toBeNull();
    expect(await earned({ when: 'licence', licence: ' bus ' })).toEqual({ kind: 'licence', type: 'bus' });
  },
);
