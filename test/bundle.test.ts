/** What `npm start` runs. */
import { globSync, readFileSync } from 'node:fs';
import { PermissionFlagsBits } from 'discord.js';
import { expect } from 'vitest';
import { currentBuild } from './support/bundle.ts';
import { boardChannel, guest, postedIn, test } from './support/sandbox.ts';

test('is ASCII: one other letter makes Node hold a whole file in two bytes a letter', () => {
  const files = globSync('**/*.js', { cwd: currentBuild() });
  expect(files).toContain('bot.js');
  const foreign = files.filter((file) =>
    readFileSync(new URL(file, currentBuild())).some((byte) => byte > 0x7f),
  );
  expect(foreign).toEqual([]);
});

test('keeps the names of classes, by which discord.js limits its caches', () => {
  const text = readFileSync(new URL('bot.js', currentBuild()), 'utf8');
  const anonymous = [...text.matchAll(/exports ?= ?class(?: extends (\w+))? ?{/g)].map(
    ([, parent]) => parent,
  );
  expect(text.match(/GuildMemberManager ?= ?class|class GuildMemberManager /g)).toHaveLength(1);
  expect(anonymous).not.toContain('CachedManager');
});

test('answers in another language', async ({ botProcess: _, chat }) => {
  // The first person in the community whose client is set to German.
  const german = guest(chat, chat.people[5] ?? '');
  expect((await german.ask('settings', {})).text).toContain('Einstellungen dieses Servers');
});

test('reads its rights in a channel, as the sources do', async ({ botProcess: _, chat, visitor }) => {
  const channel = boardChannel(chat);
  const deny = PermissionFlagsBits.EmbedLinks;
  chat.moderator.setOverwrite(channel, { id: chat.botId, type: 'member', allow: 0n, deny });
  await expect
    .poll(async () => (await visitor.ask('board create', { channel })).text)
    .toContain('Embed Links');
  chat.moderator.setOverwrite(channel, { id: chat.botId, type: 'member', allow: deny, deny: 0n });
  await expect
    .poll(async () => (await visitor.ask('board create', { channel })).text)
    .toContain('The live board is in');
  expect(postedIn(chat, channel)).toHaveLength(1);
});
