/** How a person is deleted: from the documents at once, and from files within ten minutes; a database is its operator's. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { createBoundedMap } from '../base/bounded.ts';
import type { Clock } from '../base/clock.ts';
import { HOUR, MINUTE, SECOND } from '../base/duration.ts';
import { StoreError } from '../base/errors.ts';
import { forEachYielding } from '../base/for-each-yielding.ts';
import { createJob } from '../base/job.ts';
import type { Log } from '../base/log.ts';
import { createMutex } from '../base/mutex.ts';
import { changeDocuments } from './change.ts';
import { type Collection, type Collections, declareCollection, readAll } from './collection.ts';
import { type Documents, VERSIONS } from './documents.ts';
import type { Stores } from './stores.ts';

/** Scans in a row: a document that is written while one runs is found by the next. */
const MAX_SCANS = 3;

/** Finds the documents that name a person. Those of a collection that this version does not declare may name anybody. */
async function findNaming(documents: Documents, collections: Collections, personId: string) {
  const isPersonal = (name: string): boolean =>
    [...collections, debts].find((collection) => collection.name === name)?.person !== null;
  return (await documents.naming(personId)).filter(({ collection }) => isPersonal(collection));
}

/**
 * Deletes a person from each document that names them, one after the other. The whole document goes if it cannot be read, and
 * in a collection that this version does not declare: only another version could take the person out of it.
 */
export async function forgetPerson(
  documents: Documents,
  collections: Collections,
  personId: string,
): Promise<void> {
  for (let scan = 0; scan < MAX_SCANS; scan += 1) {
    let changed = 0;
    const naming = await findNaming(documents, collections, personId);
    await forEachYielding(naming, async ({ collection: name, key }) => {
      const declared = collections.find((collection) => collection.name === name);
      await changeDocuments(documents, async (transaction) => {
        const text = await transaction.read(asText(name), key);
        if (text === null) return;
        const remainder = declared?.person?.forget(text, personId, key) ?? null;
        if (remainder !== text) changed += 1;
        transaction.write(asText(name), key, remainder);
      });
    });
    if (changed === 0) return;
  }
}

function asText(name: string): Collection<string> {
  return { name, person: null, parse: (text) => text, decode: (text) => text, encode: (text) => text };
}

/** Returns the names of the collections that this version does not declare. */
export async function findUndeclared(
  documents: Documents,
  collections: Collections,
): Promise<readonly string[]> {
  const names = [...(await documents.all(VERSIONS)).keys()];
  const declared = new Set([...collections, debts].map(({ name }) => name));
  return names.filter((name) => !declared.has(name)).toSorted();
}

/**
 * The step of a deletion that is to be done next: deleting from the documents, or cleaning the files. Version 2.0.0
 * also stored `unreadable`.
 */
const Debt = z.object({
  step: z.enum(['documents', 'unreadable', 'files']),
  /** Unix milliseconds. */
  due: z.number(),
});
type Debt = z.output<typeof Debt>;

/** Deletions that are not complete, by the id of the person, and by {@link REWRITE} once the copies are clean. */
const debts = declareCollection({
  name: 'forgetting-debts',
  schema: Debt,
  unreadable: 'none',
  // A debt names a person until it is paid, and must not be deleted before.
  person: 'nobody',
});
/** Key of the debt that remains while the file itself is rewritten: without the ids, so that no rewritten page has them. */
const REWRITE = 'rewrite';

/** Deletes these people, and those whom its debts name, from a copy of the documents, and its debts. */
export async function forgetInCopy(
  documents: Documents,
  collections: Collections,
  ids: readonly string[],
): Promise<void> {
  const owed = [...(await documents.all(debts.name)).keys()];
  const owedIds = owed.filter((key) => key !== REWRITE);
  for (const id of new Set([...ids, ...owedIds])) await forgetPerson(documents, collections, id);
  await settle(documents, owed);
}

/** Replaces these debts by that for the file alone, except those that have changed since. */
async function oweRewrite(documents: Documents, paid: ReadonlyMap<string, Debt>, now: number): Promise<void> {
  await changeDocuments(documents, async (transaction) => {
    for (const [key, debt] of paid)
      if (isDeepStrictEqual(await transaction.read(debts, key), debt)) transaction.write(debts, key, null);
    transaction.write(debts, REWRITE, { step: 'files', due: now });
  });
}

async function settle(documents: Documents, keys: readonly string[]): Promise<void> {
  await changeDocuments(documents, async (transaction) => {
    for (const key of keys) transaction.write(debts, key, null);
  });
}

