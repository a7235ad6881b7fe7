import { expect } from 'vitest';
import { test } from '../support/sandbox.ts';

test("the line below the bot's name says how many are driving", async ({ bot: _, chat, dataService }) => {
  const line = (): string | null => chat.presence?.activities?.[0]?.state ?? null;
  // Server Four is in no overview; its live file says who drives there, but not how many places it has.
  await expect.poll(line, { timeout: 15_000 }).toMatch(/^\d+ driving$/);
  expect(dataService.requests.filter(({ path }) => path.endsWith('/live/status'))).toHaveLength(1);
});

test('and says so where the service is down', async ({ chat, dataService, bot }) => {
  await bot.stop();
  dataService.setFault('down', true);
  // What was known before the restart is no longer recent.
  await bot.start(600_000);
  const line = (): string | null => chat.presence?.activities?.[0]?.state ?? null;
  await expect.poll(line, { timeout: 15_000 }).toMatch(/not answering|down/i);
});
