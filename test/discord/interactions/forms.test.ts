/** Commands that open a form where nothing is typed: over a local chat server, with a real client. */

import { ChannelType, PermissionFlagsBits } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { languages } from '../../../src/base/languages.ts';
import { type BoardOptions, newBoardOptions } from '../../../src/cards/board/board.ts';
import { serverNames } from '../../../src/cards/servers/server-lines.ts';
import type { Context } from '../../../src/command-kit/context.ts';
import { defaultSettings } from '../../../src/community/accounts/guild-settings.ts';
import { loadCommands } from '../../../src/discord/publish/load.ts';
import { startLocalBot } from '../../support/local-bot.ts';
import { fieldValues as held, replyText as said } from '../../support/outcome.ts';
import { peopleInMemory } from '../../support/people.ts';
import { button, controls, readable } from '../../support/readable.ts';
import { boardChannel } from '../../support/sandbox.ts';
import { createTranslators } from '../../support/translators.ts';

type Boards = Context['boards'];

const commands = await loadCommands(new URL('../../../commands/', import.meta.url));

/** A bot with boards that only write down what is asked of them, by channel. */
async function startBot() {
  const shows = new Map<string, BoardOptions>();
  const changes: Partial<BoardOptions>[] = [];
  const boards: Boards = {
    ...peopleInMemory().boards,
    async create({ channelId, options = {} }) {
      changes.push(options);
      if (shows.has(channelId)) return { kind: 'there' };
      shows.set(channelId, { ...newBoardOptions, ...options });
      return { kind: 'created', posted: true };
    },
    async edit(_guildId, channelId, options) {
      changes.push(options);
      const before = shows.get(channelId);
      if (before === undefined) return null;
      shows.set(channelId, { ...before, ...options });
      return { ...before, ...options };
    },
    list: async (guildId) =>
      [...shows].map(([channelId, options]) => ({
        settings: {
          guildId,
          channelId,
          madeBy: '1',
          locale: 'en',
          colours: true,
          madeAt: 0,
          removed: false,
          options,
        },
        ...{ mode: 'live', isPosted: true, paused: null, lastEdit: null, checked: null, errors: [] },
        access: { kind: 'open' },
        placeProblems: [],
      })),
  };
  const bot = await startLocalBot(commands, { boards });
  const guildId = bot.chat.guilds[0]?.id ?? '';
  return { ...bot, guildId, shows, changes, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() };
}

describe('/settings', () => {
  test("without options is a form with today's settings, and saves what was changed", async () => {
    await using bot = await startBot();
    await bot.store.guildSettings.change(bot.guildId, { ...defaultSettings, language: 'de', colours: false });
    const opened = await bot.manager.invoke(bot.channel, 'settings', []);
    expect(opened.form?.title).toBe('Einstellungen dieses Servers');
    expect(held(opened)).toEqual({
      ...{ language: 'de', distances: 'kilometres', more: 'refresh sharing', zone: '', profiles: 'p' },
    });

    const filled = { language: 'en-GB', distances: 'miles', more: ['refresh'], zone: 'new york' };
    const done = await bot.manager.submit(opened.interactionId, { ...filled, profiles: 't' });
    expect(said(done)).toMatch(/^✅ Saved[\s\S]*British[\s\S]*Miles[\s\S]*Hidden[\s\S]*Not allowed/);
    expect(said(done)).toMatch(/Driver profiles\W+As text/);
    expect(await bot.store.guildSettings.of(bot.guildId)).toEqual({
      ...{ language: 'en-GB', distances: 'miles', colours: false, refresh: 'everyone', sharing: false },
      timeZone: 'America/New_York',
      convoyRole: null,
      profiles: 'text',
    });
    const again = await bot.manager.invoke(bot.channel, 'settings', []);
    expect(held(again)).toMatchObject({ more: 'refresh', zone: 'America/New_York', profiles: 't' });
    await bot.manager.submit(again.interactionId, { more: [], zone: '' });
    expect(await bot.store.guildSettings.of(bot.guildId)).toMatchObject({ refresh: 'asker', timeZone: null });
  });

  test('leaves alone what somebody else has changed while the form was open', async () => {
    await using bot = await startBot();
    const opened = await bot.manager.invoke(bot.channel, 'settings', []);
    await bot.store.guildSettings.change(bot.guildId, {
      ...defaultSettings,
      language: 'fr',
      refresh: 'asker',
    });
    await bot.manager.submit(opened.interactionId, { distances: 'miles' });
    expect(await bot.store.guildSettings.of(bot.guildId)).toEqual({
      ...{ ...defaultSettings, language: 'fr', refresh: 'asker', distances: 'miles' },
    });
  });

  test('is shown to those who may not change it', async () => {
    await using bot = await startBot();
    const shown = await bot.neighbour.invoke(bot.channel, 'settings', []);
    expect(shown.form).toBeNull();
    expect(said(shown)).toMatch(/Kilometres[\s\S]*An administrator \(\*?Manage Server\*?\) can change them/);
  });

  test('is refused on sending to those who have lost the right meanwhile', async () => {
    await using bot = await startBot();
    const of = { id: bot.neighbour.id, type: 'member', deny: 0n } as const;
    bot.chat.moderator.setOverwrite(bot.channel, { ...of, allow: PermissionFlagsBits.ManageGuild });
    const opened = await bot.neighbour.invoke(bot.channel, 'settings', []);
    bot.chat.moderator.setOverwrite(bot.channel, { ...of, allow: 0n });
    const refused = await bot.neighbour.submit(opened.interactionId, { distances: 'miles' });
    expect(said(refused)).toContain('You need *Manage Server* for this.');
    expect(await bot.store.guildSettings.of(bot.guildId)).toEqual(defaultSettings);
  });
});

