import { z } from 'zod';
import type { Translator } from '../../../src/i18n/translator.ts';
import { changeDocuments } from '../../../src/store/change.ts';
import { declareCollection, personalExport, readDocument } from '../../../src/store/collection.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { troubleMessage } from '../cards/watch-text.ts';
import { type Watch, type WatchTrouble, watchTroubles } from '../models/watch.ts';
import { isMadeBy } from '../models/watches.ts';

/** By person. */
export const pauseNotices = declareCollection({
  name: 'pause-notices',
  schema: z.enum(watchTroubles),
  unreadable: 'none',
  person: {
    forget: (why, personId, key) => (key === personId ? null : why),
    export: [
      personalExport({
        name: 'pauseNotice',
        read: (documents, personId): Promise<WatchTrouble | null> =>
          readDocument(documents, pauseNotices, personId),
        lines: (_why, t) => [t('watch.stored.pauseNotice')],
        question: (t) => t('watch.stored.question'),
      }),
    ],
  },
});

/** In ms: every command asks, and one may wait for the next. */
const MAX_AGE = 30_000;

/** Notices of paused alerts, each given once at the person's next command. */
export function createPauseNotices(documents: Documents) {
  /** Null for none. Of several processes that ask at once, one gets it. */
  async function take(personId: string): Promise<WatchTrouble | null> {
    if ((await readDocument(documents, pauseNotices, personId, MAX_AGE)) === null) return null;
    return changeDocuments(documents, async (transaction) => {
      const why = await transaction.read(pauseNotices, personId);
      if (why !== null) transaction.write(pauseNotices, personId, null);
      return why;
    });
  }

  return {
    /** Leaves a notice for the maker of the watch, unless they were forgotten. The latest one counts. */
    leave: (watch: Watch, why: WatchTrouble) =>
      changeDocuments(documents, async (transaction) => {
        if (await isMadeBy(transaction, watch)) transaction.write(pauseNotices, watch.person, why);
      }),
    take,
    /** Takes the notice, and returns it in the person's words. */
    async message({ id }: { readonly id: string }, t: Translator) {
      const why = await take(id);
      return why === null ? null : troubleMessage(why, t);
    },
  };
}
