/** `/profile` as people read it, picture or text: over a local chat server, with a real client. */
import { PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import profile from '../../../commands/drivers/profile.ts';
import { createLog } from '../../../src/base/log.ts';
import { tellButtons } from '../../../src/cards/kit/tell-buttons.ts';
import { createPictures } from '../../../src/pictures/pictures.ts';
import { startLocalBot } from '../../support/local-bot.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { button, controls, titledDriver } from '../../support/readable.ts';
import { serviceOf } from '../../support/records.ts';
import { createTranslators } from '../../support/translators.ts';

const painters = new URL('../../pictures/support/painters/', import.meta.url);
const OWN_PID = new URL('own-pid.ts', painters);
const SILENT = new URL('silent.ts', painters);
const PLAYER = [{ name: 'player', value: 'k3nny' }];

/** A bot whose pictures are drawn by that process, at a clock that stands still. */
async function startBot(painter: URL) {
  const clock = createManualClock();
  const log = createLog({ level: 'silent', secrets: [] });
  const pictures = createPictures({ painter, clock, log });
  let preparations = 0;
  let drawings = 0;
  const bot = await startLocalBot(
    new Map([['profile', profile]]),
    { service: serviceOf() },
    {
      pictures: {
        draw(...picture) {
          drawings += 1;
          return pictures.draw(...picture);
        },
        prepare() {
          preparations += 1;
          pictures.prepare();
        },
      },
    },
  );
  const messageOf = ({ message }: Awaited<ReturnType<typeof bot.manager.invoke>>) => {
    if (message === null) throw new Error('no message came of it');
    return message;
  };
  return {
    chat: bot.chat,
    channel: bot.channel,
    store: bot.store,
    manager: bot.manager,
    clock,
    preparations: () => preparations,
    /** Pictures that were asked for so far. */
    drawings: () => drawings,
    ask: async () => messageOf(await bot.manager.invoke(bot.channel, 'profile', PLAYER)),
    press: async (...[message, label]: Parameters<typeof button>) =>
      messageOf(await bot.manager.press(message.id, button(message, label))),
    async [Symbol.asyncDispose]() {
      pictures.close();
      await bot[Symbol.asyncDispose]();
    },
  };
}

const labelsOf = (message: Parameters<typeof controls>[0]) => controls(message).map(({ label }) => label);

test('a picture in time stands below one line, and *Overview* puts text in its place', async () => {
  await using bot = await startBot(OWN_PID);
  const message = await bot.ask();
  expect(message).toMatchObject({ embeds: [], attachments: [{ filename: 'driver.png' }] });
  expect(message.content).toBe('⚪ Last seen <t:1795168800:R>');
  expect(message.attachments[0]?.description).toContain('Distance: ');
  expect(labelsOf(message)).toEqual([
    'Refresh',
    'Overview',
    ...tellButtons('driver', 'k3nny', createTranslators()('en-GB')).map(({ label }) => label),
  ]);
  expect(bot.preparations()).toBe(1);

  const text = await bot.press(message, 'Overview');
  expect(text).toMatchObject({ id: message.id, content: '', attachments: [] });
  expect(titledDriver(text)).toBe('k3nny');
});

test('a picture that takes over 1.5 s is text that says so, and *Picture* asks again', async () => {
  await using bot = await startBot(SILENT);
  const answer = bot.ask();
  await bot.clock.timer(1500);
  bot.clock.pass(1500);
  const message = await answer;
  expect(message.content).toBe("The picture took too long, so here's the text. Try again in a moment.");
  expect(titledDriver(message)).toBe('k3nny');

  // A press waits as long as for any picture.
  const pressed = bot.press(message, 'Picture');
  await bot.clock.timer(5000);
  bot.clock.pass(5000);
  expect((await pressed).id).toBe(message.id);
});

test('in a burst, the questions beyond the fourth are answered with text at once', async () => {
  await using bot = await startBot(SILENT);
  const answers = [];
  for (let count = 0; count < 4; count += 1) {
    answers.push(bot.ask());
    await expect.poll(bot.drawings).toBe(count + 1);
  }
  const message = await bot.ask();
  expect(message.attachments).toEqual([]);
  expect(titledDriver(message)).toBe('k3nny');
  expect(labelsOf(message)).toContain('Picture');
  bot.clock.pass(1500);
  for (const { attachments } of await Promise.all(answers)) expect(attachments).toEqual([]);
});

test('the window that links a driver ends with the picture, below what was linked', async () => {
  await using bot = await startBot(OWN_PID);
  const { message: refusal } = await bot.manager.invoke(bot.channel, 'profile', []);
  if (refusal === null) throw new Error('no message came of it');
  const opened = await bot.manager.press(refusal.id, button(refusal, 'Link my driver'));
  const { message } = await bot.manager.submit(opened.interactionId, { player: 'k3nny' });
  expect(message?.attachments).toMatchObject([{ filename: 'driver.png' }]);
  expect(message?.content).toMatch(/^Linked to \*\*k3nny\*\*[\s\S]*\n⚪ Last seen <t:1795168800:R>$/);
  expect(labelsOf(message ?? {})).toContain('Overview');
});

test('without Attach Files it is text without a word, and no drawing process starts', async () => {
  await using bot = await startBot(OWN_PID);
  bot.chat.moderator.setOverwrite(bot.channel, {
    id: bot.chat.botId,
    type: 'member',
    allow: 0n,
    deny: PermissionFlagsBits.AttachFiles,
  });
  const message = await bot.ask();
  expect(message).toMatchObject({ content: '', attachments: [] });
  expect(titledDriver(message)).toBe('k3nny');
  expect(bot.preparations()).toBe(0);
});

test('a person who has chosen text gets text alone, and no drawing process starts', async () => {
  await using bot = await startBot(OWN_PID);
  await bot.store.profileLooks.set(bot.manager.id, false);
  const message = await bot.ask();
  expect(message).toMatchObject({ content: '', attachments: [] });
  expect(titledDriver(message)).toBe('k3nny');
  expect(bot.preparations()).toBe(0);
});
