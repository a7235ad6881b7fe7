import { ComponentType, InteractionType, MessageFlags, PermissionFlagsBits } from 'discord.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SECOND } from '../../../src/base/duration.ts';
import { onPress } from '../../../src/command-kit/action.ts';
import { defineCommand } from '../../../src/command-kit/command.ts';
import { dispatchInMemory, inGuild } from '../../support/dispatch-in-memory.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a late second click on *Share* shares nothing more; the view can be shared later', async () => {
  let asked = 0;
  const list = async () => {
    asked += 1;
    return { content: 'the list' };
  };
  const base = { topic: 'servers', visibility: 'choice', description: 'duty.description' } as const;
  const command = defineCommand({ ...base, options: {}, run: list, actions: { page: onPress(list) } });
  const bot = dispatchInMemory({ commands: new Map([['try', command]]) });
  const press = async (): Promise<string> => {
    const before = bot.heard.length;
    bot.ask({
      ...{ type: InteractionType.MessageComponent, message: { id: '1', flags: MessageFlags.Ephemeral } },
      data: { custom_id: '1:try:share-page:', component_type: ComponentType.Button },
      ...inGuild('100000000000000001', String(PermissionFlagsBits.SendMessages)),
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
