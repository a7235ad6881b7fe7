import { expect, test } from 'vitest';
import roles from '../../../commands/roles.ts';
import { UserError } from '../../../src/base/errors.ts';
import type { NewRule } from '../../../src/features/roles/rule.ts';
import { contextOf } from '../../support/context.ts';
import { peopleInMemory } from '../../support/people.ts';

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
