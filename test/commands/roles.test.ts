import { expect, test } from 'vitest';
import roles from '../../commands/roles.ts';
import { UserError } from '../../src/base/errors.ts';
import type { NewRule } from '../../src/service/models/rule.ts';
import { contextOf } from '../support/context.ts';
import { peopleInMemory } from '../support/people.ts';

/** What the form of `/roles add` makes of a figure; null: it is refused. */
async function figureOf(written: string): Promise<number | null> {
  const made: NewRule[] = [];
  const people = peopleInMemory();
  const context = contextOf({
    ...people,
    person: { mayManageRoles: true },
    roles: {
      ...people.roles,
      async add(rule) {
        made.push(rule);
        return 'added';
      },
    },
  });
  const values = { role: '100000000000000001', when: 'km', 'at-least': written, licence: '', more: '' };
  try {
    await roles.subcommands['add']?.form?.submit(values, context, {});
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
  const [rule] = made;
  return rule === undefined || !('atLeast' in rule.when) ? null : rule.when.atLeast;
}

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
  expect(await figureOf(written)).toBe(figure);
});

test.each([
  ['not-allowed', /You need \*Manage Roles\* for this, from one of your roles/],
  ['lost', /Discord/],
] as const)('the form of a new rule does not open for whom it would be refused: %s', async (why, said) => {
  const people = peopleInMemory();
  const begin = (refusal: typeof why | null) => {
    const context = contextOf({ ...people, roles: { ...people.roles, refusalOf: async () => refusal } });
    return roles.subcommands['add']?.form?.begin(context, {});
  };
  await expect(begin(why)).rejects.toThrow(said);
  expect(await begin(null)).toEqual({ when: 'proved' });
});
