/** `/setup`: one form for the board, the language and the units; whatever fails, nothing that was filled in is lost. */
import { PermissionFlagsBits } from 'discord.js';
import { expect } from 'vitest';
import type { LocalChat } from '../../src/sandbox/chat/chat-server.ts';
import { startingValue } from '../../src/sandbox/chat/visitor/submitted-form.ts';
import type { Outcome } from '../../src/sandbox/chat/visitor/visitor.ts';
import { button, readable } from '../support/readable.ts';
import { boardChannel, postedIn, test } from '../support/sandbox.ts';

/** What the form holds, by field. */
function held({ form }: Outcome): Readonly<Record<string, string>> {
  const fields = form?.components.map(({ component }) => [component.custom_id, startingValue(component)]);
  return Object.fromEntries(fields ?? []);
}

function said({ message }: Outcome): string {
  return message === null ? '' : readable(message);
}

function forbidWriting(chat: LocalChat, channelId: string, isForbidden: boolean): void {
  const deny = isForbidden ? PermissionFlagsBits.EmbedLinks : 0n;
  chat.moderator.setOverwrite(channelId, { id: chat.botId, type: 'member', allow: 0n, deny });
}

test('one form makes the board and the settings', async ({ bot, chat, visitor: manager, neighbour }) => {
  void bot;
  const person = chat.visitor(manager.id);
  const place = boardChannel(chat);
  const opened = await person.invoke(manager.channelId, 'setup', []);
  expect(opened).toMatchObject({ acknowledged: 'form', form: { title: 'Set up Pitwall' } });
  expect(held(opened)).toEqual({
    ...{ channel: manager.channelId, language: 'reader', distances: 'kilometres', zone: '' },
  });

  const done = await person.submit(opened.interactionId, {
    channel: place,
    language: 'de',
    distances: 'miles',
    zone: 'berlin',
  });
  expect(said(done)).toMatch(/✅ Gespeichert\.\nZeitzone dieses Servers: [^\n]+\n✅ Das Live-Board steht in/);
  expect(postedIn(chat, place)).toHaveLength(1);
  expect((await neighbour.ask('settings', {})).text).toMatch(/Deutsch[\s\S]*Meilen[\s\S]*Europe\/Berlin/);
  // A second time it holds the board's channel, wherever it is typed, and only changes the settings.
  const again = await person.invoke(manager.channelId, 'setup', []);
  expect(held(again)).toEqual({ channel: place, language: 'de', distances: 'miles', zone: 'Europe/Berlin' });
  expect(said(await person.submit(again.interactionId, { language: 'en-GB', zone: '' }))).toContain(
    '✅ Saved.\n✅ The live board is in',
  );
  expect((await neighbour.ask('settings', {})).text).toMatch(/English[\s\S]*Miles[\s\S]*not set \(UTC\)/);
  expect(postedIn(chat, place)).toHaveLength(1);
});

