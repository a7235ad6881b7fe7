import { z } from 'zod';
import { DAY } from '../../base/duration.ts';
import { flag, moment, text } from './leaves.ts';
import { fields } from './lenient.ts';

/** A date that was sent and says nothing: of another kind, beyond all dates, or a number below zero. */
function isUnclear(sent: unknown): boolean {
  const { success, data } = moment.nullish().safeParse(sent);
  return sent !== '' && (!success || (data === null && Number(sent) < 0));
}

/** The later generation calls the type `id`. `hasUnclearEnd`: that `validUntil` is null says nothing. */
const Held = z
  .object({
    ...fields({
      type: text,
      id: text,
      name: text,
      dateIssued: moment,
      issuedBy: text,
      validUntil: moment,
      suspendedUntil: moment,
      revoked: flag,
      expired: flag,
      suspended: flag,
    }),
    hasUnclearEnd: z.boolean(),
  })
  // Without any of these, the licence has no name to show.
  .refine(({ type, id, name }) => type !== null || id !== null || name !== null)
  .transform(({ id, type, issuedBy, dateIssued, ...rest }) => ({
    ...rest,
    type: type ?? id,
    issued: dateIssued,
    /** User id of the issuer, or a username as in 2017; null for the system. */
    issuedBy: issuedBy === '0' || issuedBy === '' ? null : issuedBy,
  }));

export const Licence = z.preprocess(
  (sent) =>
    typeof sent === 'object' && sent !== null
      ? { ...sent, hasUnclearEnd: isUnclear(Reflect.get(sent, 'validUntil')) }
      : sent,
  Held,
);
export type Licence = z.output<typeof Licence>;

/** In the order shown; `soon` is still valid. */
const states = ['soon', 'valid', 'suspended', 'expired', 'revoked', 'unknown'] as const;
type LicenceState = (typeof states)[number];

/** As early as an alert is sent of it. In ms. */
const SOON = 7 * DAY;

/**
 * The service's own flags decide, and the dates where it sends none or where the date beside a flag shows that it is an
 * old one. Dates are compared with the record's own time: a card has no clock.
 */
function licenceState(licence: Licence, asOf: number): LicenceState {
  const { revoked, suspended, suspendedUntil, expired, validUntil } = licence;
  // Strongest first: nothing makes a revoked licence valid.
  if (revoked === true) return 'revoked';
  const isOver = suspendedUntil !== null && suspendedUntil <= asOf;
  if (suspended === true ? !isOver : suspended === null && suspendedUntil !== null && !isOver)
    return 'suspended';
  if (hasExpired(licence, asOf)) return 'expired';
  const isReported = [revoked, suspended, expired, validUntil].some((value) => value !== null);
  if (!isReported || licence.hasUnclearEnd) return 'unknown';
  return validUntil !== null && validUntil > asOf && validUntil - asOf <= SOON ? 'soon' : 'valid';
}

export function hasExpired({ expired, validUntil }: Licence, asOf: number): boolean {
  return expired === true || (validUntil !== null && validUntil <= asOf);
}

/** By state, and within one as the service lists them. */
export function byState(held: readonly Licence[], asOf: number) {
  const stated = held.map((licence) => ({ licence, state: licenceState(licence, asOf) }));
  return states.flatMap((state) => stated.filter((each) => each.state === state));
}
