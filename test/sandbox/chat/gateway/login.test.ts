import { once } from 'node:events';
import { Client, Events, GatewayIntentBits } from 'discord.js';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { newClient, ready, slash, test } from '../support/chat-test.ts';

const Frame = z.looseObject({ op: z.int(), t: z.string().nullish(), d: z.unknown() });

/** Lets an answered command prove that the live connection works. */
const PLAYER = [{ name: 'player', value: 'tom' }];

describe('logging in', () => {
  test('is done as soon as the guild is there, with its channels and the bot itself', async ({ chat }) => {
    // The client is ready without a guild after this time, which is longer than a test may take.
    const client = await ready(newClient(chat, { waitGuildTimeout: 60_000 }), chat.token);
    const guild = client.guilds.cache.get(chat.guildId);
    expect(guild?.available).toBe(true);
    expect(guild?.name).toBe(chat.guildName);
    expect(guild?.channels.cache.size).toBe(chat.channels.length);
    expect(guild?.members.me?.permissions.has('SendMessages')).toBe(true);
    expect(guild?.members.cache.size).toBe(1);
    await client.destroy();
  });

  test('with a wrong token is refused as TokenInvalid', async ({ chat }) => {
    const client = newClient(chat);
    await expect(client.login('wrong')).rejects.toMatchObject({ code: 'TokenInvalid' });
    await client.destroy();
  });

  test('with a token that only the gateway refuses closes with 4004', async ({ chat }) => {
    const socket = new WebSocket(`${chat.apiUrl.replace('http', 'ws').replace('/api', '')}/gateway`);
    await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
    const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve));
    socket.send(JSON.stringify({ op: 2, d: { token: 'wrong', intents: 1, properties: {} } }));
    expect((await closed).code).toBe(4004);
  });

  test("gives other libraries the fields they read: private channels, a resume's trace", async ({ chat }) => {
    const address = `${chat.apiUrl.replace('http', 'ws').replace('/api', '')}/gateway`;
    /** Logs in or resumes, and resolves with the event of that name. */
    const first = async (op: number, d: object, name: string): Promise<unknown> => {
      const socket = new WebSocket(address);
      const found = Promise.withResolvers<unknown>();
      socket.addEventListener('message', ({ data }) => {
        const frame = Frame.parse(JSON.parse(String(data)));
        if (frame.op === 10) socket.send(JSON.stringify({ op, d }));
        if (frame.t === name) found.resolve(frame.d);
      });
      const event = await found.promise;
      socket.close(4000);
      await once(socket, 'close');
      return event;
    };
    const presence = { activities: null, status: 'online', afk: false, since: null };
    const ready = await first(2, { token: chat.token, intents: 1, properties: {}, presence }, 'READY');
    expect(ready).toMatchObject({ private_channels: [] });
    const { session_id } = z.object({ session_id: z.string() }).parse(ready);
    expect(await first(6, { token: chat.token, session_id, seq: 1 }, 'RESUMED')).toEqual({ _trace: [] });
  });

  test('needs no token to learn the address, and no spelling of @me', async ({ chat }) => {
    const open = await fetch(`${chat.apiUrl}/v10/gateway`);
    expect(await open.json()).toMatchObject({ url: expect.stringMatching(/^ws:/) });
    const authorization = `Bot ${chat.token}`;
    for (const path of ['users/@me', 'users/%40me'])
      expect((await fetch(`${chat.apiUrl}/v10/${path}`, { headers: { authorization } })).status).toBe(200);
    expect((await fetch(`${chat.apiUrl}/v10/gateway/bot`)).status).toBe(401);
  });

  test('with intents that were not granted closes with 4014', async ({ chat }) => {
    const client = newClient(chat, { intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers] });
    await expect(client.login(chat.token)).rejects.toThrow(/disallowed intents/i);
    await client.destroy();
  });

  test('shows others the bot and what it is doing', async ({ chat, client }) => {
    const told = new Promise<void>((resolve) => {
      chat.subscribe((event) => {
        if (event.type === 'members' && chat.presence?.activities?.length === 1) resolve();
      });
    });
    client.user.setPresence({ status: 'idle', activities: [{ name: '73 of 160 driving', type: 3 }] });
    await told;
    expect(chat.presence).toMatchObject({ status: 'idle', activities: [{ name: '73 of 160 driving' }] });
    expect(chat.members.find(({ user }) => user.id === chat.botId)?.status).toBe('idle');
    const gone = new Promise<void>((resolve) => {
      chat.subscribe((event) => event.type === 'members' && chat.presence === null && resolve());
    });
    await client.destroy();
    await gone;
    expect(chat.members.find(({ user }) => user.id === chat.botId)?.status).toBe('offline');
  });
});

