/**
 * A process that spends as much of a key as it is allowed to, through the bot's own layers: for tests that kill it.
 * Arguments: the service's address, and the ledger as `file:<path>` or `redis:<port>/<prefix>`.
 */
import { flushCompileCache } from 'node:module';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { ServiceError } from '../../../src/base/errors.ts';
import { createBudget } from '../../../src/service/budget/budget.ts';
import type { Ledger } from '../../../src/service/budget/ledger/ledger.ts';
import { openLedger } from '../../../src/service/budget/ledger/open.ts';
import { createTransport } from '../../../src/service/transport/transport.ts';
import { TestClient } from '../../support/redis.ts';
import { callOf } from './rig.ts';

const ASKERS = 8;

// Who is killed leaves no compiled sources behind for the next one.
flushCompileCache();

async function ledgerAt(place: string): Promise<Ledger> {
  const [kind, where = ''] = place.split(/:(.*)/);
  if (kind === 'file') return openLedger({ kind: 'sqlite', file: where }, clock);
  const [port, prefix = ''] = where.split('/');
  const client = new TestClient(Number(port));
  await client.ready();
  return openLedger({ kind: 'redis', connection: client, prefix }, clock);
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
