/** The real bot that is removed from a server, and the store of another application. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, vi } from 'vitest';
import { HOUR, SECOND } from '../../src/base/duration.ts';
import type { LocalChat } from '../../src/sandbox/chat/chat-server.ts';
import type { DataService } from '../../src/sandbox/service/data-service.ts';
import { type BotWithin, createBotWithin } from '../support/bot-within.ts';
import { startChatServer } from '../support/outside-judge.ts';
import { boardChannel, type Guest, guest, test } from '../support/sandbox.ts';

const eventually = (work: () => unknown) => vi.waitFor(work, { timeout: 30 * SECOND, interval: 100 });
const OTHER_APPLICATION = '900000000000000009';

/** What is stored in these collections. */
function readKeys({ folder }: BotWithin, ...collections: readonly string[]): readonly object[] {
  using database = new DatabaseSync(join(folder, 'store.sqlite'), { readOnly: true });
  const marks = collections.map(() => '?').join();
  return database
    .prepare(`SELECT collection, key FROM documents WHERE collection IN (${marks})`)
    .all(...collections);
}

const belongings = (bot: BotWithin): readonly object[] =>
  readKeys(
    bot,
    ...[
      'boards',
      'convoys',
      'convoy-sign-ups',
      'guild-settings',
      'recap-posts',
      'recap-post-makers',
      'role-rules',
      'watches',
    ],
  );

/** One of each kind. */
async function ownAll(chat: LocalChat, manager: Guest): Promise<void> {
  const channel = boardChannel(chat);
  const role = chat.roles.find(({ name }) => name === 'Police')?.id ?? '';
  await manager.fillIn('settings', { distances: 'miles' });
  await manager.ask('board create', { channel });
  await manager.ask('roles add', { role, requirement: 'member-days', 'at-least': 100 });
  await manager.ask('watch server', { server: 'one', drivers: 12, channel });
  const convoy = await manager.ask('convoy create', { title: 'Run', when: 'in 3 h', server: 'two' });
  await manager.press(convoy.message, 'Announce');
  const recap = await manager.ask('recap', { post: channel });
  await manager.press(recap.message, 'Post from now on');
}

/** Another application, which is in no server of the store, over the store of that bot. */
async function strangerOver(
  { folder }: BotWithin,
  dataService: DataService,
  settings: Readonly<Record<string, string>> = {},
) {
  const chat = await startChatServer({ botId: OTHER_APPLICATION });
  chat.kick(chat.guildId);
  const bot = await createBotWithin(chat, dataService, {
    STORE_URL: `sqlite://${join(folder, 'store.sqlite')}`,
    ...settings,
  });
  return {
    ...{ chat, bot },
    async [Symbol.asyncDispose]() {
      await bot[Symbol.asyncDispose]();
      await chat.close();
    },
  };
}

test('a server that removes the bot and invites it again after 12 s loses nothing', async ({
  dataService,
}) => {
  let ahead = 0;
  const later = () => ahead;
  const chat = await startChatServer({ now: () => Date.now() + ahead });
  onTestFinished(() => chat.close());
  await using bot = await createBotWithin(chat, dataService, {}, { later });
  await bot.start();
  const manager = guest(chat, chat.people[0] ?? '');
  await ownAll(chat, manager);
  const before = belongings(bot);
  expect(new Set(before.map((one) => Object.values(one)[0])).size).toBe(8);

  // A store that does not name its application keeps everything, so that nothing would be noted.
  await eventually(() => expect(readKeys(bot, 'application')).toHaveLength(1));
  const invite = chat.kick(chat.guildId);
  await eventually(() => expect(bot.output).toContain('the bot is no longer in a server'));
  expect(bot.output).toMatch(
    /"kinds":\["boards","settings","alerts","roles","convoys","recap"\],"until":"20\d\d-/,
  );
  ahead = 12 * SECOND;
  invite();
  await bot.stop();
  await bot.start();
  await eventually(() => expect(bot.output).toContain('the bot is in a server again'));
  expect(belongings(bot)).toEqual(before);
  // A manager gets the form in its place.
  const reader = guest(chat, chat.people[3] ?? '');
  expect((await reader.ask('settings', {})).text).toContain('Miles');
  for (const list of ['watch list', 'board list'])
    await eventually(async () => expect((await manager.ask(list, {})).text).not.toContain('channel is gone'));
});

test('the store of another application is refused, untouched, until it is handed over', async ({
  chat,
  dataService,
  bot,
  visitor,
}) => {
  await ownAll(chat, visitor);
  const before = belongings(bot);
  await bot.stop();
  {
    await using stranger = await strangerOver(bot, dataService);
    await expect(stranger.bot.start()).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining(
        `belongs to the application ${OTHER_APPLICATION}, and the store to the application ${chat.botId}`,
      ),
    });
    expect(stranger.chat.identifies).toEqual([]);
    expect(stranger.chat.requests.map(({ method }) => method)).not.toContain('PUT');
  }
  expect(belongings(bot)).toEqual(before);
  {
    const settings = { STORE_APPLICATION: OTHER_APPLICATION };
    await using stranger = await strangerOver(bot, dataService, settings);
    await stranger.bot.start();
    await eventually(() => expect(stranger.bot.output).toContain('the bot is no longer in a server'));
  }
  expect(belongings(bot)).toEqual(before);
  await expect(bot.start()).rejects.toMatchObject({ exitCode: 78 });
});

test('what a new server sets stays while the clock is two hours behind', async ({ chat, dataService }) => {
  await using bot = await createBotWithin(chat, dataService);
  await bot.start(-2 * HOUR);
  chat.addGuilds(1, { at: Date.now(), announced: false });
  const manager = guest(chat, chat.people[0] ?? '', chat.guilds.at(-1)?.channels);
  const role = chat.roles.find(({ name }) => name === 'Police')?.id ?? '';
  await manager.ask('roles add', { role, requirement: 'member-days', 'at-least': 100 });
  await manager.ask('watch server', { server: 'one', drivers: 12, channel: manager.channelId });
  const before = belongings(bot);
  expect(before).toHaveLength(2);
  await eventually(async () => expect((await manager.ask('roles list', {})).text).toContain('Last checked'));
  await bot.stop();
  await bot.start(-2 * HOUR);
  await eventually(async () => expect((await manager.ask('roles list', {})).text).toContain('Last checked'));
  expect(belongings(bot)).toEqual(before);
});
