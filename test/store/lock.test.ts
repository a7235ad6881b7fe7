/** One process has the right to work, whatever happens to it, to the others and to the database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock as clock } from '../../src/base/clock.ts';
import type { ShardsSetting } from '../../src/base/config/shards-setting.ts';
import type { PostgresAddress } from '../../src/base/config/store-place.ts';
import { StartError, StoreError } from '../../src/base/errors.ts';
import { createLog } from '../../src/base/log.ts';
import { ledgerTables } from '../../src/service/budget/ledger/tables.ts';
import { openPostgresStores } from '../../src/store/postgres/open.ts';
import { openSqliteStores } from '../../src/store/sqlite/open.ts';
import type { Stores } from '../../src/store/stores.ts';
import {
  createDatabase,
  createPostgres,
  type PostgresServer,
  type TestDatabase,
} from '../support/postgres.ts';
import { startProxy } from '../support/postgres-proxy.ts';
import { hasPostgres } from '../support/requirements.ts';
import { historyMark, markHistory } from './support.ts';

const log = createLog({ level: 'silent', secrets: [] });
const document = { collection: 'c', key: 'k', text: '"kept"' };

/** Says what the start after an end knows of that. */
async function endsInOrder(open: () => Promise<Stores>): Promise<readonly boolean[]> {
  const known: boolean[] = [];
  for (const isInOrder of [true, false, true, true]) {
    const { lock, close } = await open();
    known.push(lock.isAfterCrash);
    if (isInOrder) await lock.release();
    await close();
  }
  return known;
}

test('a start with a file knows whether the process before ended in order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-lock-'));
  const open = () => openSqliteStores(join(folder, 'store.sqlite'), { log, clock }, ledgerTables);
  expect(await endsInOrder(open)).toEqual([false, false, true, false]);
  rmSync(folder, { recursive: true });
});

