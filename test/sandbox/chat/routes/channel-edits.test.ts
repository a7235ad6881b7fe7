import { once } from 'node:events';
import { Events, PermissionFlagsBits as Permission } from 'discord.js';
import { describe, expect } from 'vitest';
import { test } from '../support/chat-test.ts';

const MINUTE = 60_000;
const own = (botId: string, allow: bigint, deny = 0n) =>
  ({ id: botId, type: 'member', allow, deny }) as const;

describe('a channel’s topic', () => {
  test('is changed with Manage Channels, and the client is told', async ({ chat, client, ask, channel }) => {
    const path = `/channels/${channel}`;
    chat.moderator.setOverwrite(channel, own(chat.botId, 0n, Permission.ManageChannels));
    expect((await ask('PATCH', path, { topic: 'x' })).body.code).toBe(50013);
    chat.moderator.setOverwrite(channel, own(chat.botId, Permission.ManageChannels));
    const told = once(client, Events.ChannelUpdate);
    const changed = await ask('PATCH', path, { topic: '21 driving' });
    expect(changed.status).toBe(200);
    expect((await told)[1]).toMatchObject({ id: channel, topic: '21 driving' });
    const there = chat.channels.find(({ id }) => id === channel);
    expect(there).toMatchObject({ topic: '21 driving', name: changed.body.name });
  });

  test('is changed twice in ten minutes, whatever it says', async ({ chat, clock, ask, channel }) => {
    chat.moderator.setOverwrite(channel, own(chat.botId, Permission.ManageChannels));
    const status = async () => (await ask('PATCH', `/channels/${channel}`, { topic: 'x' })).status;
    expect([await status(), await status(), await status()]).toEqual([200, 200, 429]);
    clock.ahead += 10 * MINUTE;
    expect(await status()).toBe(200);
  });

  test('of more than 1024 characters is refused, and so is another name', async ({ chat, ask, channel }) => {
    chat.moderator.setOverwrite(channel, own(chat.botId, Permission.ManageChannels));
    expect((await ask('PATCH', `/channels/${channel}`, { topic: 'x'.repeat(1025) })).body.code).toBe(50035);
    expect((await ask('PATCH', `/channels/${channel}`, { name: 'x' })).body.code).toBe(50035);
  });
});
