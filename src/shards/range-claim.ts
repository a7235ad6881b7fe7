/** A process's claim on its shards: waits for it, keeps it, and passes it on. */
import { type Clock, sleep } from '../base/clock.ts';
import { repeatEvery } from '../base/repeat-every.ts';
import { changeDocuments } from '../store/change.ts';
import type { Documents } from '../store/documents.ts';
import {
  CLAIM_MS,
  CLAIMS_KEY,
  type Claim,
  claimsDocuments,
  countProcesses,
  hasStandby,
  noClaims,
  RENEW_MS,
  renewClaim,
  type ShardRange,
  type UpdateClaims,
  withoutProcess,
} from './claims-document.ts';
import { awaitEarlierLeases } from './earlier-leases.ts';
import { type Fence, unfenced } from './fence.ts';
import { type ClaimLog, createLook } from './standby.ts';

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

export interface RangeClaim {
  /**
   * Resolves when this process has the claim: at once, or when the process that has it now passes it on or dies. Rejects with
   * a {@link StartError} if another process has a part of the range.
   */
  take(): Promise<void>;
  /** Returns the time for which the claim surely lasts, in ms. Monotonic time stands still while a machine sleeps, and wall time jumps. */
  remainingMs(): number;
  /** Null without a claim. */
  fence(): Fence | null;
  /** Renews the claim now. False: another process has it. True also if the store is away. */
  confirm(): Promise<boolean>;
  /** Resolves with the claim that another process has taken instead. */
  readonly lost: Promise<Claim>;
  /** Another process waits to take over. */
  hasStandby(): Promise<boolean>;
  /** Gives the claim back, once. `crashed`: after a login, because of an error. */
  release(crashed: boolean): Promise<void>;
}

/** Wait after a failed renewal. */
const RETRY_MS = 500;

export function createRangeClaim(parts: RangeClaimParts): RangeClaim {
  const { me, host, range, isAlone, documents, clock, log } = parts;
  const loss = Promise.withResolvers<Claim>();
  const stopped = new AbortController();
  /** The claim with the times from which on it lasts, by both clocks. */
  let current: { readonly number: number; readonly monotonic: number; readonly wall: number } | null = null;
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

  const view = (now: number) => ({ me, host, range, now });
  const moment = () => ({ monotonic: clock.monotonic(), wall: clock.now() });

  async function renew(): Promise<void> {
    const requestedAt = moment();
    const outcome = await update((document, now) => renewClaim(document, view(now))).catch(
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
    stopRenewals();
    loss.resolve(outcome.to);
  }

  let renewals: ReturnType<typeof repeatEvery> | null = null;
  function stopRenewals(): void {
    void renewals?.stop();
  }

  return {
    async take() {
      if (!isAlone) await awaitEarlierLeases(documents, clock, stopped.signal);
      const look = createLook({ ...parts, update });
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
    remainingMs() {
      if (current === null) return Number.NEGATIVE_INFINITY;
      if (isAlone) return Number.POSITIVE_INFINITY;
      const { monotonic, wall } = current;
      return CLAIM_MS - Math.max(clock.monotonic() - monotonic, clock.now() - wall);
    },
    fence() {
      if (current === null) return null;
      return isAlone ? unfenced : { number: current.number };
    },
    async confirm() {
      await renewals?.now();
      return !isLost;
    },
    lost: loss.promise,
    async hasStandby() {
      if (isAlone) return false;
      return update((document, now) => ({
        state: document,
        outcome: hasStandby(document, range, now),
      })).catch(() => false);
    },
    async release(crashed) {
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
