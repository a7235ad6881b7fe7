/** Several shards as one connection, over a local chat server. */
import { ChannelType } from 'discord.js';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { type Connection, createConnection } from '../../src/discord/connection.ts';
import type { LocalChat } from '../../src/sandbox/chat/chat-server.ts';
import { hasGuild, type Shard } from '../../src/store/shards/shard.ts';
import { startChatServer } from '../support/outside-judge.ts';
import { tap } from '../support/tap.ts';

const shards: readonly Shard[] = [0, 1, 2].map((id) => ({ id, count: 3 }));
const log = createLog({ level: 'silent', secrets: [] });
let chat: LocalChat;
let connection: Connection;

beforeAll(async () => {
  chat = await startChatServer({ guilds: 12, shards: 3, maxConcurrency: 3 });
  connection = createConnection({ token: chat.token, apiUrl: chat.apiUrl, log });
  const connected = Promise.withResolvers<void>();
  connection.onAccess(() => {
    if (connection.gatewayState().shards === shards.length) connected.resolve();
  });
  await connection.connect(shards);
  await connected.promise;
});
afterAll(async () => {
  await connection.close();
  await chat.close();
});

const guildOn = (shard: Shard) =>
  chat.guilds.find(({ id }) => hasGuild(shard, id)) ?? expect.fail('no guild');
const channelOf = (shard: Shard): readonly [string, string] => [
  guildOn(shard).id,
  guildOn(shard).channels[0]?.id ?? '',
];

test('each shard identifies once with its number; the gateway is asked once for all', () => {
  expect(chat.sessions.map(({ shard }) => shard?.[0]).toSorted()).toEqual([0, 1, 2]);
  expect(chat.identifies.map(({ shard: [id], outcome }) => `${id} ${outcome}`).toSorted()).toEqual([
    '0 ready',
    '1 ready',
    '2 ready',
  ]);
  expect(chat.requests.filter(({ path }) => path.endsWith('/gateway/bot'))).toHaveLength(1);
});

test.each(['auto', '0-1/2'])('the variable SHARDS is ours alone, here %s', (value) => {
  vi.stubEnv('SHARDS', value);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => createConnection({ token: chat.token, apiUrl: chat.apiUrl, log })).not.toThrow();
});

test('permissions are known of the guilds of all shards', () => {
  for (const shard of shards) {
    const [guildId, channelId] = channelOf(shard);
    expect(connection.access(guildId, channelId)).toEqual({ kind: 'open' });
    const all = guildOn(shard).channels.map(({ id }) => id);
    const open = all.filter((id) => connection.access(guildId, id).kind === 'open');
    expect(connection.writable(guildId).toSorted()).toEqual(open.toSorted());
  }
  expect(connection.writable('1')).toEqual([]);
  expect([connection.isThere(chat.guildId), connection.isThere('1')]).toEqual([true, false]);
  expect(connection.gatewayState()).toMatchObject({ shards: 3, ready: 3, guilds: 12 });
});

test('counts what was made an hour before it joined to this stay, since clocks differ', async () => {
  const joined = Date.parse('2026-11-01T12:00Z');
  const before = new Set(chat.guilds.map(({ id }) => id));
  chat.addGuilds(1, { at: joined, announced: true });
  const added = chat.guilds.find(({ id }) => !before.has(id))?.id ?? '';
  await expect.poll(() => connection.isThere(added)).toBe(true);
  expect(connection.stayedSince(added)).toBe(joined);
  expect(connection.stayedSince('1')).toBe(Number.POSITIVE_INFINITY);
});

test('the line below the name is shown on every shard', async () => {
  let shown = 0;
  const stop = chat.subscribe((event) => {
    if (event.type === 'payload' && event.method === 'PRESENCE_UPDATE') shown += 1;
  });
  connection.showStatus('12 driving');
  await expect.poll(() => shown).toBe(3);
  expect(chat.presence?.activities?.[0]?.state).toBe('12 driving');
  stop();
});

/** A connection of its own that answers one command, until the end of the test. */
async function startOwn() {
  const chat = await startChatServer();
  const own = createConnection({ token: chat.token, apiUrl: chat.apiUrl, log });
  onTestFinished(async () => {
    await own.close();
    await chat.close();
  });
  const body = [{ name: 'ping', description: 'Answers' }];
  await own.rest.put(`/applications/${chat.botId}/commands`, { body });
  const channel = chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '';
  await own.connect([{ id: 0, count: 1 }]);
  return { chat, own, channel, ask: () => chat.visitor(chat.people[0] ?? '').invoke(channel, 'ping', []) };
}

