/** One source, read again and again for as long as somebody needs it. */
import { isDeepStrictEqual } from 'node:util';
import type { Known } from '../../cards/board/board-facts.ts';
import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import type { Priority } from '../../service/endpoints.ts';
import type { Answer } from '../../service/models/answer.ts';

/** What came of one question. */
export type Came = 'fresh' | 'nothing' | 'no-budget';

export interface PolledSourceParts<T> {
  readonly clock: Clock;
  /** `clockless`: the record has no clock of its own, so it is as old as its last change. */
  readonly ask: (priority: Priority) => Promise<Answer<T> & { readonly clockless?: boolean }>;
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
  /** An error that nobody foresaw; it is asked again all the same. */
  readonly failed: (error: unknown) => void;
}

export interface PolledSource<T> {
  /** The last good record: the same object for as long as it says the same. */
  readonly known: Known<T> | null;
  /** Whether it has been asked since it was started; for a person also where the answer is still in doubt. */
  readonly tried: boolean;
  start(): void;
  stop(): void;
  /** A person waits for what has not been tried: it is asked at once, as a person's question. */
  hurry(): void;
}

export function createPolledSource<T>(parts: PolledSourceParts<T>): PolledSource<T> {
  const { clock, pace } = parts;
  const belief = createBelief(parts);
  let tried = false;
  let failures = 0;
  let running = false;
  let asking = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  let cancel = (): void => {};

  async function ask(priority: Priority): Promise<void> {
    asking += 1;
    const begun = clock.monotonic();
    let came: Came = 'nothing';
    try {
      const answer = await parts.ask(priority);
      came = answer.stale === null ? 'fresh' : cameOf(answer.stale);
      belief.accept(answer);
    } catch (error) {
      if (error instanceof ServiceError) came = cameOf(error.fault);
      else parts.failed(error);
    }
    asking -= 1;
    tried ||= belief.known !== null || !belief.doubted || priority === 'interactive';
    failures = came === 'fresh' ? 0 : failures + 1;
    nextAt = begun + pace(came, failures, belief.known !== null);
    plan();
    parts.changed();
  }

  function plan(): void {
    cancel();
    if (!running || asking > 0) return;
    cancel = clock.after(Math.max(1, nextAt - clock.monotonic()), () => void ask('background'));
  }

  return {
    get known() {
      return belief.known;
    },
    get tried() {
      return tried;
    },
    start() {
      if (running) return;
      running = true;
      tried &&= nextAt > clock.monotonic();
      plan();
    },
    stop() {
      running = false;
      cancel();
    },
    hurry() {
      if (tried || !running) return;
      cancel();
      void ask('interactive');
    },
  };
}

function cameOf(fault: NonNullable<Answer<unknown>['stale']>): Came {
  return fault === 'over-budget' ? 'no-budget' : 'nothing';
}

/** What is believed of a source, answer by answer. */
function createBelief<T>({
  clock,
  isEmpty,
  doubtFirst,
}: Pick<PolledSourceParts<T>, 'clock' | 'isEmpty' | 'doubtFirst'>) {
  let known: Known<T> | null = null;
  /** The newest answer's own time as it came. */
  let newest = Number.NEGATIVE_INFINITY;
  let doubted = false;

  return {
    get known() {
      return known;
    },
    /** Whether the last answer was empty and is not believed yet. */
    get doubted() {
      return doubted;
    },
    accept({
      record,
      asOf,
      stale,
      clockless = false,
    }: Awaited<ReturnType<PolledSourceParts<T>['ask']>>): void {
      // An older answer never replaces a newer one, unless that one came from a clock that has been put right since.
      if (asOf < newest && (stale !== null || newest <= clock.now())) return;
      const wasFull = known === null ? doubtFirst : !isEmpty(known.record);
      if (wasFull && isEmpty(record) && !doubted) {
        doubted = true;
        return;
      }
      doubted = false;
      const isSame = known !== null && isDeepStrictEqual(known.record, record);
      // A clock that runs ahead of ours does not make a file that stands still any younger.
      const standsStill = asOf === newest || (clockless && isSame);
      known = {
        record: known !== null && isSame ? known.record : record,
        asOf: known !== null && standsStill ? known.asOf : Math.min(asOf, clock.now()),
        clockless,
      };
      newest = asOf;
    },
  };
}
