/** Alerts, by the real bot over the sandbox. */
import { type APIMessage, PermissionFlagsBits } from 'discord.js';
import { describe, expect, vi } from 'vitest';
import { z } from 'zod';
import type { LocalChat } from '../../../src/sandbox/chat/chat-server.ts';
import type { DataService } from '../../../src/sandbox/service/data-service.ts';
import { type BotWithin, createBotWithin } from '../../support/bot-within.ts';
import { boardChannel, evening, postedIn, test as sandbox } from '../../support/sandbox.ts';

/** In ms. */
const LOOK_EVERY = 1000;

/** The bot lives in the evening of its data service, and looks at what is watched once a second. */
const test = sandbox.extend<{ watcher: BotWithin }>({
  watcher: async ({ chat, dataService }, use) => {
    await using bot = await createBotWithin(chat, dataService, {}, { watchEvery: LOOK_EVERY });
    await start(bot);
    await use(bot);
  },
});

function start(bot: BotWithin): Promise<void> {
  return bot.start(Math.round(evening()() - Date.now()));
}

/** What the bot has written to a person directly. */
function received(chat: LocalChat, personId: string): readonly APIMessage[] {
  const messages = chat.visitor(personId).messages(chat.directChannel(personId));
  return messages.filter(({ author, interaction_metadata: reply }) => author.bot === true && !reply);
}

function only<One>(all: readonly One[]): One {
  const [one, ...more] = all;
  if (one === undefined || more.length > 0) throw new Error(`there are ${all.length}`);
  return one;
}

const Roles = z.array(z.object({ id: z.string(), name: z.string() }));

async function roleOf({ apiUrl, guildId, token }: LocalChat): Promise<string> {
  const headers = { authorization: `Bot ${token}` };
  const answer = await fetch(`${apiUrl}/v10/guilds/${guildId}/roles`, { headers });
  return Roles.parse(await answer.json()).find(({ name }) => name === 'Police')?.id ?? '';
}

const Live = z.object({ players: z.record(z.string(), z.unknown()) });

/** How many are driving on server One. */
async function driving({ url }: DataService): Promise<number> {
  const answer = await fetch(`${url}/json/status_one.json`);
  return Object.keys(Live.parse(await answer.json()).players).length;
}

/** Lets time pass in the game until more than `count` are driving. */
async function fill(dataService: DataService, count: number): Promise<void> {
  while ((await driving(dataService)) <= count) dataService.advance(300);
}

/** Of the later generation, which names them. */
const Names = z.object({ ps: z.record(z.string(), z.object({ un: z.string() })) });

/** Who is driving, by the live files. */
async function drivers({ url }: DataService): Promise<readonly string[]> {
  const files = await Promise.all(
    ['one', 'two', 'three', 'four'].map(async (server) => {
      const answer = await fetch(`${url}/json/status_${server}.json`);
      return Object.values(Names.parse(await answer.json()).ps);
    }),
  );
  return files.flat().map(({ un }) => un);
}

/** Lets time pass in the game until the driver is driving; some stay for seconds only, and have to come again. */
async function bringOn(dataService: DataService, driver: string): Promise<void> {
  while (!(await drivers(dataService)).includes(driver)) dataService.advance(60);
}

