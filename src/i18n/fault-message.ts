import { DAY } from '../base/duration.ts';
import type { Fault, ServiceError } from '../base/errors.ts';
import { inTime } from './in-time.ts';
import type { Translator } from './translator.ts';

/** No key has a window longer than a week; a later time is not shown. */
const LONGEST_WAIT_MS = 7 * DAY;

/**
 * The texts for faults: what failed, in the sentence that cards and boards have for it, on whose side, what to do. A fault
 * without a text does not compile. Never includes the address or the key.
 */
const lines: Readonly<Record<Fault, (error: ServiceError, t: Translator, now: number) => string>> = {
  'not-found': ({ endpoint, subject: name }, t) => {
    if (endpoint === 'profile' || endpoint === 'options')
      return name === null ? t('fault.not-found.player') : t('fault.not-found.playerNamed', { name });
    if (endpoint === 'car')
      return name === null ? t('fault.not-found.car') : t('fault.not-found.carNamed', { name });
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
  'over-budget': ({ retryAt, share, refusal }, t, now) => {
    const waitMs = retryAt === null ? Number.POSITIVE_INFINITY : retryAt - now;
    if (waitMs > LONGEST_WAIT_MS) return `${t('stale.over-budget')} ${t('fault.over-budget.other')}`;
    const inWords = inTime(waitMs, t);
    if (share !== null) return t(`fault.over-budget.${share}`, { in: inWords });
    return refusal === 'limit'
      ? `${t('stale.refused')}\n${t('fault.over-budget.refused', { in: inWords })}`
      : `${t('stale.over-budget')} ${t('fault.over-budget.until', { in: inWords })}`;
  },
  'no-turn': (_error, t) => `${t('stale.no-turn')} ${t('fault.no-turn')}`,
  'store-away': ({ isStoreFull }, t) =>
    isStoreFull ? t('discord.storeFull') : `${t('stale.store-away')} ${t('fault.store-away')}`,
  unavailable: (_error, t) => `${t('stale.unavailable')} ${t('fault.unavailable')}`,
  'bad-response': (_error, t) => `${t('stale.bad-response')} ${t('fault.bad-response')}`,
};

/** The message when the data service has no answer, in one to three short lines. `now`: unix milliseconds. */
export function faultMessage(error: ServiceError, t: Translator, now: number): string {
  return lines[error.fault](error, t, now);
}
