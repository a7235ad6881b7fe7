/** Carries the weekly digests of version 2.0.0, which were alerts, over to the posts of their guilds. */
import { z } from 'zod';
import { DAY } from '../../../src/base/duration.ts';
import { forEachYielding } from '../../../src/base/for-each-yielding.ts';
import { TimeZone } from '../../../src/base/zone.ts';
import { deliveriesByPlace } from '../../../src/messages/outbox/ledger.ts';
import { changeDocuments, type Transaction } from '../../../src/store/change.ts';
import { declareCollection } from '../../../src/store/collection.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { postMakers, writePostMaker } from '../jobs/post-maker.ts';
import { postPeriods } from './post-time.ts';
import { communityPosts, withDigest } from './stored.ts';

/** The parts of a stored alert that matter here. All others stay as they are. */
const Digest = z.object({
  id: z.string(),
  person: z.string(),
  condition: z.object({ kind: z.literal('digest') }),
  place: z.object({ guild: z.string(), channel: z.string() }),
  locale: z.string(),
  zone: TimeZone.nullable().transform((zone) => (zone === 'UTC' ? null : zone)),
  since: z.number(),
  snoozedUntil: z.number().nullable(),
});
type Digest = z.output<typeof Digest>;

/** The collections of alerts as far as they are needed here: no feature knows another one. */
const alertsByPlace = declareCollection({
  name: 'watches',
  schema: z.array(z.unknown()),
  unreadable: 'none',
  person: 'nobody',
});
const alertStatesByPlace = declareCollection({
  name: 'watch-states',
  schema: z.record(z.string(), z.unknown()),
  unreadable: 'none',
  person: 'nobody',
});

/**
 * Moves each channel's digest in one transaction, so that a process that is killed leaves it on one of the two sides. To be
 * called before anything else reads the alerts, which know no digests any more. Rejects where the store fails.
 */
export async function carryDigests(documents: Documents): Promise<void> {
  const texts = await documents.all(alertsByPlace.name);
  // Most places have none, and parsing takes longer than looking.
  const places = [...texts].flatMap(([place, text]) => (text.includes('"digest"') ? [place] : []));
  await forEachYielding(places, (place) =>
    changeDocuments(documents, (transaction) => carryPlace(transaction, place)),
  );
}

async function carryPlace(transaction: Transaction, place: string): Promise<void> {
  const alerts = (await transaction.read(alertsByPlace, place)) ?? [];
  const parsedAlerts = alerts.map((alert) => ({ alert, digest: Digest.safeParse(alert).data }));
  const digests = parsedAlerts.flatMap(({ digest }) => digest ?? []);
  if (digests.length === 0) return;
  for (const digest of digests) await carryDigest(transaction, digest);
  const otherAlerts = parsedAlerts.flatMap(({ alert, digest }) => (digest === undefined ? [alert] : []));
  transaction.write(alertsByPlace, place, otherAlerts.length === 0 ? null : otherAlerts);
  const states = Object.entries((await transaction.read(alertStatesByPlace, place)) ?? {});
  const otherStates = states.filter(([id]) => digests.every((digest) => digest.id !== id));
  const isEmpty = otherStates.length === 0;
  transaction.write(alertStatesByPlace, place, isEmpty ? null : Object.fromEntries(otherStates));
}

async function carryDigest(transaction: Transaction, digest: Digest): Promise<void> {
  const { person, place, locale, zone, snoozedUntil, since } = digest;
  const { guild, channel } = place;
  const deliveries = (await transaction.read(deliveriesByPlace, `digest:${channel}`)) ?? [];
  const posted = Math.max(0, ...deliveries.map(({ key }) => weekOfKey(key)));
  // The ledger forgets after eight days: a bot that was down for longer goes on with the week that is over now.
  const utcWeek = posted === 0 ? postPeriods.week.numberAt('UTC', transaction.now()) - 2 : posted;
  const guildPosts = await transaction.read(communityPosts, guild);
  const weekly = { channel, locale, zone, snoozedUntil, posted };
  transaction.write(communityPosts, guild, withDigest(guildPosts, weekly, { since, utcWeek }));
  if ((await transaction.read(postMakers, guild)) === null) writePostMaker(transaction, guild, person);
}

/** Returns the number of a week from Monday in UTC by the key of its message: `week:2026-03-02`; 0 for any other key. */
function weekOfKey(key: string): number {
  const [, day] = /^week:(\d{4}-\d{2}-\d{2})$/.exec(key) ?? [];
  return day === undefined ? 0 : postPeriods.week.numberAt('UTC', Date.parse(day) + DAY / 2);
}