describe('/timezone', () => {
  test('below a card asks for a city, says which zone that is, and holds it next time', async () => {
    await using bot = await startBot();
    const { message } = await bot.neighbour.invoke(bot.channel, 'busy', []);
    if (message === null) throw new Error('no reply');
    const opened = await bot.neighbour.press(message.id, button(message, 'My time zone'));
    expect(held(opened)).toEqual({ zone: '' });
    const done = await bot.neighbour.submit(opened.interactionId, { zone: 'new york' });
    expect(said(done)).toContain('Your time zone: `new york (America/New_York)`.');
    expect(await bot.store.timeZones.of(bot.neighbour.id)).toBe('America/New_York');
    expect(held(await bot.neighbour.invoke(bot.channel, 'timezone', []))).toEqual({
      zone: 'America/New_York',
    });
  });

  test('of a city that names no zone can be tried again with what was typed', async () => {
    await using bot = await startBot();
    const opened = await bot.neighbour.invoke(bot.channel, 'timezone', []);
    const { message } = await bot.neighbour.submit(opened.interactionId, { zone: 'Middle, Earth' });
    if (message === null) throw new Error('no reply');
    expect(readable(message)).toContain('I know no city or time zone of that name.');
    const again = await bot.neighbour.press(message.id, button(message, 'Change and try again'));
    expect(held(again)).toEqual({ zone: 'Middle  Earth' });
  });
});