test('guilds are unavailable once the connection is given up, and requests continue', async () => {
  const { chat, own, channel } = await startOwn();
  expect(own.access(chat.guildId, channel)).toEqual({ kind: 'open' });
  await own.close();
  // Not "no such channel", which would end a board there.
  expect(own.access(chat.guildId, channel)).toEqual({ kind: 'unavailable' });
  expect(own.isThere(chat.guildId)).toBe(false);
  await own.rest.get('/users/@me');
  expect(await own.application()).toMatchObject({ id: chat.botId });
});

test('what was asked before the connection is given up is still answered', async () => {
  const { own, ask } = await startOwn();
  const replied = Promise.withResolvers<unknown>();
  own.onInteraction((interaction) => {
    void own.close();
    if (interaction.isRepliable()) replied.resolve(interaction.reply('pong'));
  });
  expect((await ask()).message?.content).toBe('pong');
  await replied.promise;
});

test('what was asked before anyone answers waits, and knows when it came', async () => {
  const { chat, own, channel, ask } = await startOwn();
  const { promise: arrived, resolve } = Promise.withResolvers<number>();
  const asked = ask();
  // Comes over the same line, after it.
  own.onAccess(() => resolve(systemClock.monotonic()));
  chat.moderator.setTopic(channel, 'after');
  const latest = await arrived;
  const came: number[] = [];
  own.onInteraction((interaction, arrivedAt) => {
    came.push(arrivedAt);
    if (interaction.isRepliable()) void interaction.reply('pong');
  });
  expect(came).toHaveLength(1);
  expect(came[0]).toBeLessThanOrEqual(latest);
  expect((await asked).message?.content).toBe('pong');
});

test('answers do not wait for the requests that Discord counts', async () => {
  const { own, ask } = await startOwn();
  const done: string[] = [];
  own.onInteraction(async (interaction) => {
    if (!interaction.isRepliable()) return;
    await interaction.deferReply();
    await interaction.editReply('pong');
    done.push('answer');
  });
  // More than Discord allows in a second.
  const counted = Array.from({ length: 60 }, () =>
    own.rest.get('/users/@me').then(() => done.push('counted')),
  );
  await counted[0];
  for (let time = 0; time < 4; time += 1) void ask();
  await Promise.all(counted);
  expect(done.slice(0, -1).filter((what) => what === 'answer')).toHaveLength(4);
});

test('a connection that is given up while it waits to log in is not made', async () => {
  const busy = await startChatServer({ shards: 2, identifiesPerDay: 20 });
  const lines: string[] = [];
  const late = createConnection({
    ...{ token: busy.token, apiUrl: busy.apiUrl },
    log: createLog({ level: 'warn', secrets: [], stream: { write: (line) => lines.push(line) } }),
  });
  const connecting = late.connect([{ id: 0, count: 2 }]).catch((error: unknown) => error);
  // Greeted by Discord, which would reset the token of a bot that logs in once too often.
  await expect.poll(() => lines.join('')).toContain('too few are left today');
  await late.close();
  expect(await connecting).toBeInstanceOf(Error);
  expect(busy.identifies).toEqual([]);
  await busy.close();
});

test('a thread is no place for a board, however often Discord speaks of it', async () => {
  const between = await tap(chat);
  const own = createConnection({ token: chat.token, apiUrl: between.apiUrl, log });
  await own.connect([{ id: 0, count: 1 }]);
  const [text] = chat.channels;
  const guild_id = chat.guildId;
  const thread = {
    ...{ id: '900000000000000001', guild_id, parent_id: text?.id, name: 'a thread', type: 11 },
    ...{ owner_id: chat.botId, member_count: 1, message_count: 1 },
    thread_metadata: {
      archived: false,
      auto_archive_duration: 1440,
      archive_timestamp: '2026-01-01T00:00:00Z',
    },
  };
  for (let time = 0; time < 2; time += 1) between.inject('THREAD_CREATE', thread);
  const later = { ...text, id: '900000000000000002', guild_id };
  between.inject('CHANNEL_CREATE', later);
  await expect.poll(() => own.access(guild_id, later.id)).toEqual({ kind: 'open' });
  expect(own.access(guild_id, thread.id)).toEqual({ kind: 'unknown-channel' });
  await own.close();
  await between.close();
});
