/** `npm run move` as a process: a store in another one, with its history, and what stays where it was. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { ledgerTables } from '../../src/service/budget/ledger/sqlite.ts';
import { CLAIMS_KEY, claimsDocuments, noClaims } from '../../src/shards/claims-document.ts';
import { openRedisStores } from '../../src/store/redis/open.ts';
import { openSqliteStores } from '../../src/store/sqlite/open.ts';
import { withRooms } from '../store/support.ts';
import { fromSources } from '../support/from-sources.ts';
import { runProgram } from '../support/program.ts';
import { createRedis, type RedisServer } from '../support/redis.ts';
import { hasRedis } from '../support/requirements.ts';

describe.runIf(hasRedis)('from Redis (needs redis-server)', () => {
  let redis: RedisServer;
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-move-'));
  const file = join(folder, 'pitwall.sqlite');
  const log = createLog({ level: 'error', secrets: [] });
  const url = () => `redis://127.0.0.1:${redis.port}`;
  const move = (given: readonly string[], STORE_URL = url()) =>
    runProgram(fileURLToPath(new URL('../../src/tools/move.ts', import.meta.url)), given, {
      env: { ...fromSources, STORE_URL },
    });

  beforeAll(async () => {
    redis = await createRedis();
    await redis.start();
  });
  afterAll(async () => {
    await redis.end();
    rmSync(folder, { recursive: true });
  });

  test('refuses a running bot, an existing file and a store that is a file', async () => {
    const stores = await openRedisStores(url(), { log, clock });
    const claim = { range: 'auto', holder: 'x', host: 'box', number: 1, until: Date.now() + 60_000 } as const;
    const document = { collection: claimsDocuments.name, key: CLAIMS_KEY };
    const text = claimsDocuments.encode({ ...noClaims, claims: [claim] });
    await stores.documents.commit([], [{ ...document, text }]);
    expect((await move([file])).stderr).toMatch(/^Nothing moved: a bot runs on box/);
    await stores.documents.commit([], [{ ...document, text: null }]);
    await stores.close();
    expect((await move([import.meta.filename])).stderr).toMatch(/exists already/);
    expect((await move([file], `sqlite://${file}`)).stderr).toMatch(/names a file already/);
    expect((await move([])).stderr).toMatch(/name the new file: npm run move/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('copies every document, also of collections it does not know, and history', async () => {
    const from = withRooms(await openRedisStores(url(), { log, clock }));
    for (let person = 1; person <= 450; person += 1)
      await from.links.set(`${person}`, { username: `driver ${person}`, since: 1 });
    await from.documents.commit([], [{ collection: 'of a newer version', key: 'ü 😀', text: '"\\u0000"' }]);
    const chunks = Array.from({ length: 450 }, (_, start) => ({
      ...{ kind: 'ten', key: 'one', start, text: `${start}` },
    }));
    await from.history.write(chunks);
    await from.close();

    const { code, stdout, stderr } = await move([file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`${file} holds 901 documents and 450 parts of history; set STORE_URL=sqlite://`);
    expect(readdirSync(folder).toSorted()).toEqual(['pitwall.history.sqlite', 'pitwall.sqlite']);
    const to = withRooms(await openSqliteStores(file, { log, clock }, ledgerTables));
    expect((await to.links.of('450'))?.username).toBe('driver 450');
    expect([...(await to.documents.all('people')).keys()]).toHaveLength(450);
    expect(await to.documents.all('of a newer version')).toEqual(new Map([['ü 😀', '"\\u0000"']]));
    expect(await to.history.readKind('ten', 0, 1000)).toEqual(chunks);
    expect((await to.ledger.snapshot()).spent).toMatchObject({ interactive: 0, background: 0 });
    await to.ledger.close();
    await to.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
  });
});
