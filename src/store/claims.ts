import { z } from 'zod';
import type { Claims } from '../base/claims.ts';
import { changeDocuments } from './change.ts';
import { declareCollection } from './collection.ts';
import type { Documents } from './documents.ts';
import { createSweep } from './sweep.ts';

/** When each claim ends, in unix milliseconds. */
export const ends = declareCollection({
  name: 'claims',
  schema: z.number(),
  unreadable: 'none',
  person: 'nobody',
});

export function createDocumentClaims(documents: Documents): Claims {
  const sweep = createSweep(documents, ends, (end, now) => (end <= now ? null : end));
  return {
    async claim(key, ms) {
      const outcome = await changeDocuments(documents, async (transaction) => {
        const storedEnd = await transaction.read(ends, key);
        const now = transaction.now();
        const end = storedEnd ?? now;
        // A claim that ends later than it could was made before the clock was set back.
        const isFree = end <= now || end > now + ms;
        if (isFree) transaction.write(ends, key, now + ms);
        return { isFree, now };
      });
      await sweep(outcome.now);
      return outcome.isFree;
    },
    release: (key) => changeDocuments(documents, async (transaction) => transaction.write(ends, key, null)),
  };
}
