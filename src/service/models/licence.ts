import { z } from 'zod';
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