describe('a lost connection', () => {
  test('is resumed, and what was missed is replayed', async ({ chat, client, channel, visitor, answer }) => {
    answer((interaction) => slash(interaction).reply('here'));
    const resumed = once(client, Events.ShardResume);
    chat.setFault('gateway-drop', true);
    // Sent while nobody is connected: the replay brings it.
    const outcome = visitor.invoke(channel, 'profile', PLAYER);
    const [, replayed] = await resumed;
    // The interaction, and RESUMED itself.
    expect(replayed).toBe(2);
    expect((await outcome).message?.content).toBe('here');
    expect(chat.faults.find(({ name }) => name === 'gateway-drop')?.on).toBe(false);
  });

  test('is resumed when the server asks for it', async ({ chat, client, channel, visitor, answer }) => {
    answer((interaction) => slash(interaction).reply('here'));
    const resumed = once(client, Events.ShardResume);
    chat.setFault('gateway-reconnect', true);
    await resumed;
    expect((await visitor.invoke(channel, 'profile', PLAYER)).acknowledged).toBe('replied');
  });

  test('begins again when the session is lost', async ({ chat, client, channel, visitor, answer }) => {
    answer((interaction) => slash(interaction).reply('here'));
    const identified = new Promise<void>((resolve) => {
      chat.subscribe((event) => event.type === 'payload' && event.method === 'IDENTIFY' && resolve());
    });
    const again = once(client, Events.ShardReady);
    chat.setFault('gateway-invalid', true);
    await identified;
    await again;
    expect((await visitor.invoke(channel, 'profile', PLAYER)).acknowledged).toBe('replied');
  });

  test('that is closed with 4014 is not taken up again', async ({ chat, client }) => {
    const over = once(client, Events.ShardDisconnect);
    chat.disconnect(4014);
    expect((await over)[0]).toMatchObject({ code: 4014 });
  });
});

test('a guild that becomes unavailable and comes back is announced both times', async ({ chat, client }) => {
  const away = once(client, Events.GuildUnavailable);
  chat.setFault('guild-unavailable', true);
  await away;
  const back = once(client, Events.GuildAvailable);
  chat.setFault('guild-unavailable', false);
  await back;
  expect(client.guilds.cache.get(chat.guildId)?.available).toBe(true);
});

test('two copies of the bot get an interaction, and the second answer is refused', async ({
  chat,
  client,
  channel,
  visitor,
  answer,
}) => {
  const second = await ready(newClient(chat), chat.token);
  const codes: unknown[] = [];
  const reply = async (interaction: Parameters<Parameters<typeof answer>[0]>[0]) => {
    await slash(interaction)
      .reply('mine')
      .then(
        () => codes.push('said'),
        (error) => codes.push(error.code),
      );
  };
  const both = new Promise<void>((resolve) => {
    const done = () => codes.length === 2 && resolve();
    answer(async (interaction) => {
      await reply(interaction);
      done();
    });
    second.on(Events.InteractionCreate, async (interaction) => {
      await reply(interaction);
      done();
    });
  });
  expect((await visitor.invoke(channel, 'profile', PLAYER)).message?.content).toBe('mine');
  await both;
  expect(codes.toSorted()).toEqual([40060, 'said']);
  expect(client).toBeInstanceOf(Client);
  await second.destroy();
});
