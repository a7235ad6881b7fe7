/** A folder with a store of its own for each test. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { test as base } from 'vitest';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { ledgerTables } from '../../../src/service/budget/ledger/tables.ts';
import { openSqliteStores } from '../../../src/store/sqlite/open.ts';
import { readStored } from '../../support/personal-data.ts';
import { type Opened, withRooms } from '../support.ts';

interface OwnData {
  /** Resolves with the file of `/privacy`. */
  stored(personId: string): Promise<Awaited<ReturnType<typeof readStored>>['file']>;
}

export interface TestFile {
  readonly folder: string;
  readonly file: string;
  /** Lines of the log. */
  readonly logged: readonly string[];
  /** What is still open at the end is closed. */
  open(file?: string): Promise<Opened & OwnData>;
  /** As another program would, on a connection of its own. */
  sql(statements: string): void;
  /** The first column of the first row that a query finds. */
  ask(query: string): unknown;
  /** The files of the folder that hold this text anywhere. */
  holding(text: string): readonly string[];
}

export const test = base.extend<{ place: TestFile }>({
  place: async ({ task: _ }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'pitwall-sqlite-'));
    const file = join(folder, 'store.sqlite');
    const logged: string[] = [];
    const log = createLog({
      level: 'debug',
      secrets: [],
      stream: { write: (line) => void logged.push(line) },
    });
    const opened = new Set<Opened>();
    await use({
      folder,
      file,
      logged,
      async open(at = file) {
        const stores = withRooms(await openSqliteStores(at, { clock, log }, ledgerTables), log);
        opened.add(stores);
        const close = async (): Promise<void> => {
          if (!opened.delete(stores)) return;
          await stores.close();
        };
        return {
          ...stores,
          stored: async (personId) => (await readStored(personId, stores.documents)).file,
          close,
        };
      },
      sql(statements) {
        using database = new DatabaseSync(file);
        database.exec(statements);
      },
      ask(query) {
        using database = new DatabaseSync(file);
        return Object.values(database.prepare(query).get() ?? {})[0];
      },
      holding: (text) =>
        readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text)),
    });
    for (const { close } of opened) await close();
    rmSync(folder, { recursive: true, force: true });
  },
});

/** A file that version 1.0.0 wrote. */
export function readFirstFile(): Buffer {
  return gunzipSync(readFileSync(new URL('./store-1.0.0.sqlite.gz', import.meta.url)));
}

/** Opens the file of version 1.0.0. */
export async function openFirst({ file, open }: Pick<TestFile, 'file' | 'open'>) {
  writeFileSync(file, readFirstFile());
  return open();
}
