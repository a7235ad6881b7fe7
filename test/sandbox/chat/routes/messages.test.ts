import { once } from 'node:events';
import { ChannelType, DiscordAPIError, Events, GatewayIntentBits, PermissionFlagsBits } from 'discord.js';
import { describe, expect } from 'vitest';
import { complaintsAt, newClient, ready, test } from '../support/chat-test.ts';

const HOUR = 60 * 60_000;

describe('messages', () => {
  test('are sent, read, edited and deleted', async ({ client, channel, visitor }) => {
    const place = await client.channels.fetch(channel);
    if (place === null || !place.isSendable()) throw new Error('no channel to write in');
    const sent = await place.send({ embeds: [{ title: ' Servers ', description: 'all quiet' }] });
    expect(visitor.messages(channel)[0]?.embeds).toEqual([
      { type: 'rich', title: 'Servers', description: 'all quiet' },
    ]);
    expect((await place.messages.fetch({ message: sent.id, force: true })).embeds[0]?.title).toBe('Servers');
    await sent.edit({ content: 'changed', embeds: [] });
    expect(visitor.messages(channel)[0]).toMatchObject({ content: 'changed', embeds: [] });
    expect(visitor.messages(channel)[0]?.edited_timestamp).not.toBeNull();
    await sent.delete();
    expect(visitor.messages(channel)).toEqual([]);
  });

  test.for([
    ['', [8, 7, 6, 5, 4, 3, 2, 1, 0]],
    ['limit=3', [8, 7, 6]],
    ['limit=2&before=4', [3, 2]],
    // One that was deleted.
    ['limit=1&before=9', [8]],
  ] as const)('are listed newest first: %s', async ([query, found], { chat, ask, channel, visitor }) => {
    const ids = Array.from({ length: 10 }, (_, index) => visitor.say(channel, `message ${index}`).id);
    chat.moderator.deleteMessage(ids[9] ?? '');
    const exact = query.replace(/\d$/, (index) => (query.includes('&') ? (ids[Number(index)] ?? '') : index));
    const { list } = await ask('GET', `/channels/${channel}/messages?${exact}`);
    expect(list.map(({ id = '' }) => ids.indexOf(id))).toEqual(found);
  });

  test.for([
    ['limit=0', 'limit', 'NUMBER_TYPE_MIN'],
    ['limit=101', 'limit', 'NUMBER_TYPE_MAX'],
    ['limit=few', 'limit', 'NUMBER_TYPE_COERCE'],
    ['limit=1.5', 'limit', 'NUMBER_TYPE_COERCE'],
    ['before=first', 'before', 'NUMBER_TYPE_COERCE'],
  ] as const)('are not listed by %s', async ([query, path, code], { ask, channel }) => {
    const told = await ask('GET', `/channels/${channel}/messages?${query}`);
    expect([told.status, told.body.code]).toEqual([400, 50035]);
    expect(complaintsAt(told, path)).toEqual([code]);
  });

  test('of a voice channel are for those who may connect', async ({ chat, ask }) => {
    const voice = chat.channels.find(({ type }) => type === ChannelType.GuildVoice)?.id ?? '';
    const messages = async () => ask('GET', `/channels/${voice}/messages`);
    expect((await messages()).list).toEqual([]);
    chat.moderator.setOverwrite(voice, {
      ...{ id: chat.botId, type: 'member', allow: 0n, deny: PermissionFlagsBits.Connect },
    });
    expect((await messages()).body.code).toBe(50013);
  });

  test('of others are without content for a bot that was not granted it', async ({
    ask,
    channel,
    visitor,
    chat,
  }) => {
    const own = visitor.say(channel, 'hello all');
    const mention = visitor.say(channel, `hello <@${chat.botId}>`);
    const read = async (id: string) => (await ask('GET', `/channels/${channel}/messages/${id}`)).body.content;
    expect(await read(own.id)).toBe('');
    expect(await read(mention.id)).toBe(mention.content);
    expect((await ask('PATCH', `/channels/${channel}/messages/${own.id}`, { content: 'x' })).body.code).toBe(
      50005,
    );
  });

  test('reach a bot that listens to them, deletion included', async ({ chat, channel, visitor }) => {
    const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages];
    const client = await ready(newClient(chat, { intents }), chat.token);
    const created = once(client, Events.MessageCreate);
    const { id } = visitor.say(channel, 'hello');
    expect((await created)[0].id).toBe(id);
    const deleted = once(client, Events.MessageDelete);
    chat.moderator.deleteMessage(id);
    expect((await deleted)[0].id).toBe(id);
    await client.destroy();
  });

  test('ping whom they name, unless that is switched off', async ({ ask, channel, visitor }) => {
    const content = `<@${visitor.id}> @everyone`;
    const loud = await ask('POST', `/channels/${channel}/messages`, { content });
    expect(loud.body).toMatchObject({ mention_everyone: true, mentions: [{ id: visitor.id }] });
    const quiet = await ask('POST', `/channels/${channel}/messages`, {
      content,
      allowed_mentions: { parse: [] },
    });
    expect(quiet.body).toMatchObject({ mention_everyone: false, mentions: [] });
    // An edit that says nothing of it pings again.
    const edited = await ask('PATCH', `/channels/${channel}/messages/${quiet.body.id}`, { content });
    expect(edited.body.mentions).toHaveLength(1);
  });

  test('that are gone, or in a channel that is gone, are unknown', async ({
    ask,
    chat,
    channel,
    visitor,
  }) => {
    const { id } = visitor.say(channel, 'hello');
    chat.moderator.deleteMessage(id);
    const gone = await ask('GET', `/channels/${channel}/messages/${id}`);
    expect([gone.status, gone.body.code]).toEqual([404, 10008]);
    chat.moderator.deleteChannel(channel);
    const nowhere = await ask('POST', `/channels/${channel}/messages`, { content: 'x' });
    expect([nowhere.status, nowhere.body.code]).toEqual([404, 10003]);
    expect(chat.channels.some((one) => one.id === channel)).toBe(false);
  });

  test('can carry files, which can be fetched', async ({ client, channel, visitor }) => {
    const place = await client.channels.fetch(channel);
    if (place === null || !place.isSendable()) throw new Error('no channel to write in');
    await place.send({ files: [{ attachment: Buffer.from('all about me'), name: 'me.txt' }] });
    const [file] = visitor.messages(channel)[0]?.attachments ?? [];
    expect(file).toMatchObject({ filename: 'me.txt', size: 12 });
    expect(await (await fetch(file?.url ?? '')).text()).toBe('all about me');
  });
});

