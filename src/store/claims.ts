import { z } from 'zod';
import type { Claims } from '../base/claims.ts';
import { change } from './change.ts';
import { collection } from './collection.ts';
import type { Documents } from './documents.ts';

/** When each claim ends, in unix milliseconds. */
const ends = collection({ name: 'claims', schema: z.number(), unreadable: 'none' });

/** For few at a time: each claim reads all of them, and deletes those that have ended. */
export function createDocumentClaims(documents: Documents): Claims {
  return {
    claim: (key, ms) =>
      change(documents, async (transaction) => {
        const all = await transaction.all(ends);
        const now = transaction.now();
        for (const [each, end] of all) if (end <= now) transaction.write(ends, each, null);
        const end = all.get(key) ?? now;
        // One that ends later than it could was made before the clock was set back.
        if (end > now && end <= now + ms) return false;
        transaction.write(ends, key, now + ms);
        return true;
      }),
    release: (key) => change(documents, async (transaction) => transaction.write(ends, key, null)),
  };
}