test('makes no second board, even for a form that was opened before the first', async ({
  bot,
  chat,
  visitor: manager,
}) => {
  void bot;
  const person = chat.visitor(manager.id);
  const place = boardChannel(chat);
  const slow = await person.invoke(manager.channelId, 'setup', []);
  const quick = await person.invoke(manager.channelId, 'setup', []);
  await person.submit(quick.interactionId, { channel: place });
  expect(postedIn(chat, place)).toHaveLength(1);
  const late = said(await person.submit(slow.interactionId, { distances: 'miles' }));
  expect(late).toContain('✅ Saved.\nThere is already a live board in');
  const boards = async () => (await manager.ask('board list', {})).text.match(/<#\d+>/g);
  expect(late).toContain(`<#${place}>`);
  expect(await boards()).toEqual([`<#${place}>`]);
  const elsewhere = await person.invoke(manager.channelId, 'setup', []);
  const { channelId } = manager;
  expect(said(await person.submit(elsewhere.interactionId, { channel: channelId }))).toContain(
    'it stays there',
  );
  expect(await boards()).toEqual([`<#${place}>`]);

  // One whose channel is gone is in nobody's way.
  chat.moderator.deleteChannel(place);
  await expect.poll(async () => (await manager.ask('board list', {})).text).toContain('the channel is gone');
  const anew = await person.invoke(channelId, 'setup', []);
  expect(held(anew)).toMatchObject({ channel: channelId });
  expect(said(await person.submit(anew.interactionId, {}))).toContain('✅ The live board is in');
});

test('a time zone that there is not is refused before anything is saved', async ({
  bot,
  chat,
  visitor: manager,
  neighbour,
}) => {
  void bot;
  const person = chat.visitor(manager.id);
  const opened = await person.invoke(manager.channelId, 'setup', []);
  const filled = { channel: boardChannel(chat), distances: 'miles', zone: 'Middle Earth' };
  const refused = await person.submit(opened.interactionId, filled);
  expect(said(refused)).toContain('I know no city or time zone of that name');
  expect(postedIn(chat, boardChannel(chat))).toEqual([]);
  expect((await neighbour.ask('settings', {})).text).toContain('Kilometres');
});

test('sends and saves nothing without the permissions, and keeps the filled-in form', async ({
  bot,
  chat,
  visitor: manager,
  neighbour,
}) => {
  const person = chat.visitor(manager.id);
  const place = boardChannel(chat);
  forbidWriting(chat, place, true);
  const opened = await person.invoke(manager.channelId, 'setup', []);
  const filled = { channel: place, language: 'fr', distances: 'driver', zone: 'Europe/Paris' };
  const refused = await person.submit(opened.interactionId, filled);
  expect(said(refused)).toMatch(
    /Missing permissions in .*: \*\*Embed Links\*\*\. Grant them, then try again/,
  );
  expect(postedIn(chat, place)).toEqual([]);
  expect((await neighbour.ask('settings', {})).text).toMatch(/Each reader's own[\s\S]*Kilometres/);

  await bot.stop();
  await bot.start();
  const { message } = refused;
  if (message === null) throw new Error('no reply');
  const reopened = await person.press(message.id, button(message, 'Change and try again'));
  expect(held(reopened)).toEqual(filled);
  forbidWriting(chat, place, false);
  expect(said(await person.submit(reopened.interactionId, {}))).toContain('✅ Enregistré.');
  expect(postedIn(chat, place)).toHaveLength(1);
});

test('without Manage Server there is no form', async ({ bot, chat, neighbour }) => {
  void bot;
  chat.moderator.openCommand('setup');
  const refused = await chat.visitor(neighbour.id).invoke(neighbour.channelId, 'setup', []);
  expect(refused.form).toBeNull();
  expect(said(refused)).toBe('You need *Manage Server* for this.');
});

test('offers the form once to who invites the bot, also across restarts', async ({
  bot,
  chat,
  visitor: manager,
  neighbour,
}) => {
  await expect.poll(() => bot.output).toContain('"ready"');
  const person = chat.visitor(manager.id);
  chat.addGuilds(1);
  chat.addGuilds(1, { at: Date.now(), announced: true });
  const [, older, newer] = chat.guilds;
  const [hall = '', place = ''] = newer?.channels.map(({ id }) => id) ?? [];
  await expect.poll(() => person.messages(hall)).toHaveLength(1);
  const [offer] = person.messages(hall);
  if (offer === undefined) throw new Error('no offer');
  expect(offer.content).toMatch(/^Hi, I show who is driving/);

  await bot.stop();
  await bot.start();
  const refused = await chat.visitor(neighbour.id).press(offer.id, button(offer, 'Set up'));
  expect(said(refused)).toBe('You need *Manage Server* for this.');
  const opened = await person.press(offer.id, button(offer, 'Set up'));
  expect(held(opened)).toMatchObject({ channel: hall, language: 'reader' });
  expect(said(await person.submit(opened.interactionId, { channel: place }))).toContain('✅ Saved.');

  // One that was invited while the bot was down comes later than all that could have been sent twice.
  await bot.stop();
  chat.addGuilds(1, { at: Date.now(), announced: false });
  await bot.start();
  const direct = chat.directChannel(manager.id);
  await expect.poll(() => person.messages(direct)).toHaveLength(1);
  expect(person.messages(direct)[0]?.content).toMatch(/I'm now in \*\*.* 4\*\*\. Type `\/setup` there/);
  expect(person.messages(hall).filter(({ content }) => content === offer.content)).toHaveLength(1);
  for (const { id } of older?.channels ?? []) expect(person.messages(id)).toEqual([]);
});
