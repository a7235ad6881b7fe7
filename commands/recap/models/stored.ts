/** Stored data of recaps: each guild's posts of the community's weeks and months. */
import { z } from 'zod';
import { TimeZone } from '../../../src/base/zone.ts';
import { placeOf } from '../../../src/messages/outbox/kinds.ts';
import { deliveriesByPlace } from '../../../src/messages/outbox/ledger.ts';
import { changeDocuments, type Transaction } from '../../../src/store/change.ts';
import { declareCollection, deriveFromCollection, readDocument } from '../../../src/store/collection.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { writePostMaker } from '../jobs/post-maker.ts';
import type { PostKind } from './post-time.ts';

/** A weekly post that was an alert of version 2.0.0. It stays until somebody chooses the channel of the posts. */
const WeeklyDigest = z.object({
  channel: z.string(),
  locale: z.string(),
  /** IANA: the zone where the guild has chosen none. */
  zone: TimeZone.nullable().catch(null),
  /** Nothing is posted until then (unix milliseconds). */
  snoozedUntil: z.number().nullable(),
  /** The last week that was posted; 0: none. */
  posted: z.int(),
});
type WeeklyDigest = z.output<typeof WeeklyDigest>;

const StoredPosts = z.object({
  /** Null: none was chosen, or it was stopped. */
  channel: z.string().nullable(),
  /** The language where the guild has chosen none (BCP 47). */
  locale: z.string(),
  /** The last month that was posted; 0: none. */
  posted: z.int(),
  /** When the channel was chosen, in unix milliseconds; null: the first version did not note it. */
  since: z.number().nullable().default(null),
  /** Posts of that channel. The first version had those of months alone. */
  isWeekly: z.boolean().default(false),
  isMonthly: z.boolean().default(true),
  /** The last week that was posted; 0: none. */
  postedWeek: z.int().default(0),
  /** IANA: the zone where the guild has chosen none, from a digest that was there before. */
  zone: TimeZone.nullable().default(null).catch(null),
  /** The last week that version 2.0.0 counted, in UTC: the next one begins where it ended. 0: none. */
  utcWeek: z.int().default(0),
  digests: z.array(WeeklyDigest).default([]),
});
type StoredPosts = z.output<typeof StoredPosts>;

/** Posts of the community's weeks and months, by guild. */
export const communityPosts = declareCollection({
  name: 'recap-posts',
  schema: StoredPosts,
  unreadable: 'none',
  person: 'nobody',
});

/** Returns the document of a guild that has chosen nothing. */
function newPosts(locale: string): StoredPosts {
  return StoredPosts.parse({ channel: null, locale, posted: 0, isMonthly: false });
}

/** The posts of one kind in one channel. */
export interface CommunityPost extends WeeklyDigest {
  readonly kind: PostKind;
  readonly isDigest: boolean;
}

export function postsOf(guildPosts: StoredPosts): readonly CommunityPost[] {
  const { channel, locale, zone, isWeekly, isMonthly, posted, postedWeek, digests } = guildPosts;
  const digestPosts = digests.map((digest) => ({ ...digest, kind: 'week' as const, isDigest: true }));
  if (channel === null) return digestPosts;
  const chosen = { channel, locale, zone, snoozedUntil: null, isDigest: false };
  return [
    ...(isWeekly ? [{ ...chosen, kind: 'week' as const, posted: postedWeek }] : []),
    ...(isMonthly ? [{ ...chosen, kind: 'month' as const, posted }] : []),
    ...digestPosts,
  ];
}

/**
 * Returns the guild's posts with a digest more; each of its channels has one. A channel that is chosen for the week, as before a
 * way back to version 2.0.0, gets none beside it.
 */
export function withDigest(
  guildPosts: StoredPosts | null,
  digest: WeeklyDigest,
  { since, utcWeek }: { readonly since: number; readonly utcWeek: number },
): StoredPosts {
  const before = guildPosts ?? newPosts(digest.locale);
  const isHere = ({ channel }: Pick<StoredPosts, 'channel'>): boolean => channel === digest.channel;
  const earlierDigest = before.digests.find(isHere);
  const posted = Math.max(digest.posted, earlierDigest?.posted ?? 0);
  const isChosen = before.isWeekly && isHere(before);
  const otherDigests = before.digests.filter((other) => !isHere(other));
  return {
    ...before,
    since: Math.max(before.since ?? 0, since),
    utcWeek: Math.max(before.utcWeek, utcWeek),
    digests: isChosen ? otherDigests : [...otherDigests, { ...digest, posted }],
  };
}

