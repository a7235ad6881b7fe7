import { expect } from 'vitest';
import { readMetrics } from '../bot/operator/read-metrics.ts';
import { createBotWithin } from '../support/bot-within.ts';
import { createOperator, type Operator } from '../support/operator.ts';
import { boardChannel, guest, postedIn, test } from '../support/sandbox.ts';
import { tap } from '../support/tap.ts';

/** The sum of all series of a metric with these labels. */
function figure(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const family = readMetrics(text).find((one) => one.name === name);
  if (family === undefined) throw new Error(`there is no metric ${name}`);
  return family.series
    .filter((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

/** Resolves once a figure has grown beyond what it was in `before`. */
async function grown(
  { text }: Operator,
  before: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<void> {
  const was = figure(before, name, labels);
  await expect
    .poll(async () => figure(await text('/metrics'), name, labels), { interval: 200 })
    .toBeGreaterThan(was);
}

test('tells a minute of chaos in figures and health, and nothing private', async ({ chat, dataService }) => {
  const between = await tap(chat);
  const settings = { DISCORD_API_URL: between.apiUrl, HTTP_PORT: '0' };
  await using bot = await createBotWithin(chat, dataService, settings);
  await bot.start();
  const operator = createOperator(bot);
  const { status, health, text } = operator;
  await expect.poll(() => status('/readyz')).toBe(200);
  const [first, second, third, fourth] = chat.people.map((id) => guest(chat, id));
  if (first === undefined || second === undefined || third === undefined || fourth === undefined)
    throw new Error('the sandbox has too few people');
  const [known = '', fresh = '', later = '', last = ''] = dataService.drivers;

  await first.ask('members', {});
  await first.ask('board create', { channel: boardChannel(chat) });
  await first.ask('profile', { picture: false, player: known });
  const before = await text('/metrics');
  expect(figure(before, 'pitwall_boards')).toBe(1);
  expect(figure(before, 'pitwall_gateway_shards_ready')).toBe(1);

  // The data service is down.
  dataService.setFault('down', true);
  const { text: told } = await second.ask('profile', { picture: false, player: fresh });
  const id = /`([0-9a-f]{8})`$/.exec(told)?.[1] ?? 'none';
  await expect.poll(() => bot.output).toMatch(new RegExp(`"${id}".*"outcome":"unavailable"`));
  await grown(operator, before, 'pitwall_service_calls_total', { endpoint: 'live', result: 'unavailable' });
  dataService.setFault('down', false);
  dataService.setFault('broken-json', true);
  await second.ask('profile', { picture: false, player: later });
  dataService.setFault('broken-json', false);
  // Discord refuses edits.
  chat.setFault('edit-30046', true);
  dataService.fillServer();
  await grown(operator, before, 'pitwall_board_writes_total', { outcome: 'too-fast' });
  chat.setFault('edit-30046', false);
  // Discord is gone.
  between.setAway(true);
  await expect.poll(() => status('/healthz')).toBe(503);
  expect(await health('/healthz')).toMatchObject({
    gateway: { ok: false, detail: '0 of 1 connections logged in' },
    polling: { ok: true },
  });
  expect(await status('/readyz')).toBe(503);
  const away = await text('/metrics');
  between.setAway(false);
  await expect.poll(() => status('/healthz'), { timeout: 20_000 }).toBe(200);
  // The key has no requests left.
  dataService.setFault('over-limit', true);
  await third.ask('profile', { picture: false, player: last });
  dataService.setFault('over-limit', false);
  await fourth.ask('car', { vin: 'not a vin' });
  await grown(operator, away, 'pitwall_board_writes_total', { outcome: 'ok' });

  const after = await text('/metrics');
  const change = (name: string, labels = {}) => figure(after, name, labels) - figure(before, name, labels);
  expect(change('pitwall_interactions_total', { command: 'profile', outcome: 'unavailable' })).toBe(3);
  expect(change('pitwall_interactions_total', { command: 'car', outcome: 'declined' })).toBe(1);
  expect(change('pitwall_interactions_total')).toBe(4);
  expect(change('pitwall_service_calls_total', { endpoint: 'profile', result: 'unavailable' })).toBe(1);
  expect(change('pitwall_service_calls_total', { endpoint: 'profile', result: 'bad-response' })).toBe(1);
  expect(change('pitwall_service_calls_total', { endpoint: 'profile', result: 'over-budget' })).toBe(1);
  expect(change('pitwall_budget_refusals_total')).toBe(1);
  expect(change('pitwall_budget_requests', { state: 'left' })).toBeLessThan(0);
  expect(change('pitwall_cache_misses_total')).toBeGreaterThanOrEqual(3);
  expect(figure(away, 'pitwall_gateway_shards_ready')).toBe(0);
  expect(figure(after, 'pitwall_gateway_shards_ready')).toBe(1);
  expect(change('pitwall_gateway_losses_total')).toBe(1);

  for (const scrape of [before, away, after]) {
    expect(scrape).not.toContain(dataService.key);
    expect(scrape).not.toContain(chat.token);
    // Ids of Discord, of whatever kind.
    expect(scrape).not.toMatch(/(?<![.\d])\d{15,}/);
    const values = readMetrics(scrape).flatMap(({ series }) =>
      series.flatMap(({ labels }) => Object.values(labels)),
    );
    const names = new Set([...dataService.drivers, ...dataService.vins].map((name) => name.toLowerCase()));
    expect(values.filter((value) => names.has(value.toLowerCase()))).toEqual([]);
  }
  expect(postedIn(chat, boardChannel(chat))).toHaveLength(1);
  await bot.stop();
  await between.close();
}, 60_000);

test('a data service that is down is no reason to restart', async ({ chat, dataService }) => {
  await using bot = await createBotWithin(chat, dataService, { HTTP_PORT: '0' });
  dataService.setFault('down', true);
  await bot.start();
  const { status, health } = createOperator(bot);
  await expect.poll(() => status('/healthz')).toBe(200);
  expect(await health('/readyz')).toMatchObject({ data: { ok: false }, gateway: { ok: true } });
  // A mend can be rolled out meanwhile.
  expect(await status('/readyz')).toBe(200);
});

test('without HTTP_PORT nothing is served', async ({ bot }) => {
  await expect.poll(() => bot.output).toContain('"ready"');
  expect(bot.output).not.toContain('serving');
});
