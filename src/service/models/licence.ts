import { z } from 'zod';
import { flag, moment, text } from './leaves.ts';
import { fields } from './lenient.ts';

/** The later generation calls the type `id`. */
export const Licence = z
  .object(
    fields({
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
  )
  // Without any of these, the licence has no name to show.
  .refine(({ type, id, name }) => type !== null || id !== null || name !== null)
  .transform(({ id, type, issuedBy, dateIssued, ...rest }) => ({
    ...rest,
    type: type ?? id,
    issued: dateIssued,
    /** User id of the issuer, or a username as in 2017; null for the system. */
    issuedBy: issuedBy === '0' || issuedBy === '' ? null : issuedBy,
  }));
export type Licence = z.output<typeof Licence>;
