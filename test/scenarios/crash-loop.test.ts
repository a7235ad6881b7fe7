/** A supervisor that starts the real bot again at once, whenever it has died. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { createBot } from '../support/bot.ts';
import { test } from '../support/sandbox.ts';

/** How many logins that comes to in a day, the tests of shards show on a virtual clock. */
test('a bot that dies right after READY soon waits for its next login', async ({ chat, dataService }) => {
  chat.setFault('publish-500', true);
  await using bot = await createBot(chat, dataService);
  for (const logins of [1, 2]) {
    // It is never ready: the commands are missing.
    void bot.start().catch(() => {});
    while (chat.identifies.length < logins) await pause(20);
    await bot.stop('SIGKILL');
  }
  void bot.start().catch(() => {});
  await vi.waitFor(() => expect(bot.output).toMatch(/"level":"warn".*wait/), 20_000);
  expect(chat.identifies).toHaveLength(2);
});
