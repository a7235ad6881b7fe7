/** `npm run move -- URL`: copies the store of STORE_URL into another, empty one, while no bot runs. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { systemClock as clock } from '../base/clock.ts';
import type { StorePlace } from '../base/config/store-place.ts';
import { readStorePlace } from '../base/config.ts';
import { readEnvironment } from '../base/environment.ts';
import { StartError, StoreError } from '../base/errors.ts';
import { createLog } from '../base/log.ts';
import { ledgerTables } from '../service/budget/ledger/tables.ts';
import { EARLIER_COLLECTIONS, VERSIONS } from '../store/documents.ts';
import { copyStore } from '../store/move.ts';
import { openStore } from '../store/open.ts';
import { copyPath, historyFile } from '../store/sqlite/copies.ts';

const USAGE =
  'npm run move -- URL copies the store of STORE_URL, with its history, into an empty one: sqlite://FILE or postgres://…; stop the bots first';

process.exitCode = await main();

async function main(): Promise<number> {
  const [, , url = ''] = process.argv;
  if (url === '--help') {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  process.umask(0o077);
  try {
    if (url === '' || url.startsWith('-')) throw new StartError(`name the new store: ${USAGE}`);
    const [from, to] = [placeAt(readEnvironment()), placeAt({ STORE_URL: url })];
    const moved = to.kind === 'sqlite' ? await moveIntoFile(from, to.file) : await copy(from, to);
    process.stdout.write(
      `${moved.documents} documents and ${moved.rows} rows of history are in the new store; set STORE_URL to it before you start a bot\n`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof StartError || error instanceof StoreError)) throw error;
    process.stderr.write(`Nothing moved: ${error.message}\n`);
    return 1;
  }
}

function placeAt(environment: Parameters<typeof readStorePlace>[0]): StorePlace {
  const place = readStorePlace(environment);
  if ('wrong' in place) throw new StartError(`STORE_URL ${place.wrong}; expected: ${place.expected}`);
  return place;
}

/** The file has another name until it is whole, so that no bot begins with a part. */
async function moveIntoFile(from: StorePlace, file: string): ReturnType<typeof copyStore> {
  for (const path of [file, historyFile(file)])
    if (existsSync(path)) throw new StartError(`${path} exists already; name another file`);
  const unfinished = copyPath(file, 'unfinished');
  for (const path of [unfinished, historyFile(unfinished)]) rmSync(path, { force: true });
  const moved = await copy(from, { kind: 'sqlite', file: unfinished });
  rmSync(`${unfinished}.lock`, { force: true });
  renameSync(historyFile(unfinished), historyFile(file));
  renameSync(unfinished, file);
  return moved;
}

async function copy(place: StorePlace, newPlace: StorePlace): ReturnType<typeof copyStore> {
  await using resources = new AsyncDisposableStack();
  const secrets = [place, newPlace].flatMap((each) => (each.kind === 'postgres' ? each.secrets : []));
  const runtime = { clock, resources, log: createLog({ level: 'warn', secrets }) };
  if (place.kind === 'sqlite' && !existsSync(place.file))
    throw new StartError(`${place.file} does not exist`);
  const lock = { shards: 'auto', standBy: refuseRunning } as const;
  const from = await openStore(place, ledgerTables, lock, runtime);
  if (from.historyTrouble !== null) throw new StartError(from.historyTrouble);
  const to = await openStore(newPlace, ledgerTables, lock, runtime);
  if ((await to.documents.all(VERSIONS)).size > 0)
    throw new StartError(
      'the new store is not empty; name another one, or DROP SCHEMA pitwall CASCADE there',
    );
  const moved = await copyStore(from, to, { without: EARLIER_COLLECTIONS });
  for (const { lock: held } of [from, to]) await held.release();
  return moved;
}

function refuseRunning(machine: string): never {
  throw new StartError(`a bot runs on ${machine}; stop it first`);
}
