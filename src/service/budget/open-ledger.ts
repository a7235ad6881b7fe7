import { DatabaseSync } from 'node:sqlite';
import { openEmbeddedBook } from './book-embedded.ts';
import { createLedger, type Ledger } from './ledger.ts';
import type { MachineClock } from './machine-clock.ts';

/**
 * The ledger of the processes of one machine, in the store's file, which must have been opened as the store before.
 * It has a connection of its own, since its writes must be on the disk before a request is sent, and the
 * store's need not. Throws where the file cannot be written.
 */
export function openEmbeddedLedger({
  file,
  clock,
}: {
  readonly file: string;
  readonly clock: MachineClock;
}): Ledger {
  const book = openEmbeddedBook({ database: new DatabaseSync(file), clock });
  return createLedger(book, { headroom: 0 });
}
