/** The window of `/watch server`: over a local chat server, with a real client. */
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionResponseType,
  InteractionType,
} from 'discord.js';
import { describe, expect, test } from 'vitest';
import watch from '../../../commands/alerts/watch.ts';
import { dispatchInMemory, inGuild } from '../../support/dispatch-in-memory.ts';
import { startLocalBot } from '../../support/local-bot.ts';
import { fieldValues, replyText } from '../../support/outcome.ts';
import { button } from '../../support/readable.ts';

const commands = new Map([['watch', watch]]);

describe('/watch server', () => {
  const one = [{ name: 'server', value: 'one' }];

  test('with nothing but a server asks what about it, and sets that alert', async () => {
    await using bot = await startLocalBot(commands);
    const opened = await bot.manager.invoke(bot.channel, 'watch server', one);
    expect(opened.form?.title).toBe('Alert about a server');
    expect(fieldValues(opened)).toEqual({ server: 'one', free: '', drivers: '', outage: '' });
    const set = await bot.manager.submit(opened.interactionId, { free: ' 2 ', drivers: '7' });
    expect(replyText(set)).toMatch(/One[\s\S]*2 free[\s\S]*7 drivers/);
    const back = await bot.manager.invoke(bot.channel, 'watch server', one);
    const both = await bot.manager.submit(back.interactionId, { server: 'two', outage: ['down', 'back'] });
    expect(replyText(both)).toMatch(/Two.*down for 5/);
  });

  test.each([
    [{}, 'Choose free slots'],
    [{ free: '0' }, 'Enter whole numbers from 1 to 500'],
    [{ drivers: '501' }, 'Enter whole numbers from 1 to 500'],
    [{ free: 'many' }, 'Enter whole numbers from 1 to 500'],
    [{ free: '2', outage: ['down'] }, "can't be combined"],
  ])('with %j says what is wrong, and opens again as it was', async (filled, wrong) => {
    await using bot = await startLocalBot(commands);
    const opened = await bot.manager.invoke(bot.channel, 'watch server', one);
    const refused = await bot.manager.submit(opened.interactionId, filled);
    expect(replyText(refused)).toContain(wrong);
    const { message } = refused;
    if (message === null) throw new Error('no reply');
    const again = await bot.manager.press(message.id, button(message, 'Change and try again'));
    expect(fieldValues(again)).toMatchObject({
      server: 'one',
      ...('free' in filled ? { free: filled.free } : {}),
    });
  });

  test('with an option sets the alert at once', async () => {
    await using bot = await startLocalBot(commands);
    const set = await bot.manager.invoke(bot.channel, 'watch server', [...one, { name: 'free', value: 3 }]);
    expect(set.form).toBeNull();
    expect(replyText(set)).toContain('3 free');
  });
});

test('the window of an alert opens with the server whose text was sent', async () => {
  const bot = dispatchInMemory({ commands: commands });
  const subcommand = {
    ...{ name: 'server', type: ApplicationCommandOptionType.Subcommand },
    options: [{ type: ApplicationCommandOptionType.String, name: 'server', value: 'Two' }],
  };
  bot.ask({
    type: InteractionType.ApplicationCommand,
    data: { id: '1', name: 'watch', type: ApplicationCommandType.ChatInput, options: [subcommand] },
    ...inGuild('100000000000000001'),
  });
  await expect.poll(() => bot.heard.length).toBe(1);
  const sent = JSON.parse(bot.heard[0]?.body ?? '');
  expect(sent.type).toBe(InteractionResponseType.Modal);
  expect(JSON.stringify(sent)).toMatch(/"value":"two"[^}]*"default":true/);
});
