import { z } from 'zod';
import { sameSpelling, Username } from '../service/models/identifiers.ts';
import type { Transaction } from '../store/change.ts';
import { holderIn, linkIn, ownerOf } from './drivers.ts';
import { changeDriver, changePerson, people } from './people.ts';

/** A link corrected by an administrator. It counts in that guild only. */
export const Correction = z.object({
  guild: z.string(),
  /** Null: not linked in this guild. */
  username: Username.nullable(),
  /** Unix milliseconds. */
  since: z.number(),
});
export type Correction = z.output<typeof Correction>;

/** Resolves with everyone whose driver in that guild changed. */
export async function correct(
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

  const before = await theirDrivers();
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
  return affected.filter((_person, index) => before[index] !== after[index]);
}

async function uncorrect(transaction: Transaction, guild: string, personId: string): Promise<void> {
  const username = (await transaction.read(people, personId))?.corrections[guild]?.username ?? null;
  if (username !== null)
    await changeDriver(transaction, sameSpelling(username), ({ corrected }) => ({
      corrected: corrected[guild] === personId ? without(corrected, guild) : corrected,
    }));
  await changePerson(transaction, personId, ({ corrections }) => ({
    corrections: without(corrections, guild),
  }));
}

function without<Value>(record: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([each]) => each !== key));
}
