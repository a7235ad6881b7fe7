/** A supervisor that starts the real bot again at once, whenever it has died. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { createBot } from '../support/bot.ts';
import { startChatServer } from '../support/outside-judge.ts';
import { test } from '../support/sandbox.ts';

test('a bot that died waits for its next login while few are left today', async ({ dataService }) => {
  const chat = await startChatServer({ identifiesPerDay: 150 });
  chat.setFault('publish-500', true);
  await using bot = await createBot(chat, dataService);
  // It is never ready: the commands are missing.
  void bot.start().catch(() => {});
  while (chat.identifies.length === 0) await pause(20);
  await bot.stop('SIGKILL');
  void bot.start().catch(() => {});
  await vi.waitFor(() => expect(bot.output).toMatch(/"level":"warn".*the next login waits/), 20_000);
  expect(chat.identifies).toHaveLength(1);
  await chat.close();
});
