import { expect } from 'vitest';
import { countingPerson, counts } from '../../support/counting-person.ts';
import { test } from '../../support/sandbox.ts';

test('the alert about what is on the card is one press, as is its end', async ({ bot: _, chat, visitor }) => {
  const person = countingPerson(chat, visitor);
  await person.type('uptime', { server: 'one' });
  person.reset();
  expect(await person.press('Tell me')).toContain('🔔 Alert set');
  expect(person.steps).toEqual(counts({ presses: 1 }));
  await person.press('Remove');
  expect(person.steps).toEqual(counts({ presses: 2 }));
  expect(await person.type('watch list')).not.toContain('One');
});
