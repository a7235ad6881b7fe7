/**
 * A process that spends as much of a key as it is allowed to, through the bot's own layers: for tests that kill it.
 * Arguments: the service's address, and the store's as a setting.
 */
import { flushCompileCache } from 'node:module';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { readStorePlace } from '../../../src/base/config.ts';
import { ServiceError } from '../../../src/base/errors.ts';
import { createLog } from '../../../src/base/log.ts';
import { createBudget } from '../../../src/service/budget/budget.ts';
import type { Ledger } from '../../../src/service/budget/ledger/ledger.ts';
import { openLedger } from '../../../src/service/budget/ledger/open.ts';
import { ledgerTables } from '../../../src/service/budget/ledger/tables.ts';
import { createTransport } from '../../../src/service/transport/transport.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import { openLedgerFile } from '../../support/ledger-database.ts';
import { ownRange } from '../../support/own-range.ts';
import { callOf } from './budget-in-memory.ts';

const ASKERS = 8;

// Who is killed leaves no compiled sources behind for the next one.
flushCompileCache();

async function ledgerAt(address: string): Promise<Ledger> {
  const place = readStorePlace({ STORE_URL: address });
  if ('wrong' in place) throw new Error(place.wrong);
  // Two of them have one file, as a bot and its doctor.
  if (place.kind === 'sqlite') return openLedgerFile(place.file, clock).ledger;
  const log = createLog({ level: 'silent', secrets: [] });
  return openLedger(
    await openPostgresStores(place.address, { clock, log, ...ownRange() }, ledgerTables),
    clock,
  );
}

const [url = '', place = ''] = process.argv.slice(2);
const transport = createTransport({ url, key: 'spent', clock });
const layer = createBudget({ ledger: await ledgerAt(place), clock })(transport.layer);

async function askForEver(asker: number): Promise<never> {
  for (let turn = 0; ; turn += 1) {
    const priority = asker === 0 ? 'background' : 'interactive';
    try {
      await layer(callOf(`${asker} ${turn}`, priority, { path: ['spend'], asksByName: false }));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

await Promise.all(Array.from({ length: ASKERS }, (_, asker) => askForEver(asker)));
