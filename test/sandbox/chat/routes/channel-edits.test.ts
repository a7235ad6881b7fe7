import { once } from 'node:events';
import { ChannelType, Events, PermissionFlagsBits as Permission } from 'discord.js';
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

describe('a voice channel’s status', () => {
  const rights = Permission.SetVoiceChannelStatus | Permission.ManageChannels;

  test('is set, kept and cleared, once a minute', async ({ chat, clock, ask }) => {
    const voice = chat.channels.find(({ type }) => type === ChannelType.GuildVoice)?.id ?? '';
    const set = async (status: string | null) =>
      (await ask('PUT', `/channels/${voice}/voice-status`, { status })).status;
    chat.moderator.setOverwrite(voice, own(chat.botId, rights));
    const told: (string | undefined)[] = [];
    chat.subscribe(({ type }) => type === 'channels' && told.push(chat.voiceStatuses.get(voice)));
    expect([await set('21 driving'), await set('22 driving')]).toEqual([204, 429]);
    expect(chat.voiceStatuses.get(voice)).toBe('21 driving');
    clock.ahead += MINUTE;
    expect(await set(null)).toBe(204);
    expect(chat.voiceStatuses.has(voice)).toBe(false);
    expect(told).toEqual(['21 driving', undefined]);
  });

  test.for([
    ['Set Voice Channel Status', Permission.SetVoiceChannelStatus],
    ['Manage Channels', Permission.ManageChannels],
    ['Connect', Permission.Connect],
  ] as const)('needs %s', async ([, missing], { chat, ask }) => {
    const voice = chat.channels.find(({ type }) => type === ChannelType.GuildVoice)?.id ?? '';
    chat.moderator.setOverwrite(voice, own(chat.botId, rights & ~missing, missing));
    const refused = await ask('PUT', `/channels/${voice}/voice-status`, { status: 'x' });
    expect([refused.status, refused.body.code]).toEqual([403, 50013]);
  });

  test('is that of a voice channel alone', async ({ chat, ask, channel }) => {
    chat.moderator.setOverwrite(channel, own(chat.botId, rights | Permission.Connect));
    expect((await ask('PUT', `/channels/${channel}/voice-status`, { status: 'x' })).body.code).toBe(50024);
  });
});
