/** Several shards as one connection, over a local chat server. */
import { ChannelType } from 'discord.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { type Connection, createConnection } from '../../src/discord/connection.ts';
import type { LocalChat } from '../../src/sandbox/chat/chat-server.ts';
import { hasGuild, type Shard, shardOf } from '../../src/shards/shard.ts';
import { startChatServer } from '../support/outside-judge.ts';
import { tap } from '../support/tap.ts';

const shards: readonly Shard[] = [0, 1, 2].map((id) => ({ id, count: 3 }));
const log = createLog({ level: 'silent', secrets: [] });
let chat: LocalChat;
let connection: Connection;
const pong = { body: { content: 'pong' }, files: [] };
const asked: string[] = [];

beforeAll(async () => {
  chat = await startChatServer({ guilds: 12, shards: 3, maxConcurrency: 3 });
  connection = createConnection({ token: chat.token, apiUrl: chat.apiUrl, log });
  connection.onInteraction(({ raw }) => void asked.push(raw.id));
  for (const shard of shards) await connection.connect(shard);
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
  expect(chat.identifies.map(({ shard: [id], outcome }) => [id, outcome])).toEqual([
    [0, 'ready'],
    [1, 'ready'],
    [2, 'ready'],
  ]);
  expect(chat.requests.filter(({ path }) => path.endsWith('/gateway/bot'))).toHaveLength(1);
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

test('the line below the name is shown on every shard, and on one that comes later', async () => {
  let shown = 0;
  const stop = chat.subscribe((event) => {
    if (event.type === 'payload' && event.method === 'PRESENCE_UPDATE') shown += 1;
  });
  connection.showStatus('12 driving');
  await expect.poll(() => shown).toBe(3);
  const [first] = shards;
  if (first === undefined) return;
  await connection.disconnect(first);
  await connection.connect(first);
  await expect.poll(() => shown).toBe(4);
  expect(chat.presence?.activities?.[0]?.state).toBe('12 driving');
  stop();
});

test('the guilds of a shard that is given up are unavailable, and the others continue', async () => {
  const [first, second] = shards;
  if (first === undefined || second === undefined) return;
  await connection.disconnect(first);
  // Not "no such channel", which would end a board there.
  expect(connection.access(...channelOf(first))).toEqual({ kind: 'unavailable' });
  expect(connection.isThere(guildOn(first).id)).toBe(false);
  expect(connection.access(...channelOf(second))).toEqual({ kind: 'open' });
  await connection.rest.get('/users/@me');
  expect(await connection.application()).toMatchObject({ id: chat.botId });
  await connection.connect(first);
  expect(connection.access(...channelOf(first))).toEqual({ kind: 'open' });
});

test('what was asked before a shard is given up is still answered', async () => {
  const own = createConnection({ token: chat.token, apiUrl: chat.apiUrl, log });
  const shard = shardOf(chat.guildId, 3);
  const body = [{ name: 'ping', description: 'Answers' }];
  await own.rest.put(`/applications/${chat.botId}/commands`, { body });
  const replied = Promise.withResolvers<unknown>();
  own.onInteraction((interaction) => {
    void own.disconnect(shard);
    replied.resolve(interaction.reply(pong));
  });
  await connection.disconnect(shard);
  await own.connect(shard);
  const channel = chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '';
  const { message } = await chat.visitor(chat.people[0] ?? '').invoke(channel, 'ping', []);
  expect(message?.content).toBe('pong');
  await replied.promise;
  await own.close();
});

test('what was asked before anyone answers waits, and knows when it came', async () => {
  const own = createConnection({ token: chat.token, apiUrl: chat.apiUrl, log });
  const shard = shardOf(chat.guildId, 3);
  const body = [{ name: 'ping', description: 'Answers' }];
  await own.rest.put(`/applications/${chat.botId}/commands`, { body });
  await connection.disconnect(shard);
  await own.connect(shard);
  const { promise: arrived, resolve } = Promise.withResolvers<number>();
  const channel = chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '';
  const asked = chat.visitor(chat.people[0] ?? '').invoke(channel, 'ping', []);
  // Comes over the same line, after it.
  own.onAccess(() => resolve(systemClock.monotonic()));
  chat.moderator.setTopic(channel, 'after');
  const latest = await arrived;
  const came: number[] = [];
  own.onInteraction((interaction, arrivedAt) => {
    came.push(arrivedAt);
    void interaction.reply(pong);
  });
  expect(came).toHaveLength(1);
  expect(came[0]).toBeLessThanOrEqual(latest);
  expect((await asked).message?.content).toBe('pong');
  await own.close();
});

test('answers do not wait for the requests that Discord counts', async () => {
  const own = createConnection({ token: chat.token, apiUrl: chat.apiUrl, log });
  const done: string[] = [];
  own.onInteraction(async (interaction) => {
    await interaction.deferReply(false);
    await interaction.editReply(pong);
    done.push('answer');
  });
  const body = [{ name: 'ping', description: 'Answers' }];
  await own.rest.put(`/applications/${chat.botId}/commands`, { body });
  const shard = shardOf(chat.guildId, 3);
  await connection.disconnect(shard);
  await own.connect(shard);
  // More than Discord allows in a second.
  const counted = Array.from({ length: 60 }, () =>
    own.rest.get('/users/@me').then(() => done.push('counted')),
  );
  await counted[0];
  const channel = chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '';
  const visitor = chat.visitor(chat.people[0] ?? '');
  for (let time = 0; time < 4; time += 1) void visitor.invoke(channel, 'ping', []);
  await Promise.all(counted);
  expect(done.slice(0, -1).filter((what) => what === 'answer')).toHaveLength(4);
  await own.close();
});

test('a shard that is given up while it waits to log in is not connected', async () => {
  const busy = await startChatServer({ shards: 2, identifiesPerDay: 20 });
  const lines: string[] = [];
  const late = createConnection({
    ...{ token: busy.token, apiUrl: busy.apiUrl },
    log: createLog({ level: 'warn', secrets: [], stream: { write: (line) => lines.push(line) } }),
  });
  const shard = { id: 0, count: 2 };
  const connecting = late.connect(shard).catch((error: unknown) => error);
  // Greeted by Discord, which would reset the token of a bot that logs in once too often.
  await expect.poll(() => lines.join('')).toContain('too few are left today');
  await late.disconnect(shard);
  expect(await connecting).toBeInstanceOf(Error);
  expect(busy.identifies).toEqual([]);
  await late.close();
  await busy.close();
});

test('a thread is no place for a board, however often Discord speaks of it', async () => {
  const between = await tap(chat);
  const own = createConnection({ token: chat.token, apiUrl: between.apiUrl, log });
  await own.connect({ id: 0, count: 1 });
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