describe.runIf(hasPostgres)('with PostgreSQL (needs postgres)', () => {
  let server: PostgresServer;
  let database: TestDatabase;
  let ends: (() => Promise<void>)[] = [];

  /** A process that opens the store: it works, waits, or is refused. */
  function start(shards: ShardsSetting = 'auto', address: PostgresAddress = database.address) {
    const stopping = new AbortController();
    const waited = Promise.withResolvers<'waits'>();
    const standBy = (): void => waited.resolve('waits');
    const works = openPostgresStores(
      address,
      { shards, standBy, log, clock, signal: stopping.signal },
      ledgerTables,
    );
    ends.push(async () => {
      stopping.abort();
      await works.then(({ close }) => close()).catch(() => {});
    });
    const begins = Promise.race([works.then(() => 'works'), waited.promise]);
    works.catch(() => {});
    begins.catch(() => {});
    return { works, begins };
  }
  /** Ends all sessions of the processes, as a killed process or an administrator would. */
  const endSessions = () =>
    database.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );

  beforeAll(async () => {
    server = createPostgres();
    await server.start();
  });
  afterAll(() => server.end());
  afterEach(async () => {
    for (const end of ends) await end().catch(() => {});
    ends = [];
    await database.drop();
  });
  const withDatabase = (title: string, body: () => Promise<void>, timeout?: number): void =>
    test(
      title,
      async () => {
        database = await createDatabase(server);
        await body();
      },
      timeout,
    );

  withDatabase('of three that start at once one works, and the next one when that ends', async () => {
    const all = [start(), start(), start()];
    const begun = await Promise.all(all.map(({ begins }) => begins));
    expect(begun.toSorted()).toEqual(['waits', 'waits', 'works']);
    const first = await Promise.race(all.map(({ works }) => works));
    expect([await first.lock.hasStandby(), await first.lock.countHolders()]).toEqual([true, 1]);
    await first.lock.release();
    await expect(first.documents.commit([], [document])).rejects.toThrow(StoreError);
    const others = all.map(({ works }) => works.then((stores) => stores !== first && stores));
    const second = await Promise.race(
      others.map(async (other) => (await other) || new Promise<never>(() => {})),
    );
    expect([second.lock.isSure(), first.lock.isSure(), second.lock.isAfterCrash]).toEqual([
      true,
      false,
      false,
    ]);
    await second.documents.commit([], [document]);
  });

  withDatabase('a process after which another one works writes nothing, of whatever kind', async () => {
    await using proxy = await startProxy(server);
    const one = await start('auto', { ...database.address, ...proxy.place }).works;
    await markHistory(one.history, 'counts');
    const names = one.namespace('names', { maxRows: 9, maxBytes: 999 });
    const next = start();
    await next.begins;
    proxy.refuse();
    const two = await next.works;
    expect(one.lock.isSure()).toBe(false);
    proxy.refuse(false);
    await one.lock.lost;
    expect([one.lock.isSure(), two.lock.isSure(), two.lock.isAfterCrash]).toEqual([false, true, true]);
    const writes = [
      () => one.documents.commit([], [document]),
      () => markHistory(one.history, 'other'),
      () => names.set('a', 'b'),
      () => one.ledger.write(function* () {}),
    ];
    for (const write of writes) await expect(write()).rejects.toThrow(StoreError);
    expect(await historyMark(two.history)).toBe('counts');
    expect(await two.documents.all('c')).toEqual(new Map());
  });

  withDatabase('a process whose session ends alone goes on with a new one', async () => {
    const one = await start().works;
    await endSessions();
    await vi.waitFor(() => one.documents.commit([], [document]), 20_000);
    expect([one.lock.isSure(), await one.lock.countHolders()]).toEqual([true, 1]);
  });

  withDatabase(
    'after a restart of the database the same process works, although another one waits',
    async () => {
      const one = await start().works;
      const next = start();
      expect(await next.begins).toBe('waits');
      let isReplaced = false;
      void next.works.then(
        () => {
          isReplaced = true;
        },
        () => {},
      );
      await server.stop();
      await pause(3000);
      await server.start();
      const begun = performance.now();
      await vi.waitFor(() => one.documents.commit([], [document]), { timeout: 20_000, interval: 50 });
      process.stdout.write(
        `writes again ${Math.round(performance.now() - begun)} ms after the database is back\n`,
      );
      await pause(8000);
      expect([isReplaced, one.lock.isSure()]).toEqual([false, true]);
    },
    60_000,
  );

  withDatabase(
    'a process that is cut off is never sure together with the one that takes over',
    async () => {
      await using proxy = await startProxy(server);
      const one = await start('auto', { ...database.address, ...proxy.place }).works;
      const next = start();
      await next.begins;
      let [areBothSure, noneSince] = [false, 0];
      let works = 0;
      void next.works.then(() => {
        works = performance.now();
      });
      proxy.swallow();
      const begun = performance.now();
      while (works === 0 || performance.now() - works < 1000) {
        await pause(20);
        areBothSure ||= one.lock.isSure() && works !== 0;
        if (noneSince === 0 && !one.lock.isSure()) noneSince = performance.now();
      }
      process.stdout.write(
        `swallowed: another works after ${Math.round(works - begun)} ms, nobody for ${Math.round(works - noneSince)} ms\n`,
      );
      expect(areBothSure).toBe(false);
    },
    60_000,
  );

  describe('ranges', () => {
    const [low, high] = [
      { first: 0, last: 0, total: 2 },
      { first: 1, last: 1, total: 2 },
    ];

    withDatabase('that do not overlap work side by side, each with a process that waits', async () => {
      const [one, two] = await Promise.all([start(low).works, start(high).works]);
      const third = start(high);
      expect(await third.begins).toBe('waits');
      expect([await one.lock.countHolders(), one.hasPeers]).toEqual([2, true]);
      expect([await one.lock.hasStandby(), await two.lock.hasStandby()]).toEqual([false, true]);
      await two.lock.release();
      expect((await third.works).lock.isSure()).toBe(true);
      await one.documents.commit([], [document]);
    });

    for (const [what, other] of Object.entries({
      'a part of it': low,
      'shards of another number': { first: 2, last: 3, total: 4 },
      'all that Discord recommends': 'auto',
    } as const))
      withDatabase(`end the process whose range overlaps: ${what}`, async () => {
        await start({ first: 0, last: 1, total: 2 }).works;
        const why = await start(other).works.catch((error: unknown) => error);
        expect(why).toBeInstanceOf(StartError);
        expect(why).toMatchObject({
          exitCode: 78,
          message: expect.stringMatching(/on \S+, has the shards 0-1\/2/),
        });
      });

    withDatabase('of a process that died keep nobody from another number of shards', async () => {
      const one = await start(low).works;
      await one.close();
      const two = await start('auto').works;
      expect([two.lock.isAfterCrash, await two.lock.countHolders(), two.hasPeers]).toEqual([true, 1, false]);
    });
  });

  withDatabase('a start knows whether the process before ended in order', async () => {
    expect(await endsInOrder(() => start().works)).toEqual([false, false, true, false]);
  });
});
