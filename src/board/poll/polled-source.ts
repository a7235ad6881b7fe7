/** One source, read again and again for as long as somebody needs it. */
import { isDeepStrictEqual } from 'node:util';
import type { Known } from '../../cards/board/board-facts.ts';
import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import type { Answer } from '../../service/models/answer.ts';

/** What came of one question. */
export type Came = 'fresh' | 'nothing' | 'no-budget';

export interface PolledSourceParts<T> {
  readonly clock: Clock;
  /** `clockless`: the record has no clock of its own, so it is as old as its last change. */
  readonly ask: () => Promise<Answer<T> & { readonly clockless?: boolean }>;
  /** Milliseconds from one question to the next, after so many in a row that came to nothing. */
  readonly pace: (came: Came, failures: number, everKnown: boolean) => number;
  readonly isEmpty: (record: T) => boolean;
  /**
   * One empty answer in a row of full ones is not believed; with this it is not, either, when it is the very first:
   * the next one is not far away.
   */
  readonly doubtFirst: boolean;
  /** A question has been answered, or has come to nothing. */
  readonly changed: () => void;
}

export interface PolledSource<T> {
  /** The last good record: the same object for as long as it says the same. */
  readonly known: Known<T> | null;
  /** Whether there was a first answer to go by, or a failure. */
  readonly tried: boolean;
  start(): void;
  stop(): void;
}

export function createPolledSource<T>(parts: PolledSourceParts<T>): PolledSource<T> {
  const { clock, pace, isEmpty, changed } = parts;
  let known: Known<T> | null = null;
  /** The newest answer's own time as it came. */
  let newest = Number.NEGATIVE_INFINITY;
  let doubted = false;
  let tried = false;
  let failures = 0;
  let running = false;
  let asking = false;
  let nextAt = Number.NEGATIVE_INFINITY;
  let cancel = (): void => {};

  function accept({ record, asOf, stale, clockless = false }: Awaited<ReturnType<typeof parts.ask>>): void {
    // An older answer never replaces a newer one, unless that one came from a clock that has been put right since.
    if (asOf < newest && (stale !== null || newest <= clock.now())) return;
    const wasFull = known === null ? parts.doubtFirst : !isEmpty(known.record);
    if (wasFull && isEmpty(record) && !doubted) {
      doubted = true;
      return;
    }
    doubted = false;
    const isSame = known !== null && isDeepStrictEqual(known.record, record);
    // A clock that runs ahead of ours does not make a file that stands still any younger.
    const standsStill = known !== null && (asOf === newest || (clockless && isSame));
    known = {
      record: known !== null && isSame ? known.record : record,
      asOf: known !== null && standsStill ? known.asOf : Math.min(asOf, clock.now()),
      clockless,
    };
    newest = asOf;
  }

  async function ask(): Promise<void> {
    asking = true;
    const begun = clock.monotonic();
    let came: Came = 'fresh';
    try {
      const answer = await parts.ask();
      if (answer.stale !== null) came = answer.stale === 'over-budget' ? 'no-budget' : 'nothing';
      accept(answer);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      came = error.fault === 'over-budget' ? 'no-budget' : 'nothing';
    } finally {
      asking = false;
      tried ||= known !== null || !doubted;
      failures = came === 'fresh' ? 0 : failures + 1;
      nextAt = begun + pace(came, failures, known !== null);
      if (running) plan();
    }
    changed();
  }

  function plan(): void {
    cancel();
    if (asking) return;
    cancel = clock.after(Math.max(1, nextAt - clock.monotonic()), () => void ask());
  }

  return {
    get known() {
      return known;
    },
    get tried() {
      return tried;
    },
    start() {
      if (running) return;
      running = true;
      plan();
    },
    stop() {
      running = false;
      cancel();
    },
  };
}
