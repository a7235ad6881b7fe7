import { test as base, expect } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { systemClock as clock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { openOperator } from '../../../src/bot/operator/operator.ts';
import type { Sample } from '../../../src/bot/operator/sample.ts';
import { noFacts } from '../../../src/service/models/facts.ts';
import { sample } from './samples.ts';

type Operator = Awaited<ReturnType<typeof openOperator>>;

const test = base.extend<{ lines: string[]; operator: Operator }>({
  lines: async ({ task: _ }, use) => use([]),
  operator: async ({ lines }, use) => {
    await using resources = new AsyncDisposableStack();
    const log = createLog({
      level: 'error',
      secrets: [],
      stream: { write: (line) => void lines.push(line) },
    });
    await use(await openOperator({ host: '127.0.0.1', port: 0 }, { clock, log, resources }));
  },
});

const ask = ({ port }: Operator, path: string) => fetch(`http://127.0.0.1:${port}${path}`);

/** A bot whose parts say that, but for the data service, which has answered nothing yet. */
function botOf(now: () => Sample): Parameters<Operator['watch']>[0] {
  const { gateway, calls, boards } = now();
  return {
    store: { copies: null },
    storeHealth: () => now().store,
    dataService: {
      ledger: {
        snapshot: async () => now().budget ?? Promise.reject(new Error('away')),
      },
      poll: { facts: noFacts, watch: () => () => {} },
      calls: { counts: () => calls.counts, cache: () => calls.cache, faultOf: () => null },
    },
    connection: {
      gatewayState: () => now().gateway,
      latency: () => gateway.latency,
      clockSkew: () => null,
      requests: { results: new Map() },
    },
    shards: { count: () => gateway.ownShards },
    outbox: { outcomes: new Map() },
    boards: { statuses: () => boards.statuses, writes: boards.writes },
  } as unknown as Parameters<Operator['watch']>[0];
}

test('a bot that is starting is not healthy, and has figures of its process alone', async ({ operator }) => {
  for (const path of ['/healthz', '/readyz']) {
    const answer = await ask(operator, path);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ status: 'failing', checks: { start: { ok: false } } });
  }
  const metrics = await (await ask(operator, '/metrics')).text();
  expect(metrics).toContain(`pitwall_build_info{version="${manifest.version}"} 1\n`);
  expect(metrics).toMatch(/^process_resident_memory_bytes \d{6,}$/m);
  expect(metrics).not.toMatch(/^pitwall_gateway_shards/m);
});

test('a standby is alive and ready, and says that it is one', async ({ operator }) => {
  operator.standBy(true);
  for (const path of ['/healthz', '/readyz']) {
    const answer = await ask(operator, path);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: 'ok', role: 'standby' });
  }
  expect(await (await ask(operator, '/metrics')).text()).toContain('pitwall_standby 1\n');
  operator.standBy(false);
  expect((await ask(operator, '/healthz')).status).toBe(503);
  operator.watch(botOf(() => sample));
  expect(await (await ask(operator, '/healthz')).json()).toMatchObject({ status: 'ok', role: 'active' });
  expect(await (await ask(operator, '/metrics')).text()).toContain('pitwall_standby 0\n');
});

test('once it runs, each answer is about the moment it was asked at', async ({ operator }) => {
  let now = sample;
  operator.watch(botOf(() => now));
  operator.count({ command: 'car', outcome: 'answered', acknowledgedAfter: 10 });
  expect((await ask(operator, '/healthz')).status).toBe(200);
  const metrics = await ask(operator, '/metrics');
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await metrics.text();
  expect(text).toContain('pitwall_gateway_shards_ready 1\n');
  expect(text).toContain('pitwall_interactions_total{command="car",outcome="answered"} 1\n');

  now = { ...sample, gateway: { ...sample.gateway, ready: 0 }, budget: null };
  expect((await ask(operator, '/healthz')).status).toBe(503);
  expect(await (await ask(operator, '/readyz')).json()).toMatchObject({
    checks: { store: { ok: false, detail: 'does not answer' }, data: { ok: false } },
  });
  expect(await (await ask(operator, '/metrics')).text()).toContain('pitwall_gateway_shards_ready 0\n');
});

test('a part that cannot say how it is makes the answer 500, and is reported', async ({
  operator,
  lines,
}) => {
  operator.watch({
    ...botOf(() => sample),
    storeHealth() {
      throw new Error('no idea');
    },
  });
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect((await ask(operator, path)).status).toBe(500);
  expect(lines.filter((line) => line.includes('no idea'))).toHaveLength(3);
});
