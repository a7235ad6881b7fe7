/** Commands that open a form where nothing is typed: over a local chat server, with a real client. */
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';
import { loadCommands } from '../../src/discord/load.ts';
import { languages } from '../../src/i18n/languages.ts';
import { createTranslators } from '../../src/i18n/translator.ts';
import type { Outcome } from '../../src/sandbox/chat/chat-server.ts';
import { startingValue } from '../../src/sandbox/chat/submitted-form.ts';
import { defaultSettings } from '../../src/store/guild-settings.ts';
import { startLocalBot } from '../support/local-bot.ts';
import { readable } from '../support/readable.ts';

const commands = await loadCommands(new URL('../../commands/', import.meta.url));

/** What the form holds, by field. */
function held({ form }: Outcome): Readonly<Record<string, string>> {
  const fields = form?.components.map(({ component }) => [component.custom_id, startingValue(component)]);
  return Object.fromEntries(fields ?? []);
}

function said({ message }: Outcome): string {
  return message === null ? '' : readable(message);
}

async function startBot() {
  const bot = await startLocalBot(commands);
  const guildId = bot.chat.guilds[0]?.id ?? '';
  return { ...bot, guildId, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() };
}

describe('/settings', () => {
  test('without options is a form that holds what is set today, and saves what was changed in it', async () => {
    await using bot = await startBot();
    await bot.store.settings.set(bot.guildId, { ...defaultSettings, language: 'de', colours: false });
    const opened = await bot.manager.invoke(bot.channel, 'settings', []);
    expect(opened.form?.title).toBe('Einstellungen dieses Servers');
    expect(held(opened)).toEqual({
      ...{ language: 'de', distances: 'kilometres', colours: 'hidden', refresh: 'everyone' },
      sharing: 'allowed',
    });

    const filled = { language: 'en-GB', distances: 'miles', sharing: 'forbidden' };
    const done = await bot.manager.submit(opened.interactionId, filled);
    expect(said(done)).toMatch(/^✅ Saved[\s\S]*British[\s\S]*Miles[\s\S]*Hidden[\s\S]*Not allowed/);
    expect(await bot.store.settings.of(bot.guildId)).toEqual({
      ...{ language: 'en-GB', distances: 'miles', colours: false, refresh: 'everyone', sharing: false },
    });
  });

  test('leaves alone what somebody else has changed while the form was open', async () => {
    await using bot = await startBot();
    const opened = await bot.manager.invoke(bot.channel, 'settings', []);
    await bot.store.settings.set(bot.guildId, { ...defaultSettings, language: 'fr', refresh: 'asker' });
    await bot.manager.submit(opened.interactionId, { distances: 'miles' });
    expect(await bot.store.settings.of(bot.guildId)).toEqual({
      ...{ ...defaultSettings, language: 'fr', refresh: 'asker', distances: 'miles' },
    });
  });

  test('with an option changes that at once', async () => {
    await using bot = await startBot();
    const done = await bot.manager.invoke(bot.channel, 'settings', [{ name: 'distances', value: 'miles' }]);
    expect(done.form).toBeNull();
    expect((await bot.store.settings.of(bot.guildId)).distances).toBe('miles');
  });

  test('is shown to those who may not change it', async () => {
    await using bot = await startBot();
    const shown = await bot.neighbour.invoke(bot.channel, 'settings', []);
    expect(shown.form).toBeNull();
    expect(said(shown)).toMatch(/Kilometres[\s\S]*Someone with \*?Manage Server\*? can change them/);
  });

  test('is refused on sending to those who have lost the right meanwhile', async () => {
    await using bot = await startBot();
    const of = { id: bot.neighbour.id, type: 'member', deny: 0n } as const;
    bot.chat.moderator.setOverwrite(bot.channel, { ...of, allow: PermissionFlagsBits.ManageGuild });
    const opened = await bot.neighbour.invoke(bot.channel, 'settings', []);
    bot.chat.moderator.setOverwrite(bot.channel, { ...of, allow: 0n });
    const refused = await bot.neighbour.submit(opened.interactionId, { distances: 'miles' });
    expect(said(refused)).toContain('You need *Manage Server* for this.');
    expect(await bot.store.settings.of(bot.guildId)).toEqual(defaultSettings);
  });
});

describe.each(languages)('in %s', (language) => {
  const t = createTranslators()(language);
  const forms = [...commands].flatMap(([name, command]) => {
    const owners = 'subcommands' in command ? Object.values(command.subcommands) : [command];
    return owners.flatMap(({ form }) => (form === undefined ? [] : [{ name, form }]));
  });

  test.each(forms)('the texts of the form of /$name fit into its window', ({ form }) => {
    expect(t(form.title).length).toBeLessThanOrEqual(45);
    for (const { label, hint, ...field } of Object.values(form.fields)) {
      expect(t(label).length, t(label)).toBeLessThanOrEqual(45);
      if (hint !== undefined) expect(t(hint).length, t(hint)).toBeLessThanOrEqual(100);
      if (field.kind !== 'choice') continue;
      for (const choice of Object.values(field.choices)) expect(t(choice).length).toBeLessThanOrEqual(100);
    }
  });
});
