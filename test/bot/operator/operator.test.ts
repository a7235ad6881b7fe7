import { test as base, expect } from 'vitest';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { type Operator, openOperator } from '../../../src/bot/operator/operator.ts';
import { sample } from './samples.ts';

const test = base.extend<{ failures: unknown[]; operator: Operator }>({
  failures: async ({ task: _ }, use) => use([]),
  operator: async ({ failures }, use) => {
    const failed = (error: unknown): void => void failures.push(error);
    const operator = await openOperator({ host: '127.0.0.1', port: 0 }, { clock, version: '1.2.3', failed });
    await use(operator);
    await operator.close();
  },
});

const ask = ({ port }: Operator, path: string) => fetch(`http://127.0.0.1:${port}${path}`);

test('a bot that is starting is not healthy, and has figures of its process alone', async ({ operator }) => {
  for (const path of ['/healthz', '/readyz']) {
    const answer = await ask(operator, path);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ status: 'failing', checks: { start: { ok: false } } });
  }
  const metrics = await (await ask(operator, '/metrics')).text();
  expect(metrics).toContain('pitwall_build_info{version="1.2.3"} 1\n');
  expect(metrics).toMatch(/^process_resident_memory_bytes \d{6,}$/m);
  expect(metrics).not.toMatch(/^pitwall_gateway_shards/m);
});

test('once it runs, each answer is about the moment it was asked at', async ({ operator }) => {
  let now = sample;
  operator.watch(async () => now);
  operator.count({ command: 'car', outcome: 'answered', acknowledgedAfter: 10 });
  expect((await ask(operator, '/healthz')).status).toBe(200);
  const metrics = await ask(operator, '/metrics');
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await metrics.text();
  expect(text).toContain('pitwall_gateway_shards_ready 1\n');
  expect(text).toContain('pitwall_interactions_total{command="car",outcome="answered"} 1\n');

  now = { ...sample, gateway: { ...sample.gateway, ready: 0 }, budget: null };
  expect((await ask(operator, '/healthz')).status).toBe(503);
  expect(await (await ask(operator, '/metrics')).text()).toContain('pitwall_gateway_shards_ready 0\n');
});

test('a part that cannot say how it is makes the answer 500, and is reported', async ({
  operator,
  failures,
}) => {
  operator.watch(() => Promise.reject(new Error('no idea')));
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect((await ask(operator, path)).status).toBe(500);
  expect(failures).toHaveLength(3);
});