describe('a nonce', () => {
  test('that is enforced makes one message of two', async ({ ask, channel, visitor }) => {
    const body = { content: 'board', nonce: 'board-1', enforce_nonce: true };
    const first = await ask('POST', `/channels/${channel}/messages`, body);
    const second = await ask('POST', `/channels/${channel}/messages`, body);
    expect(second.body.id).toBe(first.body.id);
    await ask('POST', `/channels/${channel}/messages`, { ...body, nonce: 'board-2' });
    await ask('POST', `/channels/${channel}/messages`, { ...body, enforce_nonce: false });
    expect(visitor.messages(channel)).toHaveLength(3);
  });

  test.for(['post-500-after-create', 'post-502-after-create'])(
    'keeps the client, which repeats a post by itself, from doubling under %s',
    async (fault, { chat, client, channel, visitor }) => {
      const place = await client.channels.fetch(channel);
      if (place === null || !place.isSendable()) throw new Error('no channel to write in');
      chat.setFault(fault, true, 1);
      await place.send({ content: 'once', nonce: '1', enforceNonce: true });
      expect(visitor.messages(channel)).toHaveLength(1);
      expect(chat.faults.find(({ name }) => name === fault)?.on).toBe(false);
      chat.setFault(fault, true, 1);
      await place.send('twice');
      expect(visitor.messages(channel)).toHaveLength(3);
    },
  );

  test('does not help if the answer is lost: the message is there, unknown to the client', async ({
    chat,
    client,
    channel,
    visitor,
  }) => {
    const place = await client.channels.fetch(channel);
    if (place === null || !place.isSendable()) throw new Error('no channel to write in');
    chat.setFault('post-lost', true);
    await expect(place.send({ content: 'lost', nonce: '1', enforceNonce: true })).rejects.toThrow();
    expect(visitor.messages(channel).map(({ content }) => content)).toEqual(['lost']);
    expect(chat.requests.at(-1)).toMatchObject({ method: 'POST', status: 0 });
  });
});

