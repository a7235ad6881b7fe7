import { expect } from 'vitest';
import { countingPerson, counts } from '../../support/counting-person.ts';
import { boardChannel, test } from '../../support/sandbox.ts';

test('the week and the month in a channel are ticked already: a command and a press', async ({
  bot: _,
  chat,
  visitor,
}) => {
  const person = countingPerson(chat, visitor);
  const preview = await person.type('recap', { post: boardChannel(chat) });
  expect(preview).toMatch(/✅ Each week[\s\S]*✅ Each month/);
  expect(await person.press('Post from now on')).toContain('gets the community recap from now on');
  expect(person.steps).toEqual(counts({ commands: 1, presses: 1 }));
});
