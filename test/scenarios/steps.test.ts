/**
 * The way to what people do most, counted: what they type, press and fill in, from the channel to the end. A figure here is a limit
 * that a change may lower. Features count their own steps.
 */
import { expect } from 'vitest';
import { countingPerson, counts } from '../support/counting-person.ts';
import { boardChannel, test } from '../support/sandbox.ts';

test("a driver's card is one command, picture first", async ({ bot: _, chat, visitor }) => {
  const person = countingPerson(chat, visitor);
  // On a busy machine, the first picture may come too late.
  const ask = async () => {
    person.reset();
    await person.type('profile', { player: 'Marek Nowicki' });
    return person.pictures();
  };
  await expect.poll(ask, { timeout: 20_000 }).toBe(1);
  expect(person.steps).toEqual(counts({ commands: 1 }));
});

test('the own card is one press and one name after the command', async ({ bot: _, chat, visitor }) => {
  const person = countingPerson(chat, visitor);
  await person.type('profile');
  await person.press('Link my driver');
  expect(await person.fill({ player: 'Marek Nowicki' })).toMatch(/^Linked to/);
  expect(person.steps).toEqual(counts({ commands: 1, presses: 1, windows: 1, texts: 1 }));
  person.reset();
  await expect
    .poll(
      async () => {
        await person.type('profile');
        return person.pictures();
      },
      { timeout: 20_000 },
    )
    .toBe(1);
});

test("a server's settings, each changed once: six taps, one for profiles, and a text", async ({
  bot: _,
  chat,
  visitor,
}) => {
  const person = countingPerson(chat, visitor);
  await person.type('settings');
  await person.fill({ language: 'en-GB', distances: 'miles', more: [], zone: 'berlin' });
  expect(person.steps).toEqual(counts({ commands: 1, windows: 1, taps: 6, texts: 1 }));
  await person.type('settings');
  expect(await person.fill({ profiles: 't' })).toContain('As text');
  expect(person.steps).toEqual(counts({ commands: 2, windows: 2, taps: 7, texts: 1 }));
});

test('a board with everything chosen is ten taps', async ({ bot: _, chat, visitor }) => {
  const person = countingPerson(chat, visitor);
  await person.type('board create');
  const servers = person.choices('servers').slice(0, 4);
  const choices = { language: 'de', servers, members: 'on', names: 'off' };
  expect(await person.fill({ channel: boardChannel(chat), ...choices })).toContain('✅');
  expect(person.steps).toEqual(counts({ commands: 1, windows: 1, taps: 10 }));
});