describe('limits on how often', () => {
  test('are stated in headers: the sixth edit in five seconds has to wait', async ({
    ask,
    channel,
    clock,
  }) => {
    const { body } = await ask('POST', `/channels/${channel}/messages`, { content: '0' });
    const edit = (content: string) => ask('PATCH', `/channels/${channel}/messages/${body.id}`, { content });
    const first = await edit('1');
    expect(first.headers.get('X-RateLimit-Limit')).toBe('5');
    expect(first.headers.get('X-RateLimit-Remaining')).toBe('4');
    expect(first.headers.get('X-RateLimit-Bucket')).toMatch(/^\w+$/);
    for (const content of ['2', '3', '4', '5']) expect((await edit(content)).status).toBe(200);
    const sixth = await edit('6');
    expect(sixth.status).toBe(429);
    const wait = Number(sixth.headers.get('Retry-After'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(5);
    expect(sixth.body).toMatchObject({ retry_after: wait, global: false });
    clock.ahead += wait * 1000;
    expect((await edit('7')).status).toBe(200);
  });

  test('hold for each channel by itself', async ({ ask, chat }) => {
    const [one, , two] = chat.channels;
    for (let index = 0; index < 5; index += 1)
      await ask('POST', `/channels/${one?.id}/messages`, { content: 'x' });
    expect((await ask('POST', `/channels/${one?.id}/messages`, { content: 'x' })).status).toBe(429);
    expect((await ask('POST', `/channels/${two?.id}/messages`, { content: 'x' })).status).toBe(200);
  });

  test('are obeyed by the client by default', async ({ chat, client, channel }) => {
    const place = await client.channels.fetch(channel);
    if (place === null || !place.isSendable()) throw new Error('no channel to write in');
    const sent = await place.send('0');
    const edits = ['1', '2', '3', '4', '5', '6'].map((content) => sent.edit(content));
    await Promise.all(edits);
    expect(chat.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(6);
    expect(chat.requests.filter(({ status }) => status === 429)).toEqual([]);
  });

  test('are tighter for messages older than an hour: 30046', async ({ ask, channel, clock }) => {
    const { body } = await ask('POST', `/channels/${channel}/messages`, { content: '0' });
    const edit = (content: string) => ask('PATCH', `/channels/${channel}/messages/${body.id}`, { content });
    clock.ahead += HOUR + 1000;
    for (const content of ['1', '2', '3']) expect((await edit(content)).status).toBe(200);
    const fourth = await edit('4');
    expect([fourth.status, fourth.body.code]).toEqual([429, 30046]);
    clock.ahead += (fourth.body.retry_after ?? 0) * 1000;
    expect((await edit('5')).status).toBe(200);
  });

  test('count every request: a fault of 429 for all of them ends with it', async ({ ask, chat }) => {
    chat.setFault('rate-limited', true);
    const limited = await ask('GET', '/users/@me');
    expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '1']);
    chat.setFault('rate-limited', false);
    expect((await ask('GET', '/users/@me')).status).toBe(200);
  });
});

describe('a fault', () => {
  test('of every request leaves nothing done', async ({ chat, ask, channel, visitor }) => {
    chat.setFault('rest-500', true);
    expect((await ask('POST', `/channels/${channel}/messages`, { content: 'x' })).status).toBe(500);
    chat.setFault('rest-500', false);
    chat.setFault('rest-lost', true);
    await expect(ask('POST', `/channels/${channel}/messages`, { content: 'x' })).rejects.toThrow();
    expect(visitor.messages(channel)).toEqual([]);
  });

  test('of reading leaves the rest working', async ({ chat, ask, channel }) => {
    chat.setFault('read-500', true);
    expect((await ask('GET', `/channels/${channel}/messages`)).status).toBe(500);
    expect((await ask('POST', `/channels/${channel}/messages`, { content: 'x' })).status).toBe(200);
  });

  test('that lets an answer never come is over for the client when its patience is', async ({
    chat,
    channel,
  }) => {
    const client = await ready(newClient(chat, { rest: { timeout: 200, retries: 0 } }), chat.token);
    const place = await client.channels.fetch(channel);
    if (place === null || !place.isSendable()) throw new Error('no channel to write in');
    chat.setFault('read-unanswered', true);
    await expect(place.messages.fetch()).rejects.toMatchObject({ name: 'AbortError' });
    await client.destroy();
  });

  test('that nobody knows is refused by name', ({ chat }) => {
    expect(() => chat.setFault('gremlins', true)).toThrow(/no fault is called gremlins/);
  });

  test('of every edit answers 30046 while it lasts', async ({ chat, ask, channel }) => {
    const { body } = await ask('POST', `/channels/${channel}/messages`, { content: '0' });
    chat.setFault('edit-30046', true);
    const refused = await ask('PATCH', `/channels/${channel}/messages/${body.id}`, { content: '1' });
    expect(refused.body.code).toBe(30046);
    chat.setFault('edit-30046', false);
    const done = await ask('PATCH', `/channels/${channel}/messages/${body.id}`, { content: '1' });
    expect(done.status).toBe(200);
  });
});

test('a wrong token is 401, an unknown route 404, a broken body 50109', async ({ chat, ask }) => {
  const response = await fetch(`${chat.apiUrl}/v10/users/@me`, { headers: { authorization: 'Bot x' } });
  expect(response.status).toBe(401);
  expect((await ask('GET', '/nothing/here')).status).toBe(404);
  const broken = await fetch(`${chat.apiUrl}/v10/channels/1/messages`, {
    method: 'POST',
    headers: { authorization: `Bot ${chat.token}` },
    body: '{',
  });
  expect(await broken.json()).toMatchObject({ code: 50109 });
});

test('the bot’s payloads are reported in full, and its responses are stored', async ({
  chat,
  client,
  channel,
}) => {
  const payloads: unknown[] = [];
  chat.subscribe((event) => event.type === 'payload' && payloads.push(event));
  const place = await client.channels.fetch(channel);
  if (place === null || !place.isSendable()) throw new Error('no channel to write in');
  await expect(place.send('')).rejects.toBeInstanceOf(DiscordAPIError);
  const path = `/channels/${channel}/messages`;
  expect(payloads.at(-1)).toMatchObject({ method: 'POST', path, body: { content: '' } });
  expect(chat.requests.at(-1)).toMatchObject({ method: 'POST', path, status: 400 });
});