describe('/board create', () => {
  test('without options is a form for a usual board in this channel', async () => {
    await using bot = await startBot();
    const elsewhere = boardChannel(bot.chat);
    const opened = await bot.manager.invoke(bot.channel, 'board create', []);
    expect(held(opened)).toEqual({
      ...{ channel: bot.channel, language: 'usual', servers: '', members: 'folded', names: 'on' },
    });
    const filled = { channel: elsewhere, servers: ['two', 'events'], members: 'off' };
    const done = await bot.manager.submit(opened.interactionId, filled);
    expect(said(done)).toBe(`✅ The live board is in <#${elsewhere}>.`);
    expect([...bot.shows]).toEqual([
      [elsewhere, { ...newBoardOptions, language: null, servers: ['two', 'events'], members: 'off' }],
    ]);
  });

  test.for(['rest-500', 'answer-500'])('is offered although Discord fails once (%s)', async (fault) => {
    await using bot = await startBot();
    bot.chat.setFault(fault, true, 1);
    const opened = await bot.manager.invoke(bot.channel, 'board create', []);
    const done = await bot.manager.submit(opened.interactionId, {});
    expect(said(done)).toBe(`✅ The live board is in <#${bot.channel}>.`);
  });

  test('that is refused offers the form again, as it was filled in, also after a restart', async () => {
    await using bot = await startBot();
    bot.shows.set(bot.channel, newBoardOptions);
    const opened = await bot.manager.invoke(bot.channel, 'board create', []);
    const all = { language: 'pt-BR', servers: Object.keys(serverNames), members: 'folded', names: 'off' };
    const refused = await bot.manager.submit(opened.interactionId, all);
    expect(said(refused)).toMatch(/already has a live board/);
    await bot.restart();
    const { message } = refused;
    if (message === null) throw new Error('no reply');
    const again = await bot.manager.press(message.id, button(message, 'Change and try again'));
    expect(held(again)).toEqual({ ...all, channel: bot.channel, servers: all.servers.join(' ') });
  });

  test('names no channel if its menu has none: in a voice channel, after a deletion', async () => {
    await using bot = await startBot();
    const voice = bot.chat.channels.find(({ type }) => type === ChannelType.GuildVoice)?.id ?? '';
    expect(held(await bot.manager.invoke(voice, 'board create', []))['channel']).toBe('');
    expect(held(await bot.manager.invoke(voice, 'setup', []))['channel']).toBe('');
    const channel = boardChannel(bot.chat);
    bot.shows.set(channel, newBoardOptions);
    const opened = await bot.manager.invoke(bot.channel, 'board create', []);
    const { message } = await bot.manager.submit(opened.interactionId, { channel });
    if (message === null) throw new Error('no reply');
    bot.chat.moderator.deleteChannel(channel);
    const again = await bot.manager.press(message.id, button(message, 'Change and try again'));
    expect(held(again)['channel']).toBe('');
  });

  test('with an option makes the board at once', async () => {
    await using bot = await startBot();
    const done = await bot.manager.invoke(bot.channel, 'board create', [{ name: 'members', value: 'on' }]);
    expect(done.form).toBeNull();
    expect(bot.changes).toEqual([{ members: 'on' }]);
  });
});

