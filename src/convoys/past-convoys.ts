/** Results of convoys that are over, and at how many of them each person was. */
import { z } from 'zod';
import { inSlices } from '../base/in-slices.ts';
import { type Convoy, PastConvoy } from '../service/models/convoy.ts';
import { change, type Transaction } from '../store/change.ts';
import { collection, derived, readDocument, readNaming } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { type Forgetting, forgetting } from '../store/forget.ts';
import { keptResults, withResult } from './decide.ts';

/** By guild, newest first. A year of a large bot is tens of megabytes: nothing reads all of them again and again. */
const results = collection({ name: 'convoy-results', schema: z.array(PastConvoy), unreadable: 'none' });

/** By person: the number of these results that name them. */
const counts = collection({ name: 'convoy-counts', schema: z.int(), unreadable: 'none' });

/** By guild: the time of its oldest result (unix milliseconds). Results of a guild that has none are not counted yet. */
const oldest = collection({ name: 'convoy-oldest-results', schema: z.number(), unreadable: 'none' });

/** The results of versions that did not count are counted. */
const counted = collection({ name: 'convoy-results-counted', schema: z.literal(true), unreadable: 'none' });
const ALL = 'all';

type Results = readonly PastConvoy[];

/** Rejects where the store fails. */
export function createPastConvoys(documents: Documents) {
  const oldestByGuild = derived(documents, oldest, (byGuild) => byGuild);
  let counting: Promise<void> | null = null;

  /** Once for a store: an earlier version has kept results without counts. */
  async function countAll(): Promise<void> {
    if ((await readDocument(documents, counted, ALL)) !== null) return;
    await inSlices([...(await documents.all(results.name)).keys()], (guild) =>
      change(documents, async (transaction) => {
        if ((await transaction.read(oldest, guild)) !== null) return;
        await write(transaction, guild, (await transaction.read(results, guild)) ?? []);
      }),
    );
    await change(documents, async (transaction) => transaction.write(counted, ALL, true));
  }

  const allCounted = (): Promise<void> =>
    (counting ??= countAll().catch((error: unknown) => {
      counting = null;
      throw error;
    }));

  /** Keeps some of a guild's results. */
  const keep = (guild: string, kept: (all: Results) => Results | null): Promise<void> =>
    change(documents, async (transaction) => {
      const all = (await transaction.read(results, guild)) ?? [];
      const left = kept(all) ?? [];
      if (left.length !== all.length) await write(transaction, guild, left);
    });

  return {
    /** As part of the transaction that ends a convoy. */
    add: async (transaction: Transaction, guild: string, one: PastConvoy, now: number): Promise<void> =>
      write(transaction, guild, withResult((await transaction.read(results, guild)) ?? [], one, now)),
    in: async (guild: string): Promise<Results> => (await readDocument(documents, results, guild)) ?? [],
    /** At how many convoys the person was, in all guilds. */
    async countOf(person: string): Promise<number> {
      await allCounted();
      return (await readDocument(documents, counts, person)) ?? 0;
    },
    /** Results that name the person, by guild. */
    naming: (person: string) => readNaming(documents, results, person),
    /** Deletes results from before then, by guild, in unix milliseconds: 0 where all of them stay. */
    async removeBefore(since: (guild: string) => number): Promise<void> {
      await allCounted();
      for (const [guild, first] of await oldestByGuild())
        if (first < since(guild)) await keep(guild, (all) => all.filter(({ at }) => at >= since(guild)));
    },
    /** Deletes results that are too old. */
    async tidy(now: number): Promise<void> {
      await allCounted();
      for (const [guild, at] of await oldestByGuild())
        if (keptResults([{ at }], now) === null) await keep(guild, (all) => keptResults(all, now));
    },
  };
}

/** Writes a guild's results, and counts those who are in other ones than before. */
async function write(transaction: Transaction, guild: string, after: Results): Promise<void> {
  const isCounted = (await transaction.read(oldest, guild)) !== null;
  const before = isCounted ? ((await transaction.read(results, guild)) ?? []) : [];
  const changes = new Map<string, number>();
  const count = (all: Results, by: number): void => {
    for (const { result } of all)
      for (const { person } of result?.there ?? []) changes.set(person, (changes.get(person) ?? 0) + by);
  };
  count(before, -1);
  count(after, 1);
  await Promise.all(
    [...changes]
      .filter(([, by]) => by !== 0)
      .map(async ([person, by]) => {
        const number = ((await transaction.read(counts, person)) ?? 0) + by;
        transaction.write(counts, person, number > 0 ? number : null);
      }),
  );
  transaction.write(results, guild, after.length === 0 ? null : [...after]);
  transaction.write(oldest, guild, after.length === 0 ? null : Math.min(...after.map(({ at }) => at)));
}

/** A result without a person who was there. */
export function resultWithout(result: NonNullable<Convoy['result']>, person: string): typeof result {
  return { ...result, there: result.there.filter((one) => one.person !== person) };
}

export const pastConvoysForgetting: readonly Forgetting[] = [
  forgetting(results, (all, person) =>
    all.map((one) => ({ ...one, result: one.result && resultWithout(one.result, person) })),
  ),
  forgetting(counts, (count, person, key) => (key === person ? null : count)),
];
