import { z } from 'zod';
import { DAY } from '../../base/duration.ts';
import { sameSpelling, Username } from '../../service/models/identifiers.ts';
import { changeDocuments, type Transaction } from '../../store/change.ts';
import { deriveFromCollection, readDocument } from '../../store/collection.ts';
import type { Documents } from '../../store/documents.ts';
import {
  changeDriver,
  changePerson,
  drivers,
  type PersonRecord,
  type PrivacySettings,
  people,
} from './people.ts';

/** Links a Discord account to a driver. */
export interface Link extends PrivacySettings {
  /** The name as the data service spelled it when the link was made. */
  readonly username: string;
  /** Time since which the account has had this driver without a break, in unix milliseconds. */
  readonly since: number;
  /** Declared by the person, or by an administrator of one guild. */
  readonly by: 'self' | 'administrator';
  /** When the person has proved that the driver is theirs, in unix milliseconds; null: never. */
  readonly proved: number | null;
}

/**
 * How long a link that is not proved has to stand before it counts as its driver's own, in ms. Until then the driver's real
 * owner can learn from `/link` that somebody else has it, and prove that it is theirs. Longer would keep honest drivers
 * waiting for little: who plans to harm can wait, too.
 */
export const MIN_LINK_AGE_MS = 30 * DAY;

/** Tells whether a link is proved, or has stood for long enough. */
export function isSettled({ since, proved }: Pick<Link, 'since' | 'proved'>, now: number): boolean {
  return proved !== null || now >= since + MIN_LINK_AGE_MS;
}

const Declaration = z.object({ username: Username, since: z.number() });
type Declaration = z.output<typeof Declaration>;

export type Links = ReturnType<typeof createLinks>;

/**
 * One to one, also within each guild: an account has one driver, and a driver has one account. People declare their
 * own link, and can prove it. A guild's administrators are believed in that guild only: otherwise anyone could take a driver from its
 * owner everywhere by creating a guild. Usernames that differ only in case are one driver. A link that cannot be read
 * counts as none: it can be made again.
 */
export function createLinks(documents: Documents) {
  const read: Transaction['read'] = (of, key) => readDocument(documents, of, key);
  return {
    /** Without a guild: the person's own link. In a guild, a correction takes precedence. */
    of: (personId: string, guildId: string | null = null) => linkIn(read, guildId, personId),
    /**
     * Sets the person's own link, replacing the earlier one; `since` stays if that was to the same driver. A driver that
     * another account has linked stays with that account. Rejects an invalid link, such as a name that nobody could ask
     * for.
     */
    async set(personId: string, link: Declaration): Promise<'linked' | 'taken'> {
      const declared = Declaration.parse(link);
      return changeDocuments(documents, (transaction) => declare(transaction, personId, declared));
    },
    /** Removes the person's own link. False: there was none. */
    remove: (personId: string): Promise<boolean> =>
      changeDocuments(documents, async (transaction) => {
        const link = (await transaction.read(people, personId))?.link ?? null;
        if (link === null) return false;
        await release(transaction, personId, link.username);
        await changePerson(transaction, personId, () => ({ link: null }));
        return true;
      }),
    /** Stores a correction. Resolves with everyone whose driver in that guild changed. */
    async correct(personId: string, correction: Correction): Promise<readonly string[]> {
      const valid = Correction.parse(correction);
      return changeDocuments(documents, (transaction) => correct(transaction, personId, valid));
    },
    /**
     * Sets the privacy settings of the person's own link. They last as long as the link, since only who has the link may
     * undo them. False: there is no link.
     */
    setPrivacy: (personId: string, settings: Partial<PrivacySettings>): Promise<boolean> =>
      changeDocuments(documents, async (transaction) => {
        const link = (await transaction.read(people, personId))?.link ?? null;
        if (link !== null)
          await changePerson(transaction, personId, () => ({ link: { ...link, ...settings } }));
        return link !== null;
      }),
    /** The drivers that people have linked themselves. */
    linked: deriveFromCollection(documents, people, (all) =>
      [...all].flatMap(([personId, { link }]) => (link === null ? [] : [{ ...link, personId }])),
    ),
  };
}

/** Privacy settings and proof of a new link. */
const unproved = { hidden: false, unwatched: false, proved: null } as const;

/** Reads one document, in a transaction or without one. */
type ReadDocument = Transaction['read'];

/** The account that has linked the driver. `folded`: by `sameSpelling`. */
async function ownerOf(read: ReadDocument, folded: string): Promise<string | null> {
  const owner = (await read(drivers, folded))?.owner ?? null;
  const link = owner === null ? null : ((await read(people, owner))?.link ?? null);
  return link !== null && sameSpelling(link.username) === folded ? owner : null;
}

/** The account that an administrator of the guild has linked to the driver. */
async function holderIn(read: ReadDocument, guildId: string, folded: string): Promise<string | null> {
  const holder = (await read(drivers, folded))?.corrected[guildId] ?? null;
  const username =
    holder === null ? null : ((await read(people, holder))?.corrections[guildId]?.username ?? null);
  return username !== null && sameSpelling(username) === folded ? holder : null;
}

