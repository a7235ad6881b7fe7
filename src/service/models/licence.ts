import { z } from 'zod';
import { DAY } from '../../base/duration.ts';
import { flag, moment, text } from './leaves.ts';
import { fieldsOrUnreadable, ifReadable, lenientFields } from './lenient.ts';
import { UNREADABLE } from './read.ts';

/** The later generation calls the type `id`. */
export const Licence = z
  .object({
    ...lenientFields({ name: text, dateIssued: moment, issuedBy: text }),
    ...fieldsOrUnreadable({
      type: text,
      id: text,
      validUntil: moment,
      suspendedUntil: moment,
      revoked: flag,
      expired: flag,
      suspended: flag,
    }),
  })
  .transform(({ id, type, issuedBy, dateIssued, name, ...judged }) => ({
    name,
    type: ifReadable(type) ?? ifReadable(id),
    /** True if the licence may be of any type. */
    hasUnreadableType: ifReadable(type) === null && [type, id].includes(UNREADABLE),
    issued: dateIssued,
    /** User id of the issuer, or a username as in 2017; null for the system. */
    issuedBy: issuedBy === '0' || issuedBy === '' ? null : issuedBy,
    validUntil: ifReadable(judged.validUntil),
    suspendedUntil: ifReadable(judged.suspendedUntil),
    revoked: ifReadable(judged.revoked),
    expired: ifReadable(judged.expired),
    suspended: ifReadable(judged.suspended),
    /** One of these five was sent and cannot be read, so that its null says nothing. */
    isUnclear: Object.values(judged).includes(UNREADABLE),
  }))
  // Without either, the licence has no name to show.
  .refine(({ type, name }) => type !== null || name !== null);
export type Licence = z.output<typeof Licence>;

/** In the order shown; `soon` is still valid. */
const states = ['soon', 'valid', 'suspended', 'expired', 'revoked', 'unknown'] as const;
type LicenceState = (typeof states)[number];

/** Time before the expiry from which a licence counts as expiring: alerts are sent equally early. */
const EXPIRES_SOON_MS = 7 * DAY;

/**
 * The service's own flags decide, and the dates where it sends none or where the date beside a flag shows that it is an
 * old one. Dates are compared with the record's own time: a card has no clock.
 */
function licenceState(licence: Licence, asOf: number): LicenceState {
  const { revoked, suspended, suspendedUntil, expired, validUntil, isUnclear } = licence;
  // Strongest first: nothing makes a revoked licence valid.
  if (revoked === true) return 'revoked';
  const isOver = suspendedUntil !== null && suspendedUntil <= asOf;
  if (suspended === true ? !isOver : suspended === null && suspendedUntil !== null && !isOver)
    return 'suspended';
  if (hasExpired(licence, asOf)) return 'expired';
  const isReported = [revoked, suspended, expired, validUntil].some((value) => value !== null);
  // An unreadable field may be the one that makes the licence invalid.
  if (!isReported || isUnclear) return 'unknown';
  return validUntil !== null && validUntil > asOf && validUntil - asOf <= EXPIRES_SOON_MS ? 'soon' : 'valid';
}

export function hasExpired({ expired, validUntil }: Licence, asOf: number): boolean {
  return expired === true || (validUntil !== null && validUntil <= asOf);
}

/** Sorts licences by state, and within a state as the service lists them. */
export function byState(licences: readonly Licence[], asOf: number) {
  const stated = licences.map((licence) => ({ licence, state: licenceState(licence, asOf) }));
  return states.flatMap((state) => stated.filter((each) => each.state === state));
}