// Beside each other: each of them waits for what the bot does about once a second.
describe.concurrent('an alert', () => {
  test('comes once as a direct message; Stop ends it, after a restart too', async ({
    chat,
    dataService,
    watcher,
    visitor,
  }) => {
    const count = await driving(dataService);
    const set = await visitor.ask('watch server', { server: 'one', drivers: count + 1, 'at-night': true });
    expect(set.private).toBe(true);
    expect(set.text).toContain(`One: at least ${count + 1} drivers`);
    await fill(dataService, count);
    const alert = await vi.waitFor(() => only(received(chat, visitor.id)), 40_000);
    expect(alert.content).toMatch(/^🚗 \*\*One\*\* has \*\*\d+\*\* drivers · <t:\d+:R>$/);

    await watcher.crash();
    await start(watcher);
    await vi.waitFor(() => expect(watcher.output.match(/"msg":"ready"/g)).toHaveLength(2), 20_000);
    const told = await visitor.press(alert, 'Stop');
    expect(told.text).toContain('🔕 Stopped');
    expect((await visitor.ask('watch list', {})).text).toContain('No alerts yet');
    expect((await visitor.press(alert, 'Snooze')).text).toContain('already been removed');
    expect(received(chat, visitor.id)).toHaveLength(1);
    expect(watcher.output).not.toContain('"bug"');
  }, 60_000);

  test('comes when a driver comes on whom the live files name', async ({
    chat,
    dataService,
    watcher,
    visitor,
  }) => {
    dataService.setFault('later-generation', true);
    const there = await drivers(dataService);
    const player = dataService.drivers.find((driver) => !there.includes(driver)) ?? '';
    const set = await visitor.ask('watch driver', { player, 'at-night': true });
    expect(set.text).toContain(player);
    expect(set.text).not.toContain('True right now');
    const alert = await vi.waitFor(
      async () => {
        await bringOn(dataService, player);
        return only(received(chat, visitor.id));
      },
      { timeout: 40_000, interval: 500 },
    );
    expect(alert.content).toMatch(/^🟢 \*\*.+\*\* is online on \*\*(One|Two|Three|Four)\*\* · <t:\d+:R>$/);
    expect(alert.content).toContain(player);
    expect(watcher.output).not.toContain('"bug"');
  }, 60_000);

  test('that cannot be delivered is reported once, at the next command, and resumable', async ({
    chat,
    dataService,
    watcher,
    visitor,
  }) => {
    const count = await driving(dataService);
    await visitor.ask('watch server', { server: 'one', drivers: count + 1, 'at-night': true });
    chat.setFault('direct-closed', true);
    await fill(dataService, count);
    await vi.waitFor(() => expect(watcher.output).toContain('50007'), 20_000);

    const here = () =>
      chat
        .visitor(visitor.id)
        .messages(visitor.channelId)
        .map(({ content }) => content);
    const words = () => here().filter((content) => content.includes("couldn't send you an alert"));
    await visitor.ask('budget', {});
    await vi.waitFor(() => expect(words()).toHaveLength(1), 20_000);
    const list = await visitor.ask('watch list', {});
    expect(list.text).toContain("you don't accept my direct messages");
    chat.setFault('direct-closed', false);
    expect((await visitor.press(list.message, 'Resume')).text).toContain('on again');
    expect((await visitor.ask('watch list', {})).text).not.toContain('paused');
    expect(words()).toHaveLength(1);
  }, 60_000);

  test('in a channel is for those who manage the server, and pings the chosen role alone', async ({
    chat,
    dataService,
    watcher: _,
    visitor: manager,
    neighbour,
  }) => {
    const channel = boardChannel(chat);
    const count = await driving(dataService);
    const wanted = { server: 'one', drivers: count + 1, 'at-night': true, channel };
    expect((await neighbour.ask('watch server', wanted)).text).toMatch(/Manage Server/);
    expect((await manager.ask('watch server', { ...wanted, server: 'two' })).text).toContain(`<#${channel}>`);
    const role = await roleOf(chat);
    await manager.ask('watch server', { ...wanted, ping: role });
    await fill(dataService, count);
    const alert = await vi.waitFor(() => only(postedIn(chat, channel)), 20_000);
    expect(alert.content).toContain(`<@&${role}>`);
    expect(alert).toMatchObject({ mention_roles: [role], mention_everyone: false });
    const foreign = await neighbour.press(alert, 'Stop');
    expect(foreign.text).toMatch(/Manage Server/);
    expect((await manager.press(alert, 'Snooze')).text).toContain('💤');
  }, 60_000);

  test('in a channel without the right waits, tells its maker, and resumes by itself', async ({
    chat,
    dataService,
    watcher,
    visitor,
  }) => {
    const channel = boardChannel(chat);
    const count = await driving(dataService);
    await visitor.ask('watch server', { server: 'one', drivers: count + 1, 'at-night': true, channel });
    const mute = { id: chat.botId, type: 'member', allow: 0n } as const;
    chat.moderator.setOverwrite(channel, { ...mute, deny: PermissionFlagsBits.SendMessages });
    await fill(dataService, count);
    const told = await vi.waitFor(() => only(received(chat, visitor.id)), 20_000);
    expect(told.content).toContain("I don't have permission to post in that channel");
    expect((await visitor.ask('watch list', {})).text).toContain('paused');
    const posts = () => chat.requests.filter(({ path }) => path.endsWith(`/channels/${channel}/messages`));
    expect(posts()).toEqual([]);
    chat.moderator.setOverwrite(channel, { ...mute, deny: 0n });
    await vi.waitFor(() => only(postedIn(chat, channel)), 20_000);
    expect((await visitor.ask('watch list', {})).text).not.toContain('paused');
    expect([posts().length, watcher.output.includes('"bug"')]).toEqual([1, false]);
  }, 60_000);
});