/** Interval between two payments, in ms: nine minutes, so that who asks just after one begins is done within ten. */
const PAY_INTERVAL_MS = 9 * MINUTE;
/** Interval in ms in which the files are not searched again for a person about whom nothing is stored. */
const SEARCH_INTERVAL_MS = HOUR;
const MAX_REMEMBERED = 20_000;

export type Forgetter = ReturnType<typeof createForgetter>;

export function createForgetter({
  store,
  collections,
  forgetInCopies,
  paysDebts,
  clock,
  log,
}: {
  readonly store: Pick<Stores, 'documents' | 'clean' | 'isShared'>;
  readonly collections: Collections;
  /** Deletes these people from these copies of the file. */
  readonly forgetInCopies: (
    copies: readonly string[],
    ids: readonly string[],
    signal: AbortSignal,
  ) => Promise<void>;
  /** False if another process with the same store pays for all. */
  readonly paysDebts: boolean;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
}) {
  const { documents } = store;
  const searched = createBoundedMap<string, number>(MAX_REMEMBERED);
  const stopping = new AbortController();
  let paidAt = Number.NEGATIVE_INFINITY;

  async function pay(): Promise<void> {
    if (!paysDebts) return;
    const startedAt = clock.monotonic();
    const now = clock.now();
    // A debt that is due later than any can be was made before the clock was set back.
    const dueDebts = [...(await readAll(documents, debts))].filter(
      ([, debt]) => debt.due <= now || debt.due > now + SEARCH_INTERVAL_MS,
    );
    if (dueDebts.length === 0) return;
    paidAt = startedAt;
    const paid = new Map(dueDebts.filter(([key]) => key !== REWRITE));
    const ids = [...paid.keys()];
    await forEachYielding(paid, async ([id, { step }]) => {
      if (step === 'documents') await forgetPerson(documents, collections, id);
    });
    await store.clean({
      inCopies: (copies) => forgetInCopies(copies, ids, stopping.signal),
      copiesCleaned: () => oweRewrite(documents, paid, now),
      signal: stopping.signal,
    });
    await settle(documents, [REWRITE]);
  }

  // A timer may be a little early.
  const mayPay = (): boolean => clock.monotonic() - paidAt >= PAY_INTERVAL_MS - SECOND;
  const inTurn = createMutex();
  const payment = createJob(
    clock,
    PAY_INTERVAL_MS,
    () => inTurn('pay', async () => void (mayPay() && (await pay()))),
    (error) => {
      if (!stopping.signal.aborted)
        log.error({ err: error }, 'files of the store still hold people who were deleted; tried again');
    },
  );
  void payment.start();
  const payIfDue = (): void => void (mayPay() && payment.now());

  async function addDebt(personId: string, debt: Debt): Promise<void> {
    await changeDocuments(documents, async (transaction) => {
      const existingDebt = await transaction.read(debts, personId);
      const dueAt = Math.min(existingDebt?.due ?? debt.due, debt.due);
      // A step that a killed process began is still to be done.
      const step = existingDebt?.step === 'documents' ? existingDebt.step : debt.step;
      transaction.write(debts, personId, { step, due: dueAt });
    });
  }

  return {
    /** Deletes a person from the documents. Files follow within ten minutes, also if the process is killed. */
    async forget(personId: string): Promise<void> {
      const now = clock.now();
      // First: whatever ends this process, the next one goes on with it.
      await addDebt(personId, { step: 'documents', due: now });
      await forgetPerson(documents, collections, personId);
      // Documents that the person stores from now on stay. A database has no files that the bot could clean.
      await changeDocuments(documents, async (transaction) => {
        const debt = await transaction.read(debts, personId);
        if (debt !== null)
          transaction.write(debts, personId, store.isShared ? null : { ...debt, step: 'files' });
      });
      payIfDue();
    },
    /** Tells whether a document names the person, without reading any. */
    isNamed: async (personId: string): Promise<boolean> =>
      (await findNaming(documents, collections, personId)).length > 0,
    /** Deletes a person whom no document names from the files, at most once an hour. */
    async search(personId: string): Promise<void> {
      if (store.isShared) return;
      const last = searched.get(personId);
      const now = clock.monotonic();
      const wait = last === undefined ? 0 : Math.max(0, last + SEARCH_INTERVAL_MS - now);
      await addDebt(personId, { step: 'files', due: clock.now() + wait });
      if (wait > 0) return;
      searched.set(personId, now);
      payIfDue();
    },
    /** Pays what is due, regardless of the last payment. Rejects if a file could not be cleaned: the debt remains. */
    pay: (): Promise<void> => inTurn('pay', pay),
    async stop(): Promise<void> {
      stopping.abort(new StoreError('the bot stops'));
      await payment.stop();
    },
  };
}
