import { describe, expect } from 'vitest';
import { createBotWithin } from '../support/bot-within.ts';
import { questions, test } from '../support/sandbox.ts';

describe('the servers and who is there', () => {
  test('/servers shows the board once, for everyone, and again at a press', async ({
    bot: _,
    dataService,
    visitor,
  }) => {
    const shown = await visitor.ask('servers', {});
    expect(shown.private).toBe(false);
    for (const name of ['One', 'Two', 'Three', 'Events', 'Training'])
      expect(shown.text).toContain(`**${name}**`);
    expect(shown.text).toMatch(/[▰▱]{10}\s\d+\/\d+/);
    expect(shown.text).toMatch(/online\s\d+/);
    expect((await visitor.ask('members', {})).text).toContain('Lobby');
    const before = dataService.requests.length;
    const pressed = await visitor.press(shown.message, 'Refresh');
    expect(pressed.message.id).toBe(shown.message.id);
    const keyed = dataService.requests.slice(before).filter(({ path }) => !path.includes('/json/'));
    expect(keyed).toEqual([]);
  });

  test('/servers shows the live files while the key is refused, and says what is missing', async ({
    chat,
    dataService,
    visitor,
  }) => {
    dataService.setFault('unauthorised', true);
    await using bot = await createBotWithin(chat, dataService);
    await bot.start();
    const { text } = await visitor.ask('servers', {});
    expect(text).toMatch(/\*\*One\*\* · \d+ drivers?/);
    expect(text).toContain('Tracks and slots are unknown');
    expect(text).toContain('refuses me');
    expect(text).not.toMatch(/null|NaN|undefined|\[object/);
  });

  test('/servers says that nothing is to be had when nothing is', async ({ chat, dataService, visitor }) => {
    dataService.setFault('down', true);
    await using bot = await createBotWithin(chat, dataService);
    await bot.start();
    const { text } = await visitor.ask('servers', {});
    expect(text).toMatch(/data service isn't answering/);
    expect(text).not.toContain('**One**');
  });

  test('/members lists who is on the Discord server, in pages', async ({ bot: _, visitor }) => {
    const first = await visitor.ask('members', {});
    expect(first.text).toMatch(/Page 1 of \d/);
    expect(first.text).toContain('Police radio');
    const second = await visitor.press(first.message, 'Next');
    expect(second.message.id).toBe(first.message.id);
    expect(second.text).toMatch(/Page 2 of \d/);
  });

  test('/live reports what every connected player does, and asks without the key', async ({
    bot: _,
    dataService,
    visitor,
  }) => {
    const one = await visitor.ask('live', { server: 'one' });
    expect(one.text).toMatch(/Server One\n\*\*\d+ driving\*\*/);
    expect(one.text).toMatch(/❔ Not reported by this server: names[\s\S]*\n\*\*driving:\*\* \d+ · \d+/);
    expect(questions(dataService)).toEqual([]);

    dataService.setFault('later-generation', true);
    // The file as it was stays fresh for a second.
    const two = async (): Promise<string> => (await visitor.ask('live', { server: 'two' })).text;
    await expect.poll(two).toContain('Not reported by this server: duty');
    expect(await two()).toMatch(/\n\S.* +\S.* +[A-Z0-9]{5}\n/);
  });

  test('a live file that stands still reports its age', async ({ bot: _, dataService, visitor }) => {
    dataService.setFault('frozen-clock', true);
    const { text } = await visitor.ask('live', { server: 'one' });
    expect(text).toMatch(/As of <t:\d+:R>/);
  });
});
