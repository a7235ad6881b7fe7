import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { prepareStatements } from './sqlite-statements.ts';

const PermitRow = z.object({
  id: z.int(),
  kind: z.enum(['interactive', 'background']),
  taken_at: z.number(),
  counted_at: z.number(),
  answer_seq: z.int().nullable(),
});

/**
 * Gives a restored file the ledger of the file that it replaces: its own is older, and requests sent since then
 * would be sent again. Where that cannot be read, what the restored one knows of the service's window is
 * dropped, so that one request finds out how much is left before any other is sent.
 */
export function carryLedger(replaced: DatabaseSync | null, restored: DatabaseSync): void {
  const statements = prepareStatements(restored);
  const latest = replaced === null ? null : readLedger(replaced);
  restored.exec('BEGIN IMMEDIATE');
  if (latest === null) {
    const own = statements.readState();
    if (own !== null) statements.writeState({ ...own.estimate, bound: null, probe: null }, own.reading);
  } else {
    for (const { id, kind, taken_at: takenAt, counted_at, answer_seq } of latest.permits)
      statements.put({ id, kind, takenAt }, counted_at, answer_seq);
    statements.writeState(latest.state.estimate, latest.state.reading);
  }
  restored.exec('COMMIT');
}

/** Null where there is none, or it cannot be read to the end. */
function readLedger(database: DatabaseSync) {
  try {
    const state = prepareStatements(database).readState();
    const permits = z.array(PermitRow).parse(database.prepare('SELECT * FROM budget_permit').all());
    return state === null ? null : { state, permits };
  } catch {
    return null;
  }
}
