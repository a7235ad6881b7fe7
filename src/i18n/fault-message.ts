import type { Fault, ServiceError } from '../errors.ts';
import { timestamp } from './timestamp.ts';
import type { Translator } from './translator.ts';

/**
 * The one table of words for faults: what failed, on whose side, what to do. A fault without its line does not
 * compile. Names the person's question only by its kind, and never the address or the key.
 */
const lines: Readonly<Record<Fault, (error: ServiceError, t: Translator) => string>> = {
  'not-found': ({ endpoint }, t) => {
    if (endpoint === 'profile' || endpoint === 'options') return t('fault.not-found.player');
    if (endpoint === 'car') return t('fault.not-found.car');
    return t('fault.not-found.other');
  },
  unauthorised: ({ refusal }, t) =>
    t(
      refusal === 'key' || refusal === 'address' || refusal === 'command'
        ? `fault.unauthorised.${refusal}`
        : 'fault.unauthorised.other',
    ),
  rejected: ({ refusal }, t) =>
    t(refusal === 'not-implemented' ? 'fault.rejected.not-implemented' : 'fault.rejected.request'),
  'over-budget': ({ retryAt, share }, t) => {
    // Rounded up: whoever comes back at the second that is shown must not be too early.
    const when = retryAt === null ? null : timestamp(Math.ceil(retryAt / 1000) * 1000, 'relative');
    return when === null
      ? t('fault.over-budget.other')
      : t(`fault.over-budget.${share ?? 'until'}`, { when });
  },
  'no-turn': (_error, t) => t('fault.no-turn'),
  'store-away': (_error, t) => t('fault.store-away'),
  unavailable: (_error, t) => t('fault.unavailable'),
  'bad-response': (_error, t) => t('fault.bad-response'),
};

/** What a person reads when the data service had no answer, in one to three short lines. */
export function faultMessage(error: ServiceError, t: Translator): string {
  return lines[error.fault](error, t);
}
