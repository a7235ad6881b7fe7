/** What only a store across a network can do: be out of reach, hang, refuse, or be something else than it should be. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock as clock } from '../../../src/base/clock.ts';
import type { PostgresAddress } from '../../../src/base/config/store-place.ts';
import { StoreError } from '../../../src/base/errors.ts';
import { createLog } from '../../../src/base/log.ts';
import { sql } from '../../../src/base/sql.ts';
import { ledgerTables } from '../../../src/service/budget/ledger/tables.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import { openSession } from '../../../src/store/postgres/session.ts';
import { probeStore } from '../../../src/store/probe.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { storeFindings } from '../../../src/tools/doctor/examine.ts';
import { ownRange } from '../../support/own-range.ts';
import {
  asServer,
  createDatabase,
  createPostgres,
  type PostgresServer,
  type TestDatabase,
} from '../../support/postgres.ts';
import { startProxy } from '../../support/postgres-proxy.ts';
import { hasPgbouncer, hasPostgres } from '../../support/requirements.ts';

describe.runIf(hasPostgres)('PostgreSQL (needs postgres)', () => {
  let server: PostgresServer;
  let database: TestDatabase;
  const logged: string[] = [];
  let opened: Stores[] = [];
  // Without any secret to hide: none may reach the log in the first place.
  const log = createLog({ level: 'debug', secrets: [], stream: { write: (line) => void logged.push(line) } });

  async function open(address: PostgresAddress = database.address, timeoutMs = 500): Promise<Stores> {
    const stores = await openPostgresStores(address, { log, clock, timeoutMs, ...ownRange() }, ledgerTables);
    opened.push(stores);
    return stores;
  }

  beforeAll(async () => {
    server = createPostgres();
    await server.start();
    database = await createDatabase(server);
  });
  afterEach(async () => {
    for (const stores of opened) await stores.close();
    opened = [];
    logged.length = 0;
  });
  afterAll(() => server.end());

  const document = (text: string) => [{ collection: 'c', key: 'k', text }];
  const events = () =>
    logged.flatMap((line) => /"msg":"PostgreSQL is (?:unreachable|back)/.exec(line)?.[0].slice(21) ?? []);

  test('that is killed fails at once, is reported once, and is back after its return', async () => {
    const store = await open();
    await store.documents.commit([], document('1'));
    for (const signal of ['SIGQUIT', 'SIGINT'] as const) {
      logged.length = 0;
      await server.stop(signal);
      for (let round = 0; round < 20; round += 1) {
        const begun = performance.now();
        await expect(store.documents.read('c', 'k')).rejects.toThrow(StoreError);
        await expect(store.documents.commit([], document('2'))).rejects.toThrow(StoreError);
        expect(performance.now() - begun).toBeLessThan(2000);
      }
      await server.start();
      await vi.waitFor(async () => {
        await store.documents.commit([], document('3'));
        expect((await store.documents.read('c', 'k')).text).toBe('3');
      }, 20_000);
      await vi.waitFor(() => expect(events()).toEqual(['unreachable', 'back']), 20_000);
    }
  });

  test('that swallows what it is sent ends the session after five seconds', async () => {
    await using proxy = await startProxy(server);
    const session = await openSession({ ...database.address, ...proxy.place }, { clock, isReadOnly: false });
    proxy.swallow();
    const begun = performance.now();
    await expect(session.query(sql`SELECT 1`)).rejects.toThrow(StoreError);
    expect((await session.ended).message).toMatch(/does not answer/);
    expect(performance.now() - begun).toBeGreaterThan(4900);
    expect(session.silentMs()).toBeGreaterThan(4900);
    await expect(session.query(sql`SELECT 1`)).rejects.toThrow(StoreError);
  });

  test('ends a session that is silent for ten seconds, whatever its machine says', async () => {
    await using proxy = await startProxy(server);
    const session = await openSession({ ...database.address, ...proxy.place }, { clock, isReadOnly: false });
    await session.query(sql`SELECT set_config('application_name', 'silent', false)`);
    const isThere = async () =>
      (await database.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'silent'`)).length > 0;
    expect(await isThere()).toBe(true);
    // The server still acknowledges each packet, and hears nothing.
    proxy.swallow();
    const begun = performance.now();
    await vi.waitFor(async () => expect(await isThere()).toBe(false), { timeout: 20_000, interval: 200 });
    expect(performance.now() - begun).toBeLessThan(13_000);
  });

  test('lets no session write that only reads, and one transaction at a time', async () => {
    await open();
    const reader = await openSession(database.address, { clock, isReadOnly: true });
    await expect(reader.query(sql`DELETE FROM documents`)).rejects.toThrow(/takes no writes/);
    reader.end();
    const [one, two] = [
      await openSession(database.address, { clock, isReadOnly: false }),
      await openSession(database.address, { clock, isReadOnly: false }),
    ];
    const order: string[] = [];
    const work = (name: string) =>
      function* () {
        order.push(name);
        yield sql`SELECT pg_sleep(0.2)`;
        order.push(name);
      };
    await Promise.all([one.transaction(work('one')), two.transaction(work('two'))]);
    expect(order.slice(0, 2)).toEqual([order[0], order[0]]);
    one.end();
    two.end();
  });

  test.for([
    ['a database that does not exist', { database: 'nothing' }, 78, /has no database of this name/],
    ['a user that does not exist', { user: 'nobody' }, 78, /rejects the user name or password/],
    ['a port where nothing listens', { host: '127.0.0.1', port: 9 }, 75, /does not answer \(ECONNREFUSED\)/],
    ['TLS that it does not speak', { isEncrypted: true }, 78, /no TLS connection/],
  ] as const)('refuses %s', async ([, wrong, exitCode, says]) => {
    await using proxy = await startProxy(server);
    const address = { ...database.address, ...('isEncrypted' in wrong ? proxy.place : {}), ...wrong };
    await expect(open({ ...address, password: 's3cret' })).rejects.toMatchObject({
      exitCode,
      message: expect.stringMatching(says),
    });
    expect(logged.join('')).not.toContain('s3cret');
  });

  test('of a newer version is refused and left alone', async () => {
    const newer = await createDatabase(server);
    await (await open(newer.address)).close();
    await newer.query('UPDATE pitwall.store SET format = 99');
    await expect(open(newer.address)).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining('a newer version of Pitwall wrote this database'),
    });
    await newer.drop();
  });

  test.runIf(hasPgbouncer)('behind a pooler is refused (needs pgbouncer)', async () => {
    for (const ignored of ['', 'options']) {
      await using pooler = await startPooler(server, ignored);
      await expect(open({ ...database.address, ...pooler.place })).rejects.toMatchObject({
        exitCode: 78,
        message: expect.stringContaining('a pooler such as pgbouncer answers here'),
      });
    }
  });

  test('is described by the doctor, with its boards and what would lose data', async () => {
    const empty = await createDatabase(server);
    const look = async ({ address }: TestDatabase) => {
      const { close, ...probe } = await probeStore({ kind: 'postgres', address, secrets: [] }, ['c']);
      close();
      return { ...probe, findings: storeFindings(probe.facts) };
    };
    expect((await look(empty)).ledger).toBeNull();
    expect(await empty.query(`SELECT to_regnamespace('pitwall') AS made`)).toEqual([{ made: null }]);
    await (await open()).documents.commit([], document('kept'));
    const { documents, ledger, findings } = await look(database);
    expect([...documents]).toEqual([['c', ['kept']]]);
    expect(ledger?.isShared).toBe(true);
    expect(findings).toMatchObject([{ verdict: 'warning', todo: 'In PostgreSQL, set fsync on.' }]);
    await empty.drop();
  });
});

/** In transaction mode. `ignored`: what it takes from a client and passes on to nobody. */
async function startPooler({ folder }: PostgresServer, ignored: string) {
  const settings = join(folder, 'pgbouncer.ini');
  const lines = [
    ...[
      '[databases]',
      `* = host=${folder}`,
      '[pgbouncer]',
      'listen_port = 6432',
      `unix_socket_dir = ${folder}`,
    ],
    ...['auth_type = trust', `auth_file = ${folder}/users`, 'pool_mode = transaction', 'listen_addr ='],
    `ignore_startup_parameters = ${ignored}`,
  ];
  writeFileSync(settings, `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'users'), '"pitwall" ""\n');
  const child = spawn('pgbouncer', [settings], { ...asServer, stdio: 'pipe' });
  await vi.waitFor(() => expect(existsSync(join(folder, '.s.PGSQL.6432'))).toBe(true), 10_000);
  return {
    place: { port: 6432 },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(join(folder, '.s.PGSQL.6432'), { force: true });
    },
  };
}
