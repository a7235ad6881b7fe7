import { type Driver, isValid } from './community.ts';

/**
 * Lets the licence expire that would be the next to do so, or one that never would; returns its name. Null for a driver
 * without a valid one.
 */
export function expireLicence({ licences }: Driver, now: number): string | null {
  const ends = ({ validUntil }: (typeof licences)[number]): number => validUntil || Number.POSITIVE_INFINITY;
  const [next] = licences
    .filter((licence) => isValid(licence, now))
    // The last one issued of those that never would.
    .toReversed()
    .toSorted((one, other) => (ends(one) < ends(other) ? -1 : Number(ends(one) > ends(other))));
  if (next === undefined) return null;
  next.validUntil = now;
  return next.name;
}
