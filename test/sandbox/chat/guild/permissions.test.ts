import { once } from 'node:events';
import { Events, PermissionFlagsBits as Permission } from 'discord.js';
import { describe, expect } from 'vitest';
import { slash, test } from '../support/chat-test.ts';

const EMBED = { embeds: [{ description: 'all quiet' }] };

describe('a right that the bot lost', () => {
  test('to see a channel is 50001 for everything in it, and the client is notified', async ({
    chat,
    client,
    ask,
    channel,
  }) => {
    const { body } = await ask('POST', `/channels/${channel}/messages`, EMBED);
    const told = once(client, Events.ChannelUpdate);
    const own = { id: chat.botId, type: 'member', allow: 0n } as const;
    chat.moderator.setOverwrite(channel, { ...own, deny: Permission.ViewChannel });
    await told;
    const me = client.guilds.cache.get(chat.guildId)?.members.me;
    expect(me?.permissionsIn(channel).has('ViewChannel')).toBe(false);
    for (const [method, path] of [
      ['GET', `/channels/${channel}`],
      ['GET', `/channels/${channel}/messages`],
      ['POST', `/channels/${channel}/messages`],
      ['PATCH', `/channels/${channel}/messages/${body.id}`],
    ] as const) {
      const refused = await ask(method, path, method === 'GET' ? undefined : EMBED);
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, 50001]);
    }
    chat.moderator.setOverwrite(channel, { ...own, deny: 0n });
    const done = await ask('PATCH', `/channels/${channel}/messages/${body.id}`, EMBED);
    expect(done.status).toBe(200);
  });

  test('to send, to embed or to read is 50013 where it is needed, and nothing elsewhere', async ({
    chat,
    ask,
    channel,
  }) => {
    const { body } = await ask('POST', `/channels/${channel}/messages`, { content: 'x' });
    const send = async (what: object) => (await ask('POST', `/channels/${channel}/messages`, what)).body.code;
    const deny = (bits: bigint) =>
      chat.moderator.setOverwrite(channel, { id: chat.botId, type: 'member', allow: 0n, deny: bits });

    deny(Permission.SendMessages);
    expect(await send({ content: 'x' })).toBe(50013);
    const edited = await ask('PATCH', `/channels/${channel}/messages/${body.id}`, { content: 'y' });
    expect(edited.status).toBe(200);

    deny(Permission.EmbedLinks);
    expect(await send(EMBED)).toBe(50013);
    expect(await send({ content: 'x' })).toBeUndefined();

    deny(Permission.ReadMessageHistory);
    const list = await ask('GET', `/channels/${channel}/messages`);
    expect([list.status, list.list]).toEqual([200, []]);
    expect((await ask('GET', `/channels/${channel}/messages/${body.id}`)).body.code).toBe(50013);
  });

  test('is shown in the next interaction', async ({ chat, channel, visitor, client, answer }) => {
    chat.moderator.setOverwrite(channel, {
      id: chat.botId,
      type: 'member',
      allow: 0n,
      deny: Permission.EmbedLinks,
    });
    const asked = once(client, Events.InteractionCreate);
    answer((interaction) => slash(interaction).reply('ok'));
    await visitor.invoke(channel, 'profile', [{ name: 'player', value: 'x' }]);
    const { appPermissions } = slash((await asked)[0]);
    expect([appPermissions.has('EmbedLinks'), appPermissions.has('SendMessages')]).toEqual([false, true]);
  });
});

test('what a role is denied in a channel, another role or the member can be allowed', async ({
  chat,
  ask,
  channel,
}) => {
  const post = async () => (await ask('POST', `/channels/${channel}/messages`, { content: 'x' })).status;
  const bits = Permission.SendMessages;
  chat.moderator.setOverwrite(channel, { id: chat.guildId, type: 'role', allow: 0n, deny: bits });
  expect(await post()).toBe(403);
  chat.moderator.setOverwrite(channel, { id: chat.botId, type: 'member', allow: bits, deny: 0n });
  expect(await post()).toBe(200);
});

test('people are held to their rights as well', ({ chat, visitor, neighbour }) => {
  const quiet = chat.channels.find((one) => 'name' in one && one.name === 'live-servers')?.id ?? '';
  expect(() => neighbour.say(quiet, 'hi')).toThrow(/may not write/);
  expect(visitor.say(quiet, 'hi').content).toBe('hi');
  chat.moderator.setOverwrite(quiet, {
    id: chat.guildId,
    type: 'role',
    allow: 0n,
    deny: Permission.ViewChannel,
  });
  expect(neighbour.messages(quiet)).toEqual([]);
  expect(visitor.messages(quiet)).toHaveLength(1);
});

test('the messages of others can be deleted by who may manage messages', async ({
  chat,
  ask,
  channel,
  visitor,
}) => {
  const { id } = visitor.say(channel, 'hello');
  expect((await ask('DELETE', `/channels/${channel}/messages/${id}`)).body.code).toBe(50013);
  const allow = Permission.ManageMessages;
  chat.moderator.setOverwrite(channel, { id: chat.botId, type: 'member', allow, deny: 0n });
  expect((await ask('DELETE', `/channels/${channel}/messages/${id}`)).status).toBe(204);
});
