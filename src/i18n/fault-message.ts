import type { Fault, ServiceError } from '../errors.ts';
import { timestamp } from './timestamp.ts';
import type { Words } from './translator.ts';

/**
 * The one table of words for faults: what failed, on whose side, what to do. A fault without its line does not
 * compile. Names the person's question only by its kind, and never the address or the key.
 */
const lines: Readonly<Record<Fault, (error: ServiceError, words: Words) => string>> = {
  'not-found': ({ endpoint }, words) => {
    if (endpoint === 'profile' || endpoint === 'options') return words.text('fault.not-found.player');
    if (endpoint === 'car') return words.text('fault.not-found.car');
    return words.text('fault.not-found.other');
  },
  unauthorised: ({ refusal }, words) => words.text(`fault.unauthorised.${refusal ?? 'other'}`),
  'over-budget': ({ retryAt, share }, words) => {
    // Rounded up: whoever comes back at the second that is shown must not be too early.
    const when = retryAt === null ? null : timestamp(Math.ceil(retryAt / 1000) * 1000, 'relative');
    return when === null
      ? words.text('fault.over-budget.other')
      : words.text(`fault.over-budget.${share ?? 'until'}`, { when });
  },
  unavailable: (_error, words) => words.text('fault.unavailable'),
  'bad-response': (_error, words) => words.text('fault.bad-response'),
};

/** What a person reads when the data service had no answer, in one to three short lines. */
export function faultWords(error: ServiceError, words: Words): string {
  return lines[error.fault](error, words);
}
