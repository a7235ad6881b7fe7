/** Shards of the local gateway, with discord.js as outside judge. */
import { once } from 'node:events';
import {
  type Client,
  Events,
  GatewayIntentBits,
  PermissionFlagsBits as Permission,
  REST,
  ShardClientUtil,
} from 'discord.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { ChatServerOptions, LocalChat } from '../../../../src/sandbox/chat/chat-server.ts';
import { startChatServer } from '../../../support/outside-judge.ts';
import { COMMANDS, newClient, ready, slash } from '../support/chat-test.ts';

const PLAYER = [{ name: 'player', value: 'tom' }];
const INTENTS = GatewayIntentBits.Guilds;

async function started(options: ChatServerOptions): Promise<LocalChat> {
  const chat = await startChatServer(options);
  onTestFinished(() => chat.close());
  return chat;
}

async function connected(
  chat: LocalChat,
  options: Parameters<typeof newClient>[1] = {},
): Promise<Client<true>> {
  const client = await ready(newClient(chat, options), chat.token);
  onTestFinished(() => client.destroy());
  return client;
}

const Frame = z.object({ op: z.int(), d: z.unknown(), t: z.string().nullable() });

/** Identifies over a bare socket: the frames after HELLO and the code that the socket is closed with. */
async function identified(chat: LocalChat, shard: readonly number[] | undefined, more = {}) {
  const socket = new WebSocket(`${chat.apiUrl.replace('http', 'ws').replace('/api', '')}/gateway`);
  const frames: z.output<typeof Frame>[] = [];
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener('close', ({ code }) => resolve(code));
  });
  await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
  const answered = new Promise<void>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      frames.push(Frame.parse(JSON.parse(String(data))));
      resolve();
    });
  });
  const d = { token: chat.token, intents: INTENTS, properties: {}, ...(shard && { shard }), ...more };
  socket.send(JSON.stringify({ op: 2, d }));
  await Promise.race([answered, closed]);
  onTestFinished(() => socket.close());
  return { socket, frames, closed };
}

async function gatewayBot(chat: LocalChat): Promise<unknown> {
  return restOf(chat).get('/gateway/bot');
}

function restOf(chat: LocalChat): REST {
  return new REST({ api: chat.apiUrl }).setToken(chat.token);
}