/** A guild's choice. `channel`: null to stop. */
export interface PostChoice extends Pick<StoredPosts, 'channel' | 'isWeekly' | 'isMonthly'> {}

function withChoice(
  before: StoredPosts,
  chosen: PostChoice & Pick<StoredPosts, 'locale' | 'since'>,
): StoredPosts {
  const { digests, postedWeek } = before;
  const digest = digests.find(({ channel }) => channel === chosen.channel) ?? digests[0];
  return {
    ...before,
    ...chosen,
    zone: digest?.zone ?? before.zone,
    // The week of a digest is not posted again elsewhere.
    postedWeek: Math.max(postedWeek, ...digests.map(({ posted }) => posted)),
    digests: [],
  };
}

function withPosted(
  guildPosts: StoredPosts,
  { kind, channel, isDigest }: CommunityPost,
  change: (posted: number) => number,
): StoredPosts {
  if (isDigest) {
    const digests = guildPosts.digests.map((digest) =>
      digest.channel === channel ? { ...digest, posted: change(digest.posted) } : digest,
    );
    return { ...guildPosts, digests };
  }
  return kind === 'week'
    ? { ...guildPosts, postedWeek: change(guildPosts.postedWeek) }
    : { ...guildPosts, posted: change(guildPosts.posted) };
}

export type RecapRepository = ReturnType<typeof createRecapRepository>;

export function createRecapRepository(documents: Documents) {
  const posts = deriveFromCollection(documents, communityPosts, (all) => [...all]);
  return {
    posts,
    postsIn: (guild: string): Promise<StoredPosts | null> => readDocument(documents, communityPosts, guild),
    /**
     * Keeps in mind what was posted last: the same is not posted again elsewhere. Ends all digests. `madeBy`: the person who
     * turns the posts on; null: they are stopped.
     */
    choose: (
      guild: string,
      { madeBy, ...chosen }: Parameters<typeof withChoice>[1] & { readonly madeBy: string | null },
    ): Promise<void> =>
      changeDocuments(documents, async (transaction) => {
        const before = (await transaction.read(communityPosts, guild)) ?? newPosts(chosen.locale);
        transaction.write(communityPosts, guild, withChoice(before, chosen));
        writePostMaker(transaction, guild, madeBy);
      }),
    /** Notes the period as posted, if it still belongs into that channel. Resolves with whether it does. */
    async take(transaction: Transaction, guild: string, post: CommunityPost, number: number) {
      const before = await transaction.read(communityPosts, guild);
      const isSame = ({ kind, channel, isDigest }: CommunityPost): boolean =>
        kind === post.kind && channel === post.channel && isDigest === post.isDigest;
      if (before === null || !postsOf(before).some(isSame)) return false;
      transaction.write(
        communityPosts,
        guild,
        withPosted(before, post, () => number),
      );
      return true;
    },
    /** Takes that note back. */
    async putBack(
      transaction: Transaction,
      guild: string,
      post: CommunityPost,
      number: number,
    ): Promise<void> {
      const guildPosts = await transaction.read(communityPosts, guild);
      if (guildPosts === null) return;
      const after = withPosted(guildPosts, post, (posted) => (posted === number ? number - 1 : posted));
      transaction.write(communityPosts, guild, after);
    },
    guilds: async () => (await posts()).map(([guild]) => guild),
    /** Forgets the guild, and what was posted there, if its channel was chosen before then (unix milliseconds). */
    removeIn: (guild: string, before: number): Promise<number> =>
      changeDocuments(documents, async (transaction) => {
        const guildPosts = await transaction.read(communityPosts, guild);
        if (guildPosts === null || (guildPosts.since ?? 0) >= before) return 0;
        transaction.write(communityPosts, guild, null);
        writePostMaker(transaction, guild, null);
        transaction.write(deliveriesByPlace, placeOf('community-post', guild, 'channel'), null);
        return 1;
      }),
  };
}
