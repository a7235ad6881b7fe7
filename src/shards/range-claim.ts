/** A process's claim on its shards: waits for it as a standby, keeps it, and passes it on. */
import { type Clock, sleep } from '../base/clock.ts';
import { SECOND } from '../base/duration.ts';
import { StartError, StoreError } from '../base/errors.ts';
import { createOutage } from '../base/outage.ts';
import { type Repetition, repeatEvery } from '../base/repeat-every.ts';
import { changeDocuments } from '../store/change.ts';
import type { Documents } from '../store/documents.ts';
import {
  type Change,
  CLAIM_MS,
  CLAIMS_KEY,
  type Claim,
  type ClaimsDocument,
  claimsDocuments,
  countProcesses,
  hasStandby,
  noClaims,
  RENEW_MS,
  rangeName,
  renewClaim,
  type ShardRange,
  takeRange,
  withoutProcess,
} from './claims-document.ts';
import { awaitEarlierLeases } from './earlier-leases.ts';

/** Takes what operators should know of a process's claim. */
export interface ClaimLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}

interface RangeClaimParts {
  readonly me: string;
  readonly host: string;
  readonly range: ShardRange;
  /** No other process can use the store: a claim in it was left by a crash. */
  readonly isAlone: boolean;
  readonly documents: Documents;
  readonly clock: Clock;
  readonly log: ClaimLog;
  /** Called after each look at the document, with how many processes work. */
  readonly processes: (count: number) => void;
}

export type RangeClaim = ReturnType<typeof createRangeClaim>;

/** Wait after a failed renewal, and between two looks of a standby at the claims. */
const RETRY_MS = 500;

/**
 * Changes the document, and resolves with what the change came to. `now`: the store's clock. The change may be computed
 * more than once. Rejects if the store fails.
 */
type UpdateClaims = <Outcome>(
  change: (document: ClaimsDocument, now: number) => Change<Outcome>,
) => Promise<Outcome>;

export function createRangeClaim(parts: RangeClaimParts) {
  const { me, host, range, isAlone, documents, clock, log } = parts;
  const loss = Promise.withResolvers<Claim>();
  const stopped = new AbortController();
  /** The claim with the times from which on it lasts, by both clocks. */
  let current: { readonly number: number; readonly monotonic: number; readonly wall: number } | null = null;
  let renewals: Repetition | null = null;
  let isLost = false;
  let isReleased = false;

  const update: UpdateClaims = async (changed) => {
    const { outcome, processes } = await changeDocuments(documents, async (transaction) => {
      const document = (await transaction.read(claimsDocuments, CLAIMS_KEY)) ?? noClaims;
      const now = transaction.now();
      const after = changed(document, now);
      transaction.write(claimsDocuments, CLAIMS_KEY, after.state);
      return { outcome: after.outcome, processes: countProcesses(after.state, now) };
    });
    parts.processes(processes);
    return outcome;
  };

  const moment = () => ({ monotonic: clock.monotonic(), wall: clock.now() });

  async function renew(): Promise<void> {
    const requestedAt = moment();
    const outcome = await update((document, now) => renewClaim(document, { me, host, range, now })).catch(
      (error: unknown) => {
        renewals?.runWithin(RETRY_MS);
        throw error;
      },
    );
    if (isReleased) return;
    if (outcome.kind === 'claimed') {
      current = { number: outcome.number, ...requestedAt };
      return;
    }
    isLost = true;
    current = null;
    void renewals?.stop();
    loss.resolve(outcome.to);
  }

  return {
    /**
     * Resolves when this process has the claim: at once, or when the process that has it now passes it on or dies. Rejects
     * with a {@link StartError} if another process has a part of the range.
     */
    async take(): Promise<void> {
      if (!isAlone) await awaitEarlierLeases(documents, clock, stopped.signal);
      const look = createLook(parts, update);
      for (;;) {
        stopped.signal.throwIfAborted();
        const requestedAt = moment();
        const outcome = await look();
        if ('number' in outcome) {
          current = { ...outcome, ...requestedAt };
          break;
        }
        await sleep(clock, outcome.retryMs, stopped.signal);
      }
      if (isAlone) return;
      renewals = repeatEvery(clock, RENEW_MS, renew, (error) =>
        log.warn({ err: error }, 'claim on shards not renewed'),
      );
    },
    /**
     * Returns the time for which the claim surely lasts, in ms. Monotonic time stands still while a machine sleeps, and wall
     * time jumps.
     */
    remainingMs(): number {
      if (current === null) return Number.NEGATIVE_INFINITY;
      if (isAlone) return Number.POSITIVE_INFINITY;
      const { monotonic, wall } = current;
      return CLAIM_MS - Math.max(clock.monotonic() - monotonic, clock.now() - wall);
    },
    /** Returns the number of the claim, 0 if no other process can use the store, and null without a claim. */
    fence(): number | null {
      if (current === null) return null;
      return isAlone ? 0 : current.number;
    },
    /** Renews the claim now. False: another process has it. True also if the store is away. */
    async confirm(): Promise<boolean> {
      await renewals?.now();
      return !isLost;
    },
    /** Resolves with the claim that another process has taken instead. */
    lost: loss.promise,
    /** Another process waits to take over. */
    async hasStandby(): Promise<boolean> {
      if (isAlone) return false;
      return update((document, now) => ({
        state: document,
        outcome: hasStandby(document, range, now),
      })).catch(() => false);
    },
    /** Gives the claim back, once. `crashed`: after a login, because of an error. */
    async release(crashed: boolean): Promise<void> {
      if (isReleased) return;
      isReleased = true;
      stopped.abort(new Error('the process stops'));
      await renewals?.stop();
      current = null;
      await update((document, now) => ({
        state: withoutProcess(document, { me, now, crashed }),
        outcome: null,
      })).catch((error: unknown) => log.warn({ err: error }, 'claim on shards not released'));
    },
  };
}

