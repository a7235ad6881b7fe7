/** Results of convoys that are over, and at how many of them each person was. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { changeDocuments, type Transaction } from '../../../src/store/change.ts';
import {
  declareCollection,
  deriveFromCollection,
  readDocument,
  readNaming,
} from '../../../src/store/collection.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { type Convoy, PastConvoy } from './convoy.ts';
import { keptResults, withResult } from './decide.ts';

/** By guild, newest first. A year of a large bot is tens of megabytes: nothing reads all of them again and again. */
const results = declareCollection({
  name: 'convoy-results',
  schema: z.array(PastConvoy),
  unreadable: 'none',
  person: {
    forget: (all, person) =>
      all.map((one) => ({ ...one, result: one.result && resultWithout(one.result, person) })),
    export: { partOf: 'convoys' },
  },
});

/** By {@link groupOf}: the number of these results that name each person. */
const counts = declareCollection({
  name: 'convoy-counts',
  schema: z.record(z.string(), z.int()),
  unreadable: 'none',
  person: {
    forget: (all, person) => orNothing({ ...all, [person]: 0 }),
    export: { derivedFrom: 'convoy-results' },
  },
});

/** By guild: the time of its oldest result (unix milliseconds). */
const oldest = declareCollection({
  name: 'convoy-oldest-results',
  schema: z.number(),
  unreadable: 'none',
  person: 'nobody',
});

/** A note of version 2.0.0 that all results are counted. Not read: the start knows the collection. */
const counted = declareCollection({
  name: 'convoy-results-counted',
  schema: z.literal(true),
  unreadable: 'none',
  person: 'nobody',
});

type Results = readonly PastConvoy[];

/** Rejects where the store fails. */
export function createPastConvoys(documents: Documents) {
  const oldestByGuild = deriveFromCollection(documents, oldest, (byGuild) => byGuild);

  /** Keeps some of a guild's results. Resolves with the number of the others. */
  const keep = (guild: string, kept: (all: Results) => Results | null): Promise<number> =>
    changeDocuments(documents, async (transaction) => {
      const all = (await transaction.read(results, guild)) ?? [];
      const remaining = kept(all) ?? [];
      if (remaining.length !== all.length) await write(transaction, guild, remaining);
      return all.length - remaining.length;
    });

  return {
    /** As part of the transaction that ends a convoy. */
    add: async (transaction: Transaction, guild: string, one: PastConvoy, now: number): Promise<void> =>
      write(transaction, guild, withResult((await transaction.read(results, guild)) ?? [], one, now)),
    in: async (guild: string): Promise<Results> => (await readDocument(documents, results, guild)) ?? [],
    /** At how many convoys the person was, in all guilds. */
    async countOf(person: string): Promise<number> {
      return (await readDocument(documents, counts, groupOf(person)))?.[person] ?? 0;
    },
    /** Results that name the person, by guild. */
    naming: (person: string) => readNaming(documents, results, person),
    guilds: async (): Promise<Iterable<string>> => (await oldestByGuild()).keys(),
    /** Deletes a guild's results from before then (unix milliseconds). Resolves with their number. */
    removeIn: (guild: string, before: number) => keep(guild, (all) => all.filter(({ at }) => at >= before)),
    /** Deletes results that are too old. */
    async tidy(now: number): Promise<void> {
      for (const [guild, at] of await oldestByGuild())
        if (keptResults([{ at }], now) === null) await keep(guild, (all) => keptResults(all, now));
    },
  };
}

/** Writes a guild's results, and counts those who are in other ones than before. */
async function write(transaction: Transaction, guild: string, after: Results): Promise<void> {
  const previousResults = (await transaction.read(results, guild)) ?? [];
  const changes = new Map<string, number>();
  const count = (all: Results, by: number): void => {
    for (const { result } of all)
      for (const { person } of result?.there ?? []) changes.set(person, (changes.get(person) ?? 0) + by);
  };
  count(previousResults, -1);
  count(after, 1);
  const changed = [...changes].filter(([, by]) => by !== 0);
  await Promise.all(
    [...Map.groupBy(changed, ([person]) => groupOf(person))].map(async ([group, people]) => {
      const all = (await transaction.read(counts, group)) ?? {};
      const next = people.map(([person, by]) => [person, (all[person] ?? 0) + by] as const);
      transaction.write(counts, group, orNothing({ ...all, ...Object.fromEntries(next) }));
    }),
  );
  transaction.write(results, guild, after.length === 0 ? null : [...after]);
  transaction.write(oldest, guild, after.length === 0 ? null : Math.min(...after.map(({ at }) => at)));
}

/** One of 256 groups of people. */
function groupOf(person: string): string {
  return createHash('sha256').update(person).digest('hex').slice(0, 2);
}

/** Without people who are in no result; null for none. */
function orNothing(all: Readonly<Record<string, number>>): Record<string, number> | null {
  const positiveCounts = Object.entries(all).filter(([, number]) => number > 0);
  return positiveCounts.length === 0 ? null : Object.fromEntries(positiveCounts);
}

/** A result without a person who was there. */
export function resultWithout(result: NonNullable<Convoy['result']>, person: string): typeof result {
  return { ...result, there: result.there.filter((one) => one.person !== person) };
}

export const pastConvoyCollections = [results, counts, oldest, counted] as const;