/** The person's driver in the guild, as {@link linkHere} says. */
async function linkIn(read: ReadDocument, guildId: string | null, personId: string): Promise<Link | null> {
  const person = await read(people, personId);
  if (person === null) return null;
  const ownDriver = guildId === null || person.link === null ? null : sameSpelling(person.link.username);
  const isTaken =
    guildId !== null && ownDriver !== null && (await holderIn(read, guildId, ownDriver)) !== null;
  return linkHere(person, guildId, () => isTaken);
}

/** Returns the guild's correction, else the person's own link if nobody else has that driver there. `isTaken` gets the name folded by `sameSpelling`. */
export function linkHere(
  { link, corrections }: Pick<PersonRecord, 'link' | 'corrections'>,
  guildId: string | null,
  isTaken: (folded: string) => boolean,
): Link | null {
  const correction = guildId === null ? null : (corrections[guildId] ?? null);
  if (correction === null)
    return link === null || isTaken(sameSpelling(link.username)) ? null : { ...link, by: 'self' };
  const { username, since } = correction;
  if (username === null) return null;
  const isOwn = link !== null && sameSpelling(link.username) === sameSpelling(username);
  return { ...(isOwn ? link : unproved), username, since, by: 'administrator' };
}

async function declare(
  transaction: Transaction,
  personId: string,
  { username, since }: Declaration,
): Promise<'linked' | 'taken'> {
  const owner = await ownerOf(transaction.read, sameSpelling(username));
  if (owner !== null && owner !== personId) return 'taken';
  await give(transaction, personId, { username, since });
  return 'linked';
}

/** The driver is this account's from now on, whoever had it. Resolves with the account that has lost it; null: none. */
export async function linkProvenDriver(
  transaction: Transaction,
  personId: string,
  username: string,
  now: number,
): Promise<string | null> {
  const owner = await ownerOf(transaction.read, sameSpelling(username));
  const loser = owner === personId ? null : owner;
  if (loser !== null) await changePerson(transaction, loser, () => ({ link: null }));
  await give(transaction, personId, { username, since: now }, { proved: now });
  return loser;
}

async function give(
  transaction: Transaction,
  personId: string,
  { username, since }: Declaration,
  more: Partial<Pick<Link, 'proved'>> = {},
): Promise<void> {
  const folded = sameSpelling(username);
  const earlier = (await transaction.read(people, personId))?.link ?? null;
  const isSame = earlier !== null && sameSpelling(earlier.username) === folded;
  const link = isSame
    ? { ...earlier, username, since: Math.min(earlier.since, since) }
    : { ...unproved, username, since };
  if (earlier !== null && !isSame) await release(transaction, personId, earlier.username);
  await changeDriver(transaction, folded, () => ({ owner: personId }));
  await changePerson(transaction, personId, () => ({ link: { ...link, ...more } }));
}

/** The driver is nobody's. */
async function release(transaction: Transaction, personId: string, username: string): Promise<void> {
  await changeDriver(transaction, sameSpelling(username), ({ owner }) => ({
    owner: owner === personId ? null : owner,
  }));
}

/** A link corrected by an administrator. It counts in that guild only. */
const Correction = z.object({
  guild: z.string(),
  /** Null: not linked in this guild. */
  username: Username.nullable(),
  /** Unix milliseconds. */
  since: z.number(),
});
type Correction = z.output<typeof Correction>;

/** Resolves with everyone whose driver in that guild changed. */
async function correct(
  transaction: Transaction,
  personId: string,
  { guild, username, since }: Correction,
): Promise<readonly string[]> {
  const { read } = transaction;
  const folded = username === null ? null : sameSpelling(username);
  const holder = folded === null ? null : await holderIn(read, guild, folded);
  const owner = folded === null ? null : await ownerOf(read, folded);
  const affected = [...new Set([personId, holder, owner])].filter((person) => person !== null);
  const theirDrivers = () =>
    Promise.all(affected.map(async (person) => (await linkIn(read, guild, person))?.username ?? null));

  const driversBefore = await theirDrivers();
  await uncorrect(transaction, guild, personId);
  if (holder !== null && holder !== personId) await uncorrect(transaction, guild, holder);
  await changePerson(transaction, personId, ({ corrections }) => ({
    corrections: { ...corrections, [guild]: { username, since } },
  }));
  if (folded !== null)
    await changeDriver(transaction, folded, ({ corrected }) => ({
      corrected: { ...corrected, [guild]: personId },
    }));
  const after = await theirDrivers();
  return affected.filter((_person, index) => driversBefore[index] !== after[index]);
}

async function uncorrect(transaction: Transaction, guild: string, personId: string): Promise<void> {
  const username = (await transaction.read(people, personId))?.corrections[guild]?.username ?? null;
  if (username !== null)
    await changeDriver(transaction, sameSpelling(username), ({ corrected }) => ({
      corrected: corrected[guild] === personId ? omitKey(corrected, guild) : corrected,
    }));
  await changePerson(transaction, personId, ({ corrections }) => ({
    corrections: omitKey(corrections, guild),
  }));
}

function omitKey<Value>(record: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}
