/** How long Redis keeps a value: it counts in seconds by default, not milliseconds. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { openStore } from '../../../src/store/open.ts';
import { createRedis, type RedisServer, TestClient } from '../../support/redis.ts';
import { hasRedis } from '../../support/requirements.ts';
import { type Opened, withRooms } from '../support.ts';

const written: readonly {
  readonly what: string;
  readonly write: (stores: Opened) => Promise<unknown>;
  /** Milliseconds. */
  readonly lives: number;
  readonly keys: readonly string[];
}[] = [
  {
    what: 'a value and the order of writing',
    write: (stores) => stores.namespace('answers', { maxRows: 10, maxBytes: 10_000_000 }).set('ann', 1, 4000),
    lives: 4000,
    keys: ['pitwall:answers:=ann', 'pitwall:answers:order'],
  },
  {
    what: 'the order of writing, when a value comes that lives longer',
    write: async (stores) => {
      const keyv = stores.namespace('longer', { maxRows: 10, maxBytes: 10_000_000 });
      await keyv.set('ann', 1, 2000);
      await keyv.set('ben', 1, 4000);
    },
    lives: 4000,
    keys: ['pitwall:longer:order'],
  },
];

describe.runIf(hasRedis)('Redis keeps for the time that it was told (needs redis-server)', () => {
  let redis: RedisServer;
  let client: TestClient;
  let stores: Opened;
  const resources = new AsyncDisposableStack();

  beforeAll(async () => {
    redis = await createRedis();
    await redis.start();
    client = new TestClient(redis.port);
    await client.ready();
    const log = createLog({ level: 'silent', secrets: [] });
    const url = `redis://127.0.0.1:${redis.port}`;
    stores = withRooms(await openStore({ kind: 'redis', url, password: [] }, '', { clock, log, resources }));
  });
  afterAll(async () => {
    await resources.disposeAsync();
    client.close();
    await redis.end();
  });

  test.for(written)('$what', async ({ write, lives, keys }) => {
    await client.command('FLUSHALL');
    await write(stores);
    for (const key of keys) {
      const left = await client.command('PTTL', key);
      expect(left).toBeLessThanOrEqual(lives);
      expect(left).toBeGreaterThan(lives / 2);
    }
  });
});
