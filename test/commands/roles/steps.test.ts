import { expect } from 'vitest';
import { countingPerson, counts } from '../../support/counting-person.ts';
import { test } from '../../support/sandbox.ts';

test('a role for hours is three taps and a number', async ({ bot: _, chat, visitor }) => {
  const person = countingPerson(chat, visitor);
  const role = chat.roles.find(({ name }) => name === 'Police')?.id ?? '';
  await person.type('roles add');
  expect(await person.fill({ role, when: 'hours', 'at-least': '100' })).toContain('100');
  expect(person.steps).toEqual(counts({ commands: 1, windows: 1, taps: 3, texts: 1 }));
});
