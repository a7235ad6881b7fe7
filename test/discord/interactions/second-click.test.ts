import { ChannelType, ComponentType, InteractionType, MessageFlags, PermissionFlagsBits } from 'discord.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SECOND } from '../../../src/base/duration.ts';
import { onPress } from '../../../src/command-kit/action.ts';
import { defineCommand } from '../../../src/command-kit/command.ts';
import { CHANNEL, dispatchInMemory, inGuild } from '../../support/dispatch-in-memory.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const GUILD = '100000000000000001';

test('a late second click on *Share* shares nothing more; the view can be shared later', async () => {
  let asked = 0;
  const list = async () => {
    asked += 1;
    return { content: 'the list' };
  };
  const base = { topic: 'servers', visibility: 'choice', description: 'duty.description' } as const;
  const command = defineCommand({ ...base, options: {}, run: list, actions: { page: onPress(list) } });
  const guilds = [{ id: GUILD, channels: [{ id: CHANNEL, type: ChannelType.GuildText }], roles: [] }];
  const bot = dispatchInMemory({ commands: new Map([['try', command]]), guilds });
  const press = async (): Promise<string> => {
    const before = bot.heard.length;
    bot.ask({
      ...{ type: InteractionType.MessageComponent, message: { id: '1', flags: MessageFlags.Ephemeral } },
      data: { custom_id: '1:try:share-page:', component_type: ComponentType.Button },
      ...inGuild(GUILD, String(PermissionFlagsBits.SendMessages)),
    });
    await vi.advanceTimersByTimeAsync(SECOND);
    return bot.heard
      .slice(before)
      .map(({ body }) => body)
      .join('\n');
  };
  expect(await press()).toContain('the list');
  expect(await press()).toContain("I'm already sharing this.");
  await vi.advanceTimersByTimeAsync(6 * SECOND);
  expect(await press()).toContain("I'm already sharing this.");
  await vi.advanceTimersByTimeAsync(3 * SECOND);
  expect(await press()).toContain('the list');
  expect(asked).toBe(2);
});

test.for([
  ['the right to write', PermissionFlagsBits.SendMessages, false],
  ['the right to write in threads', PermissionFlagsBits.SendMessagesInThreads, false],
  ['both', PermissionFlagsBits.SendMessages | PermissionFlagsBits.SendMessagesInThreads, true],
] as const)('a place that the gateway has not told of may be a thread: %s', async ([, rights, isShared]) => {
  const list = async () => ({ content: 'the list' });
  const base = { topic: 'servers', visibility: 'choice', description: 'duty.description' } as const;
  const command = defineCommand({ ...base, options: {}, run: list, actions: { page: onPress(list) } });
  const bot = dispatchInMemory({ commands: new Map([['try', command]]) });
  bot.ask({
    ...{ type: InteractionType.MessageComponent, message: { id: '1', flags: MessageFlags.Ephemeral } },
    data: { custom_id: '1:try:share-page:', component_type: ComponentType.Button },
    ...inGuild(GUILD, String(rights)),
  });
  await vi.advanceTimersByTimeAsync(SECOND);
  const bodies = bot.heard.map(({ body }) => body).join('\n');
  expect(bodies.includes('the list')).toBe(isShared);
});