/**
 * Returns a function that takes the range if that is free: it resolves with the number of the claim, or with when to look
 * again, in ms. It rejects with a {@link StartError} if the range never will be free.
 */
function createLook(
  { me, host, range, isAlone, clock, log }: RangeClaimParts,
  update: UpdateClaims,
): () => Promise<{ readonly number: number } | { readonly retryMs: number }> {
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

  function refuse(other: Claim): StartError {
    return new StartError(
      `SHARDS: another process, on ${other.host}, has the shards ${rangeName(other.range)}, which share some with ${rangeName(range)}; stop it, or name ranges of one number that do not overlap`,
    );
  }

  async function take() {
    return update((document, now) => {
      if (document.number < newestNumber) settledAt = clock.monotonic() + CLAIM_MS;
      newestNumber = document.number;
      const mayReplace = clock.monotonic() >= settledAt;
      if (!mayReplace && document.number === 0) return { state: document, outcome: null };
      return takeRange(document, { me, host, range, isAlone, now, mayReplace });
    });
  }

  return async () => {
    const outcome = await take().catch((error: unknown) => {
      if (isAlone || !(error instanceof StoreError)) throw error;
      outage.failed(error);
      settledAt = Math.max(settledAt, clock.monotonic() + RENEW_MS);
      return null;
    });
    if (outcome === null) return { retryMs: RETRY_MS };
    outage.worked();
    switch (outcome.kind) {
      case 'claimed':
        logOnce('', () => log.info({}, 'takes over the shards'));
        return { number: outcome.number };
      case 'held': {
        const { host: otherHost, holder } = outcome.by;
        logOnce(holder, () => log.info({ host: otherHost }, 'stands by: another process has the shards'));
        return { retryMs: RETRY_MS };
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
        return { retryMs: isAlone ? ms : RETRY_MS };
      }
      case 'conflict':
        // A claim that is renewed is that of a process that lives.
        if (conflict?.holder === outcome.by.holder && outcome.by.until > conflict.until)
          throw refuse(outcome.by);
        conflict = outcome.by;
        return { retryMs: RETRY_MS };
    }
  };
}
