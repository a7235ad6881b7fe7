/** `npm run move` as a process: a store in another one, with its history, and what stays where it was. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../src/base/clock.ts';
import { DAY, HOUR, MINUTE } from '../../src/base/duration.ts';
import { createLog } from '../../src/base/log.ts';
import { addMinutes, readPoints, steps } from '../../src/community/history/counts.ts';
import { addReadings, readReading, selectReadings } from '../../src/community/history/readings.ts';
import { ledgerTables } from '../../src/service/budget/ledger/tables.ts';
import { openPostgresStores } from '../../src/store/postgres/open.ts';
import { openSqliteStores } from '../../src/store/sqlite/open.ts';
import { type Opened, withRooms } from '../store/support.ts';
import { fromSources } from '../support/from-sources.ts';
import { ownRange } from '../support/own-range.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { runProgram } from '../support/program.ts';
import { hasPostgres } from '../support/requirements.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitwall-move-'));
afterAll(() => rmSync(folder, { recursive: true }));
const log = createLog({ level: 'error', secrets: [] });

const move = (STORE_URL: string, ...given: readonly string[]) =>
  runProgram(fileURLToPath(new URL('../../src/tools/move.ts', import.meta.url)), given, {
    env: { ...fromSources, STORE_URL },
  });

const openFile = async (file: string) =>
  withRooms(await openSqliteStores(file, { log, clock }, ledgerTables));

const span = { from: 0, to: 500 * HOUR };
const minutes = Array.from({ length: 450 }, (_, hour) => ({
  ...{ place: 'one' as const, minute: { at: hour * HOUR, drivers: hour % 7, most: 9, police: null } },
}));
const reading = { driver: 'Ann', reading: { at: DAY, figures: { money: 0.5 } } };

async function fill({ links, documents, history }: Opened): Promise<void> {
  for (let person = 1; person <= 450; person += 1)
    await links.set(`${person}`, { username: `driver ${person}`, since: 1 });
  await documents.commit([], [{ collection: 'of a newer version', key: 'ü 😀', text: '"\\u0000"' }]);
  await history.write(function* () {
    yield* addMinutes(minutes, history);
    yield* addReadings([reading], history);
  });
}

async function expectFilled({ links, documents, history, ledger }: Opened): Promise<void> {
  expect((await links.of('450'))?.username).toBe('driver 450');
  expect([...(await documents.all('people')).keys()]).toHaveLength(450);
  expect(await documents.all('of a newer version')).toEqual(new Map([['ü 😀', '"\\u0000"']]));
  const [, , hour] = steps;
  expect(await readPoints('one', hour, span, history)).toEqual(
    minutes.map(({ minute }) => ({ ...minute, known: MINUTE })),
  );
  const [row] = await history.read(selectReadings('ann'));
  expect(row && readReading(row)).toEqual({ key: 'ann', ...reading, driver: 'ann' });
  expect((await ledger.snapshot()).spent).toMatchObject({ interactive: 0, background: 0 });
}

test('refuses a file in use, an existing or missing one, and Redis', async () => {
  const file = join(folder, 'used.sqlite');
  const other = `sqlite://${join(folder, 'other.sqlite')}`;
  const stores = await openFile(file);
  expect((await move(`sqlite://${file}`, other)).stderr).toMatch(/^Nothing moved: .*in use by another/);
  await stores.close();
  expect((await move(`sqlite://${file}`, `sqlite://${file}`)).stderr).toMatch(/exists already/);
  expect((await move(other, `sqlite://${join(folder, 'new.sqlite')}`)).stderr).toMatch(/does not exist/);
  expect((await move('redis://127.0.0.1:9', other)).stderr).toMatch(/with version 2\.0\.0, stop the bots/);
  expect((await move(other)).stderr).toMatch(/name the new store: npm run move/);
  expect(existsSync(join(folder, 'other.sqlite'))).toBe(false);
});

describe.runIf(hasPostgres)('with PostgreSQL (needs postgres)', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  test('copies every document, of unknown collections too, and history, there and back', async () => {
    const [first, second] = [join(folder, 'first.sqlite'), join(folder, 'second.sqlite')];
    const from = await openFile(first);
    await fill(from);
    await from.ledger.take('interactive', 1000);
    await from.close();

    const there = await move(`sqlite://${first}`, database.url);
    expect(there).toMatchObject({ code: 0, stderr: '' });
    expect(there.stdout).toContain('901 documents and 1804 rows of history are in the new store');
    const between = withRooms(
      await openPostgresStores(database.address, { log, clock, ...ownRange() }, ledgerTables),
    );
    await expectFilled(between);
    await between.close();
    expect((await move(`sqlite://${first}`, database.url)).stderr).toMatch(/the new store is not empty/);

    expect(await move(database.url, `sqlite://${second}`)).toMatchObject({ code: 0, stderr: '' });
    const to = await openFile(second);
    await expectFilled(to);
    await to.close();
    expect(readdirSync(folder).filter((name) => /unfinished|-wal/.test(name))).toEqual([]);
  });
});
