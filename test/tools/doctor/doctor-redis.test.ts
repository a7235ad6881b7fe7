/** What the doctor says of a Redis that runs. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { createStoredBoards } from '../../../src/board/stored-boards.ts';
import { newBoardOptions } from '../../../src/service/models/board.ts';
import { probeStore } from '../../../src/store/probe.ts';
import { openRedisStores } from '../../../src/store/redis/open.ts';
import { storeFindings } from '../../../src/tools/doctor/examine.ts';
import { createRedis, type RedisServer, TestClient } from '../../support/redis.ts';
import { hasRedis } from '../../support/requirements.ts';

const board = {
  ...{ guildId: '1', channelId: '7', madeBy: '2', locale: 'de', colours: true, madeAt: 0, removed: false },
  options: newBoardOptions,
};

describe.runIf(hasRedis)('Redis (needs redis-server)', () => {
  let redis: RedisServer;
  let admin: TestClient;

  beforeAll(async () => {
    redis = await createRedis();
    await redis.start();
    admin = new TestClient(redis.port);
    await admin.ready();
  });
  afterAll(async () => {
    admin.close();
    await redis.end();
  });

  async function look(userinfo = '') {
    const url = `redis://${userinfo}127.0.0.1:${redis.port}/0`;
    const { close, ...probe } = await probeStore({ kind: 'redis', url, password: [] }, ['boards']);
    const findings = storeFindings(probe.facts).map(({ verdict, says, todo }) => ({ verdict, says, todo }));
    close();
    return { ...probe, findings };
  }

  test('in order is fine; its boards are found, and nothing is left behind', async () => {
    const log = createLog({ level: 'silent', secrets: [] });
    const stores = await openRedisStores(`redis://127.0.0.1:${redis.port}/0`, { log, clock });
    await createStoredBoards(stores.documents).add(board);
    await stores.close();
    const before = await admin.command('DBSIZE');
    const { findings, documents, backend } = await look();
    expect(findings.map(({ verdict }) => verdict)).toEqual(['ok']);
    expect([...documents]).toEqual([['boards', [JSON.stringify(board)]]]);
    expect(backend).not.toBeNull();
    // Its mark ends by itself.
    expect(await admin.command('PTTL', 'pitwall:doctor')).not.toBe(-1);
    await admin.command('DEL', 'pitwall:doctor');
    expect(await admin.command('DBSIZE')).toBe(before);
  });

  test('that forgets, evicts and has hardly any memory left is told what to change', async () => {
    await admin.command('CONFIG', 'SET', 'appendonly', 'no');
    await admin.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    await admin.command('CONFIG', 'SET', 'maxmemory', '64mb');
    const { findings } = await look();
    expect(findings.map(({ todo }) => todo)).toEqual([
      expect.stringContaining('maxmemory-policy noeviction'),
      expect.stringContaining('appendonly yes'),
    ]);
    await admin.command('CONFIG', 'SET', 'maxmemory', '0');
    await admin.command('CONFIG', 'SET', 'appendonly', 'yes');
  });

  test('whose user may not write is refused, and the password is not printed', async () => {
    await admin.command('ACL', 'SETUSER', 'reader', 'on', '>s3cret', '~*', '&*', '+@read', '+@connection');
    const { findings, backend } = await look('reader:s3cret@');
    expect(findings).toEqual([
      {
        verdict: 'failed',
        says: expect.stringContaining('its user may not run EVAL'),
        todo: expect.any(String),
      },
    ]);
    expect(backend).toBeNull();
    const wrong = await look('reader:wr0ng@');
    expect(wrong.findings[0]).toMatchObject({ verdict: 'failed' });
    expect(JSON.stringify([findings, wrong.findings])).not.toMatch(/s3cret|wr0ng/);
  });
});