describe('/board edit', () => {
  const some: BoardOptions = {
    ...newBoardOptions,
    ...{ language: 'de', servers: ['one', 'two'], members: 'on', names: 'on' },
  };

  test('without options is a form that holds what the board of this channel shows', async () => {
    await using bot = await startBot();
    bot.shows.set(bot.channel, some);
    const opened = await bot.manager.invoke(bot.channel, 'board edit', []);
    expect(held(opened)).toEqual({
      ...{ language: 'de', servers: 'one two', members: 'on', names: 'on' },
    });
    const here = bot.chat.channels.find(({ id }) => id === bot.channel)?.name;
    expect(opened.form?.title).toMatch(new RegExp(`^#${here} · Change what`));
    const done = await bot.manager.submit(opened.interactionId, { servers: [], names: 'off' });
    expect(bot.changes).toEqual([{ servers: null, names: 'off' }]);
    expect(said(done)).toMatch(/^✅ <#\d+> now shows: /);
  });

  test('with a channel alone is the form of its board, and changes that from anywhere', async () => {
    await using bot = await startBot();
    const place = boardChannel(bot.chat);
    bot.shows.set(bot.channel, newBoardOptions).set(place, some);
    const opened = await bot.manager.invoke(bot.channel, 'board edit', [{ name: 'channel', value: place }]);
    expect(held(opened)).toMatchObject({ servers: 'one two' });
    const name = bot.chat.channels.find(({ id }) => id === place)?.name;
    expect(opened.form?.title).toMatch(new RegExp(`^#${name} · Change`));
    await bot.restart();
    await bot.manager.submit(opened.interactionId, { members: 'off' });
    expect(bot.shows.get(place)).toEqual({ ...some, members: 'off' });
    expect(bot.shows.get(bot.channel)).toEqual(newBoardOptions);
  });

  test('opens the only board, from any channel', async () => {
    await using bot = await startBot();
    const place = boardChannel(bot.chat);
    bot.shows.set(place, some);
    const opened = await bot.manager.invoke(bot.channel, 'board edit', []);
    expect(held(opened)).toMatchObject({ servers: 'one two' });
    await bot.manager.submit(opened.interactionId, { members: 'off' });
    expect([...bot.shows]).toEqual([[place, { ...some, members: 'off' }]]);
  });

  test('offers a menu of boards, whose choice opens the form even after a restart', async () => {
    await using bot = await startBot();
    const places = bot.chat.channels.filter(
      ({ id, type }) => type === ChannelType.GuildText && id !== bot.channel,
    );
    const [first, second] = places;
    if (first === undefined || second === undefined) throw new Error('too few channels');
    bot.shows.set(first.id, newBoardOptions).set(second.id, some);
    const { form, message } = await bot.manager.invoke(bot.channel, 'board edit', []);
    if (message === null) throw new Error('no reply');
    expect(form).toBeNull();
    expect(readable(message)).toContain('There are several live boards. Which one?');
    expect(JSON.stringify(message.components)).toContain(`"label":"#${second.name}","value":"${second.id}"`);
    await bot.restart();
    const [menu] = controls(message);
    const opened = await bot.manager.press(message.id, menu?.customId ?? '', [second.id]);
    expect(held(opened)).toMatchObject({ language: 'de', servers: 'one two' });
    await bot.manager.submit(opened.interactionId, { names: 'off' });
    expect(bot.shows.get(second.id)).toEqual({ ...some, names: 'off' });
    expect(bot.shows.get(first.id)).toEqual(newBoardOptions);
  });

  test('is one press away from the board that is chosen below the list, in its message', async () => {
    await using bot = await startBot();
    bot.shows.set(bot.channel, some);
    const { message } = await bot.manager.invoke(bot.channel, 'board list', []);
    if (message === null) throw new Error('no reply');
    const [menu] = controls(message);
    const one = await bot.manager.press(message.id, menu?.customId ?? '', [bot.channel]);
    expect([one.acknowledged, one.message?.id]).toEqual(['updated', message.id]);
    if (one.message === null) throw new Error('no change');
    const opened = await bot.manager.press(message.id, button(one.message, 'Change'));
    expect(held(opened)).toMatchObject({ language: 'de', servers: 'one two' });
    await bot.manager.submit(opened.interactionId, { members: 'off' });
    expect(bot.shows.get(bot.channel)).toEqual({ ...some, members: 'off' });
  });

  test('leaves alone what somebody else has changed while the form was open', async () => {
    await using bot = await startBot();
    bot.shows.set(bot.channel, some);
    const opened = await bot.manager.invoke(bot.channel, 'board edit', []);
    bot.shows.set(bot.channel, { ...some, language: 'fr', servers: null });
    await bot.manager.submit(opened.interactionId, { names: 'off' });
    expect(bot.shows.get(bot.channel)).toEqual({ ...some, language: 'fr', servers: null, names: 'off' });
  });

  test('holds all that a board can show, in the id of its window', async () => {
    await using bot = await startBot();
    const servers = Object.keys(serverNames);
    const most: BoardOptions = { ...some, language: 'es-419', servers, members: 'folded', names: 'off' };
    bot.shows.set(bot.channel, most);
    const opened = await bot.manager.invoke(bot.channel, 'board edit', []);
    expect(held(opened)['servers']).toBe(servers.join(' '));
    // Ids of channels get one digit more in 2090.
    expect((opened.form?.custom_id.length ?? 0) + 1).toBeLessThanOrEqual(100);
  });

  test('says so where there is no board, or none any more', async () => {
    await using bot = await startBot();
    const refused = await bot.manager.invoke(bot.channel, 'board edit', []);
    expect([refused.form, said(refused)]).toEqual([null, expect.stringContaining('no live board in')]);
    bot.shows.set(bot.channel, some);
    const opened = await bot.manager.invoke(bot.channel, 'board edit', []);
    bot.shows.clear();
    const gone = await bot.manager.submit(opened.interactionId, { names: 'off' });
    expect(said(gone)).toContain('no live board in');
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
    for (const field of Object.values(form.fields)) {
      if (field.kind === 'kept') continue;
      const { label, hint } = field;
      expect(t(label).length, t(label)).toBeLessThanOrEqual(45);
      if (hint !== undefined) expect(t(hint).length, t(hint)).toBeLessThanOrEqual(100);
      if (!('choices' in field)) continue;
      const texts = [...Object.values(field.choices), ...Object.values(field.explanations ?? {})];
      for (const text of texts) expect(t(text).length).toBeLessThanOrEqual(100);
    }
  });
});
