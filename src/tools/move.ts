/** `npm run move -- FILE`: copies what a Redis holds into a new file, while no bot runs. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { systemClock as clock } from '../base/clock.ts';
import { readStorePlace } from '../base/config.ts';
import { readEnvironment } from '../base/environment.ts';
import { StartError, StoreError } from '../base/errors.ts';
import { createLog } from '../base/log.ts';
import { kinds } from '../history/kinds.ts';
import { ledgerTables } from '../service/budget/ledger/sqlite.ts';
import { CLAIMS_KEY, claimsDocuments } from '../shards/claims-document.ts';
import { clusterStates, earlierFences } from '../shards/earlier-leases.ts';
import { readDocument } from '../store/collection.ts';
import { copyStore } from '../store/move.ts';
import { openRedisStores } from '../store/redis/open.ts';
import { copyPath, historyFile } from '../store/sqlite/copies.ts';
import { openSqliteStores } from '../store/sqlite/open.ts';
import type { Stores } from '../store/stores.ts';

const USAGE =
  'npm run move -- FILE copies the Redis of STORE_URL into that new file, with its history; stop the bots first';

process.exitCode = await main();

async function main(): Promise<number> {
  const [, , file = null] = process.argv;
  if (file === '--help') {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  process.umask(0o077);
  try {
    if (file === null || file.startsWith('-')) throw new StartError(`name the new file: ${USAGE}`);
    const place = readStorePlace(readEnvironment());
    if ('wrong' in place) throw new StartError(`STORE_URL ${place.wrong}; expected: ${place.expected}`);
    if (place.kind !== 'redis')
      throw new StartError('STORE_URL names a file already; there is nothing to move');
    process.stdout.write(`${await moveInto(file, place)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof StartError || error instanceof StoreError)) throw error;
    process.stderr.write(`Nothing moved: ${error.message}\n`);
    return 1;
  }
}

/** Resolves with what it says on success. Until then the file has another name, so that no bot begins with a part. */
async function moveInto(
  file: string,
  { url, password }: { readonly url: string; readonly password: readonly string[] },
): Promise<string> {
  for (const path of [file, historyFile(file)])
    if (existsSync(path)) throw new StartError(`${path} exists already; name another file`);
  const log = createLog({ level: 'warn', secrets: password });
  const from = await openRedisStores(url, { log, clock });
  const unfinished = copyPath(file, 'unfinished');
  try {
    await refuseRunning(from);
    for (const path of [unfinished, historyFile(unfinished)]) rmSync(path, { force: true });
    const to = await openSqliteStores(unfinished, { log, clock }, ledgerTables);
    const without = [claimsDocuments, clusterStates, earlierFences].map(({ name }) => name);
    const moved = await copyStore(from, to, { kinds: Object.keys(kinds), without }).finally(() => to.close());
    rmSync(`${unfinished}.lock`, { force: true });
    renameSync(historyFile(unfinished), historyFile(file));
    renameSync(unfinished, file);
    return `${file} holds ${moved.documents} documents and ${moved.chunks} parts of history; set STORE_URL=sqlite://${file}, and keep the bots off Redis`;
  } finally {
    await from.close();
  }
}

async function refuseRunning({ documents }: Pick<Stores, 'documents'>): Promise<void> {
  const { now } = await documents.read(claimsDocuments.name, CLAIMS_KEY);
  const claims = (await readDocument(documents, claimsDocuments, CLAIMS_KEY))?.claims ?? [];
  const running = claims.find(({ until }) => until > now);
  if (running !== undefined) throw new StartError(`a bot runs on ${running.host}; stop it first`);
}
