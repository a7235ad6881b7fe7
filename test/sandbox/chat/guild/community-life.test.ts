import { expect } from 'vitest';
import { test } from '../support/chat-test.ts';

test('people come and go as time passes, the same way every time', async ({ chat }) => {
  const statuses = () => chat.members.map(({ status }) => status);
  const before = statuses();
  const told = new Promise<void>((resolve) => {
    chat.subscribe((event) => event.type === 'members' && resolve());
  });
  chat.advance(120);
  await told;
  expect(statuses()).not.toEqual(before);
});