describe('a client with several shards', () => {
  test('takes as many as are recommended and gets each guild on its own shard', async () => {
    const chat = await started({ guilds: 20, shards: 4, maxConcurrency: 4, identifySpacing: 5000 });
    const client = await connected(chat, { shards: 'auto', waitGuildTimeout: 60_000 });
    expect(client.ws.shards.map(({ id }) => id).toSorted()).toEqual([0, 1, 2, 3]);
    expect(chat.sessions.map(({ shard }) => shard).toSorted()).toEqual([
      [0, 4],
      [1, 4],
      [2, 4],
      [3, 4],
    ]);
    expect([...client.guilds.cache.keys()].toSorted()).toEqual(chat.guilds.map(({ id }) => id).toSorted());
    for (const guild of client.guilds.cache.values()) {
      expect(guild.shardId).toBe(ShardClientUtil.shardIdForGuildId(guild.id, 4));
      expect(guild.channels.cache.size).toBeGreaterThanOrEqual(2);
      expect(guild.members.me?.permissions.has('SendMessages')).toBe(true);
    }
    expect(new Set(client.guilds.cache.map(({ shardId }) => shardId)).size).toBe(4);
  });

  test("gets an interaction on its guild's shard, one of a direct message on the first", async () => {
    const chat = await started({ guilds: 9, maxConcurrency: 4 });
    const client = await connected(chat, { shards: [0, 1, 2, 3], shardCount: 4 });
    await client.application.commands.set(COMMANDS);
    client.on(
      Events.InteractionCreate,
      (interaction) => void slash(interaction).reply(`${interaction.guildId}`),
    );
    const [person = ''] = chat.people;
    for (const { id, channels } of chat.guilds) {
      const { message, interactionId } = await chat
        .visitor(person)
        .invoke(channels[0]?.id ?? '', 'profile', PLAYER);
      expect(message?.content).toBe(id);
      const reached = chat.deliveries.filter((one) => one.interactionId === interactionId);
      expect(reached.map(({ session, live }) => [session.shard, live])).toEqual([
        [[ShardClientUtil.shardIdForGuildId(id, 4), 4], true],
      ]);
    }
    const direct = await chat.visitor(person).invoke(chat.directChannel(person), 'profile', PLAYER);
    expect(direct.message?.content).toBe('null');
    expect(chat.deliveries.at(-1)?.session.shard).toEqual([0, 4]);
  });

  test('keeps messages of guilds apart, with rights as in the community', async () => {
    const chat = await started({ guilds: 3 });
    const client = await connected(chat);
    const [, { channels = [] } = {}, other] = chat.guilds;
    const channel = await client.channels.fetch(channels[1]?.id ?? '');
    if (channel?.isSendable() !== true) throw new Error('no channel to write in');
    const sent = await channel.send('here');
    expect(
      chat
        .visitor(chat.people[2] ?? '')
        .messages(channel.id)
        .map(({ id }) => id),
    ).toEqual([sent.id]);
    expect(chat.visitor(chat.people[2] ?? '').messages(other?.channels[1]?.id ?? '')).toEqual([]);
    await sent.edit('there');
    chat.moderator.setOverwrite(channel.id, {
      id: chat.botId,
      type: 'member',
      allow: 0n,
      deny: Permission.SendMessages,
    });
    await expect(channel.send('again')).rejects.toMatchObject({ code: 50013 });
  });
});

test('every session of a shard gets its events, whatever counts the others have', async () => {
  const chat = await started({ guilds: 2 });
  const [main] = chat.guilds;
  const home = ShardClientUtil.shardIdForGuildId(main?.id ?? '', 3);
  const sockets = [
    await identified(chat, [home, 3]),
    await identified(chat, [home, 3]),
    await identified(chat, [(home + 1) % 3, 3]),
    await identified(chat, undefined),
  ];
  const client = await connected(chat, { shards: [1], shardCount: 2 });
  await client.application.commands.set(COMMANDS);
  void chat.visitor(chat.people[0] ?? '').invoke(main?.channels[0]?.id ?? '', 'profile', PLAYER);
  const expected = ShardClientUtil.shardIdForGuildId(main?.id ?? '', 2) === 1 ? 4 : 3;
  expect(chat.deliveries).toHaveLength(expected);
  await expect
    .poll(() => sockets.map(({ frames }) => frames.some(({ t }) => t === 'INTERACTION_CREATE')))
    .toEqual([true, true, false, true]);
});

describe('READY', () => {
  test('names the guilds of the shard, which then come one by one', async () => {
    const chat = await started({ guilds: 11 });
    const { frames } = await identified(chat, [1, 3]);
    const ids = chat.guilds
      .map(({ id }) => id)
      .filter((id) => ShardClientUtil.shardIdForGuildId(id, 3) === 1);
    await expect.poll(() => frames).toHaveLength(1 + ids.length);
    expect(frames[0]?.d).toMatchObject({
      shard: [1, 3],
      guilds: ids.map((id) => ({ id, unavailable: true })),
    });
    expect(frames.slice(1).map(({ t, d }) => [t, z.object({ id: z.string() }).parse(d).id])).toEqual(
      ids.map((id) => ['GUILD_CREATE', id]),
    );
  });

  test('is followed by the guilds that come later', async () => {
    const chat = await started({});
    const client = await connected(chat);
    const joined = once(client, Events.GuildCreate);
    chat.addGuilds(1);
    expect((await joined)[0]).toMatchObject({ id: chat.guilds[1]?.id });
  });
});

