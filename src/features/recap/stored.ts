/** Stored data of recaps: the people who keep their months, and the channel of each guild's month. */
import { z } from 'zod';
import { escapeMarkdown } from '../../cards/kit/lines.ts';
import { deliveriesByPlace } from '../../deliveries/ledger.ts';
import { Username } from '../../service/models/identifiers.ts';
import { changeDocuments, type Transaction } from '../../store/change.ts';
import {
  declareCollection,
  deriveFromCollection,
  personalExport,
  readDocument,
} from '../../store/collection.ts';
import type { Documents } from '../../store/documents.ts';
import type { Period } from './period.ts';

const KeptMonths = z.object({
  keeps: z.literal(true),
  /** Null: the first version noted no driver, so that nobody's months are kept. */
  driver: Username.nullable().catch(null),
});
type KeptMonths = z.output<typeof KeptMonths>;

/** People who keep the months of a driver, by the id of their account. It counts while they are linked to that driver. */
export const keptMonths = declareCollection({
  name: 'recap-kept-months',
  schema: KeptMonths,
  unreadable: 'none',
  person: {
    forget: (kept, personId, key) => (key === personId ? null : kept),
    export: [
      personalExport({
        name: 'keepsMonths',
        order: 14,
        read: (documents, personId): Promise<KeptMonths | null> =>
          readDocument(documents, keptMonths, personId),
        lines: ({ driver }, t) =>
          driver === null ? [] : [t('recap.stored.keeps', { player: escapeMarkdown(driver) })],
        question: (t) => t('recap.stored.question'),
      }),
    ],
  },
});

const MonthlyPost = z.object({
  /** Null: it was stopped. */
  channel: z.string().nullable(),
  /** The language where the guild has chosen none (BCP 47). */
  locale: z.string(),
  /** The last month that was posted; 0: none. */
  posted: z.int(),
  /** When the channel was chosen, in unix milliseconds; null: the first version did not note it. */
  since: z.number().nullable().default(null),
});
type MonthlyPost = z.output<typeof MonthlyPost>;

/**
 * Tells whether that month was posted. One month more may have been, as where the guild's time zone was changed on the first;
 * anything later was noted by a clock that was ahead, and counts as nothing.
 */
export function isPosted({ posted }: Pick<MonthlyPost, 'posted'>, month: Period): boolean {
  return posted === month || posted === month + 1;
}

/** The place of a guild's months in the ledger of messages. */
export function monthPlace(guild: string): string {
  return `recap:${guild}`;
}

/** Posts of the community's month, by guild. */
export const monthlyPosts = declareCollection({
  name: 'recap-posts',
  schema: MonthlyPost,
  unreadable: 'none',
  person: 'nobody',
});

export type RecapRepository = ReturnType<typeof createRecapRepository>;

export function createRecapRepository(documents: Documents) {
  /** Changes what is stored; false: there is none, or nothing to change. */
  const changePost = async (
    transaction: Transaction,
    guild: string,
    change: (before: MonthlyPost) => MonthlyPost | null,
  ): Promise<boolean> => {
    const before = await transaction.read(monthlyPosts, guild);
    const after = before && change(before);
    if (after !== null) transaction.write(monthlyPosts, guild, after);
    return after !== null;
  };
  const posts = deriveFromCollection(documents, monthlyPosts, (all) => [...all]);
  return {
    keepers: deriveFromCollection(documents, keptMonths, (all) => [...all.keys()]),
    keptDriver: async (personId: string): Promise<string | null> =>
      (await readDocument(documents, keptMonths, personId))?.driver ?? null,
    /** Null: keeps nobody's months. */
    setKeptDriver: (personId: string, driver: string | null): Promise<void> =>
      changeDocuments(documents, async (transaction) =>
        transaction.write(keptMonths, personId, driver === null ? null : { keeps: true, driver }),
      ),

    posts,
    post: (guild: string): Promise<MonthlyPost | null> => readDocument(documents, monthlyPosts, guild),
    /** Keeps in mind which month was posted last: the same one is not posted again elsewhere. */
    setChannel: (guild: string, chosen: Pick<MonthlyPost, 'channel' | 'locale' | 'since'>): Promise<void> =>
      changeDocuments(documents, async (transaction) => {
        const before = await transaction.read(monthlyPosts, guild);
        transaction.write(monthlyPosts, guild, { posted: before?.posted ?? 0, ...chosen });
      }),
    /** Notes the month as posted, if it still belongs into that channel. Resolves with whether it does. */
    take: (transaction: Transaction, guild: string, channel: string, month: Period): Promise<boolean> =>
      changePost(transaction, guild, (before) =>
        before.channel === channel ? { ...before, posted: month } : null,
      ),
    /** Takes that note back, and the channel as well if it is gone. */
    putBack: async (
      transaction: Transaction,
      guild: string,
      month: Period,
      goneChannel: string | null = null,
    ): Promise<void> => {
      await changePost(transaction, guild, (before) => ({
        ...before,
        channel: before.channel === goneChannel ? null : before.channel,
        posted: before.posted === month ? month - 1 : before.posted,
      }));
    },
    guilds: async () => (await posts()).map(([guild]) => guild),
    /** Forgets the guild, and that a month was posted there, if its channel was chosen before then (unix milliseconds). */
    removeIn: (guild: string, before: number): Promise<number> =>
      changeDocuments(documents, async (transaction) => {
        const post = await transaction.read(monthlyPosts, guild);
        if (post === null || (post.since ?? 0) >= before) return 0;
        transaction.write(monthlyPosts, guild, null);
        transaction.write(deliveriesByPlace, monthPlace(guild), null);
        return 1;
      }),
  };
}
