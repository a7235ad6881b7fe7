/** The drivers of people. */
import { sameSpelling } from '../service/models/identifiers.ts';
import type { Transaction } from '../store/change.ts';
import { drivers, type PersonRecord, people, type Wishes } from './people.ts';

/** Links a Discord account to a driver. */
export interface Link extends Wishes {
  /** As the data service spelled it at the time. */
  readonly username: string;
  /** Since when the account has had this driver, without a break, in unix milliseconds. */
  readonly since: number;
  /** Declared by the person, or by an administrator of one guild. */
  readonly by: 'self' | 'administrator';
  /** When the person has proved that the driver is theirs, in unix milliseconds; null: never. */
  readonly proved: number | null;
}

/** Of a new link. */
export const unproved = { hidden: false, unwatched: false, proved: null } as const;

/** Reads one document, in a transaction or without one. */
type ReadDocument = Transaction['read'];

/** The account that has linked the driver. `folded`: by `sameSpelling`. */
export async function ownerOf(read: ReadDocument, folded: string): Promise<string | null> {
  const owner = (await read(drivers, folded))?.owner ?? null;
  const link = owner === null ? null : ((await read(people, owner))?.link ?? null);
  return link !== null && sameSpelling(link.username) === folded ? owner : null;
}

/** The account that an administrator of the guild has linked to the driver. */
export async function holderIn(read: ReadDocument, guildId: string, folded: string): Promise<string | null> {
  const holder = (await read(drivers, folded))?.corrected[guildId] ?? null;
  const username =
    holder === null ? null : ((await read(people, holder))?.corrections[guildId]?.username ?? null);
  return username !== null && sameSpelling(username) === folded ? holder : null;
}

/** The person's driver in the guild, as {@link linkHere} says. */
export async function linkIn(
  read: ReadDocument,
  guildId: string | null,
  personId: string,
): Promise<Link | null> {
  const person = await read(people, personId);
  if (person === null) return null;
  const own = guildId === null || person.link === null ? null : sameSpelling(person.link.username);
  const isTaken = guildId !== null && own !== null && (await holderIn(read, guildId, own)) !== null;
  return linkHere(person, guildId, () => isTaken);
}

/** By a correction, else the person's own link where nobody else has that driver there. `isTaken`: by `sameSpelling`. */
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