describe('a refused shard', () => {
  test.each([
    ['that is not one of its count', [4, 4], 4010],
    ['below zero', [-1, 4], 4010],
    ['of none', [0, 0], 4010],
    ['that is no pair', [0], 4002],
  ])('%s', async (_what, shard, code) => {
    const chat = await started({});
    expect(await (await identified(chat, shard)).closed).toBe(code);
  });

  test('of more than 2500 guilds has to be divided', async () => {
    const chat = await started({ guilds: 2501 });
    expect(await (await identified(chat, undefined)).closed).toBe(4011);
    expect(await (await identified(chat, [0, 1])).closed).toBe(4011);
    expect((await identified(chat, [0, 2])).frames[0]?.t).toBe('READY');
    expect(await gatewayBot(chat)).toMatchObject({ shards: 3 });
  });
});

describe('identifying', () => {
  test('too fast is refused with INVALID_SESSION, bucket by bucket', async () => {
    const chat = await started({ maxConcurrency: 2, identifySpacing: 60_000 });
    const outcomes = [];
    for (const id of [0, 1, 2, 3]) outcomes.push((await identified(chat, [id, 4])).frames[0]);
    expect(outcomes).toMatchObject([
      { t: 'READY' },
      { t: 'READY' },
      { op: 9, d: false },
      { op: 9, d: false },
    ]);
    expect(chat.identifies.map(({ shard, outcome }) => [shard[0], outcome])).toEqual([
      [0, 'ready'],
      [1, 'ready'],
      [2, 'invalid-session'],
      [3, 'invalid-session'],
    ]);
  });

  test('is tried again by discord.js after INVALID_SESSION', async () => {
    const chat = await started({ identifySpacing: 300 });
    await connected(chat, {
      shardCount: 2,
      // One that waits for nothing.
      ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }) },
    });
    expect(chat.sessions).toHaveLength(2);
    expect(chat.identifies.map(({ outcome }) => outcome)).toContain('invalid-session');
  });

  test('spends the budget of the day, which resuming does not', async () => {
    const ahead = { ms: 0 };
    const chat = await started({ now: () => Date.now() + ahead.ms, maxConcurrency: 16 });
    const client = await connected(chat);
    const resumed = once(client, Events.ShardResume);
    chat.setFault('gateway-drop', true);
    await resumed;
    const limit = (remaining: number) => ({
      session_start_limit: { total: 1000, remaining, max_concurrency: 16 },
    });
    expect(await gatewayBot(chat)).toMatchObject(limit(999));
    // Whatever comes of it.
    await (await identified(chat, [1, 1])).closed;
    expect(await gatewayBot(chat)).toMatchObject(limit(998));
    ahead.ms = 24 * 60 * 60_000;
    expect(await gatewayBot(chat)).toMatchObject(limit(1000));
  });

  test('once more than the budget resets the token and ends every session', async () => {
    const chat = await started({ identifiesPerDay: 2 });
    const first = await identified(chat, [0, 2]);
    await identified(chat, [1, 2]);
    expect(chat.sessions).toHaveLength(2);
    const last = await identified(chat, [1, 2]);
    expect([await first.closed, await last.closed]).toEqual([4004, 4004]);
    expect(await (await identified(chat, [0, 2])).closed).toBe(4004);
    await expect(gatewayBot(chat)).rejects.toMatchObject({ status: 401 });
    expect(chat.identifies.map(({ outcome }) => outcome)).toEqual(['ready', 'ready', 4004]);
  });
});

test('copies of the bot with addresses of their own are told apart', async () => {
  const chat = await started({});
  const client = await connected(chat, { rest: { api: chat.apiUrlOf('second') } });
  await identified(chat, undefined);
  expect(chat.sessions.map(({ copy }) => copy)).toEqual(['second', null]);
  expect(chat.identifies.map(({ copy }) => copy)).toEqual(['second', null]);
  await client.application.fetch();
  expect(chat.requests.at(-1)).toMatchObject({ path: '/applications/@me', copy: 'second', status: 200 });
});
