/** A process without its shards: looks at the claims until it may take the range. */
import type { Clock } from '../base/clock.ts';
import { SECOND } from '../base/duration.ts';
import { StartError, StoreError } from '../base/errors.ts';
import { createOutage } from '../base/outage.ts';
import {
  CLAIM_MS,
  type Claim,
  RENEW_MS,
  rangeName,
  type ShardRange,
  takeRange,
  type UpdateClaims,
} from './claims-document.ts';

/** Takes what operators should know of a process's claim. */
export interface ClaimLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}

/** The number of the claim that was taken, or when to look again, in ms. */
type Look = { readonly number: number } | { readonly retryMs: number };

/** How often a standby looks at the claims, in ms. */
const LOOK_MS = 500;

interface StandbyParts {
  readonly me: string;
  readonly host: string;
  readonly range: ShardRange;
  readonly isAlone: boolean;
  readonly update: UpdateClaims;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: ClaimLog;
}

/** Returns a function that takes the range if that is free. It rejects with a {@link StartError} if it never will be. */
export function createLook({ update, clock, log, ...ownProcess }: StandbyParts): () => Promise<Look> {
  const outage = createOutage((error) => log.warn({ err: error }, 'claims on shards not read'));
  /** While the store was away, holders could not renew: until then, claims that are over are not replaced. */
  let settledAt = Number.NEGATIVE_INFINITY;
  /** The number of the newest claim, as last seen: a store that has lost its data has a smaller one. */
  let newestNumber = 0;
  let conflict: Claim | null = null;
  let logged = '';

  function logOnce(key: string, write: () => void): void {
    if (logged !== key) write();
    logged = key;
  }

  function refuse({ range, host }: Claim): StartError {
    return new StartError(
      `SHARDS: another process, on ${host}, has the shards ${rangeName(range)}, which share some with ${rangeName(ownProcess.range)}; stop it, or name ranges of one number that do not overlap`,
    );
  }

  async function take() {
    return update((document, now) => {
      if (document.number < newestNumber) settledAt = clock.monotonic() + CLAIM_MS;
      newestNumber = document.number;
      const mayReplace = clock.monotonic() >= settledAt;
      if (!mayReplace && document.number === 0) return { state: document, outcome: null };
      return takeRange(document, { ...ownProcess, now, mayReplace });
    });
  }

  return async () => {
    const outcome = await take().catch((error: unknown) => {
      if (ownProcess.isAlone || !(error instanceof StoreError)) throw error;
      outage.failed(error);
      settledAt = Math.max(settledAt, clock.monotonic() + RENEW_MS);
      return null;
    });
    if (outcome === null) return { retryMs: LOOK_MS };
    outage.worked();
    switch (outcome.kind) {
      case 'claimed':
        logOnce('', () => log.info({}, 'takes over the shards'));
        return { number: outcome.number };
      case 'held': {
        const { host, holder } = outcome.by;
        logOnce(holder, () => log.info({ host }, 'stands by: another process has the shards'));
        return { retryMs: LOOK_MS };
      }
      case 'resting': {
        const { ms, crashes } = outcome;
        const seconds = Math.ceil(ms / SECOND);
        logOnce(`resting ${crashes}`, () =>
          log.warn(
            { seconds, crashes },
            'the bot crashed after its last logins; the next login waits, since Discord resets the token of a bot that logs in a thousand times a day',
          ),
        );
        // If several processes wait, another one may end the wait.
        return { retryMs: ownProcess.isAlone ? ms : LOOK_MS };
      }
      case 'conflict':
        // A claim that is renewed is that of a process that lives.
        if (conflict?.holder === outcome.by.holder && outcome.by.until > conflict.until)
          throw refuse(outcome.by);
        conflict = outcome.by;
        return { retryMs: LOOK_MS };
    }
  };
}
