import { test } from '../support/sandbox.ts';

test.concurrent("the line below the bot's name says how many are driving", async ({
  bot: _,
  chat,
  dataService,
  expect,
}) => {
  const line = (): string | null => chat.presence?.activities?.[0]?.state ?? null;
  // Server Four is in no overview; its live file says who drives there, but not how many places it has.
  await expect.poll(line).toMatch(/^\d+ driving$/);
  expect(dataService.requests.filter(({ path }) => path.endsWith('/live/status'))).toHaveLength(1);
});

test.concurrent.for([
  // What was known before the restart is no longer recent, and after a quarter of an hour it is nothing.
  [600_000, /^\d+ driving.*, 10\s?min ago$/],
  [1_200_000, /^The data service isn't answering$/],
] as const)(
  'and how old that is, or says so, where the service is down: %d ms later',
  async ([later, says], { chat, dataService, bot, expect }) => {
    await bot.stop();
    dataService.setFault('down', true);
    await bot.start(later);
    const line = (): string | null => chat.presence?.activities?.[0]?.state ?? null;
    await expect.poll(line).toMatch(says);
  },
);
