import { expect } from 'vitest';
import { createBot } from '../support/bot.ts';
import { createOperator } from '../support/operator.ts';
import { test } from '../support/sandbox.ts';
import { tap } from '../support/tap.ts';

test('health follows the connection to Discord, and a data service that is down is no reason to restart', async ({
  chat,
  dataService,
}) => {
  const between = await tap(chat);
  await using bot = await createBot(chat, dataService, { DISCORD_API_URL: between.apiUrl, HTTP_PORT: '0' });
  await bot.start();
  const { status, health } = createOperator(bot);
  await expect.poll(() => status('/readyz'), { timeout: 10_000 }).toBe(200);

  between.setAway(true);
  await expect.poll(() => status('/healthz')).toBe(503);
  expect(await health('/healthz')).toMatchObject({
    gateway: { ok: false, detail: '0 of 1 connections logged in' },
  });
  expect(await status('/readyz')).toBe(503);
  between.setAway(false);
  await expect.poll(() => status('/healthz'), { timeout: 20_000 }).toBe(200);

  await bot.stop();
  dataService.setFault('down', true);
  // What was known before is old by now.
  await bot.start(20 * 60_000);
  await expect.poll(() => status('/healthz'), { timeout: 10_000 }).toBe(200);
  expect(await health('/readyz')).toMatchObject({ data: { ok: false }, gateway: { ok: true } });
  expect(await status('/readyz')).toBe(503);
  expect(await bot.stop()).toBe(0);
  await between.close();
});

test('without HTTP_PORT nothing is served', async ({ bot }) => {
  await expect.poll(() => bot.output).toContain('"ready"');
  expect(bot.output).not.toContain('serving');
});
