/** One source, polled for as long as someone needs it. */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Priority } from '../endpoints.ts';
import { type Answer, type Stale, whyOld } from '../models/dated.ts';
import type { Fact } from '../models/facts.ts';

/**
 * `stated`: the time that the record itself carries. While it stays the same the record stands still, although `asOf`
 * moves by up to a second, to which the service tells its time. Null: the record carries none, so its last change counts.
 */
interface StatedAnswer<T> extends Answer<T> {
  readonly stated?: number | null;
}

interface PolledSourceSettings<T> {
  readonly clock: Clock;
  readonly ask: (priority: Priority) => Promise<StatedAnswer<T>>;
  /**
   * Milliseconds until the next poll. `outcome`: why the last one gave nothing newer, or null; `failures`: how many in a row
   * have failed.
   */
  readonly pace: (outcome: Stale | null, failures: number, everKnown: boolean) => number;
  readonly isEmpty: (record: T) => boolean;
  /**
   * A single empty answer after full ones is not believed until the next one confirms it. With this, neither is one
   * that comes first.
   */
  readonly doubtFirst: boolean;
  /** Called after each answer or failure. */
  readonly changed: () => void;
  /** A bug; polling continues. */
  readonly failed: (error: unknown) => void;
}

export type PolledSource<T> = ReturnType<typeof createPolledSource<T>>;

export function createPolledSource<T>(settings: PolledSourceSettings<T>) {
  const { clock, pace } = settings;
  const belief = createBelief(settings);
  let wasTried = false;
  let failures = 0;
  let running = false;
  let inFlight = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  let last: ({ readonly startedAt: number } & Outcome) | null = null;
  let cancel = (): void => {};

  async function ask(priority: Priority): Promise<void> {
    inFlight += 1;
    const startedAt = clock.monotonic();
    const { outcome, isMissing } = await pollOnce(settings, priority, belief.accept);
    inFlight -= 1;
    wasTried ||= belief.known !== null || !belief.doubted || priority === 'interactive';
    failures = outcome === null ? 0 : failures + 1;
    last = { startedAt, outcome, isMissing };
    repace();
    settings.changed();
  }

  /** The pace may have changed since the last poll. */
  function repace(): void {
    if (last !== null) nextAt = last.startedAt + pace(last.outcome, failures, belief.known !== null);
    plan();
  }

  function plan(): void {
    cancel();
    if (!running || inFlight > 0) return;
    cancel = clock.after(Math.max(1, nextAt - clock.monotonic()), () => void ask('background'));
  }

  return {
    /** The last good record, which is the same object while its content is the same. */
    get fact(): Fact<T> | null {
      const unread = last?.outcome ?? null;
      return belief.known !== null && unread !== null ? { ...belief.known, unread } : belief.known;
    },
    /** Reason why the last poll gave nothing newer. */
    get fault(): Stale | undefined {
      return last?.outcome ?? undefined;
    },
    /** The last poll found that the service works and has no such record. */
    get isMissing(): boolean {
      return last?.isMissing ?? false;
    },
    /** True once polled since the start; while a person waits, even if the answer is still in doubt. */
    get wasTried(): boolean {
      return wasTried;
    },
    start(): void {
      if (running) return;
      running = true;
      wasTried &&= nextAt > clock.monotonic();
      plan();
    },
    stop(): void {
      running = false;
      cancel();
    },
    repace,
    /** A person waits: an untried source is requested at once, with a person's priority. */
    hurry(): void {
      if (wasTried || !running) return;
      cancel();
      void ask('interactive');
    },
  };
}

interface Outcome {
  /** Why the poll gave nothing newer; null if it did. */
  readonly outcome: Stale | null;
  readonly isMissing: boolean;
}

/** Asks once, and passes on what is answered. Never rejects. */
async function pollOnce<T>(
  { ask, failed }: PolledSourceSettings<T>,
  priority: Priority,
  accept: (answer: StatedAnswer<T>) => void,
): Promise<Outcome> {
  try {
    const answer = await ask(priority);
    accept(answer);
    return { outcome: answer.stale, isMissing: false };
  } catch (error) {
    if (error instanceof ServiceError) return { outcome: whyOld(error), isMissing: error.isMissing };
    failed(error);
    return { outcome: 'unavailable', isMissing: false };
  }
}

/** The accepted record of a source, updated answer by answer. */
function createBelief<T>({
  clock,
  isEmpty,
  doubtFirst,
}: Pick<PolledSourceSettings<T>, 'clock' | 'isEmpty' | 'doubtFirst'>) {
  let fact: Fact<T> | null = null;
  /** The newest answer's own time, uncorrected. */
  let newest = Number.NEGATIVE_INFINITY;
  let lastStated: number | null = null;
  let doubted = false;

  return {
    get known() {
      return fact;
    },
    /** The last answer was empty and unconfirmed. */
    get doubted() {
      return doubted;
    },
    accept({ record, asOf, stale, stated }: StatedAnswer<T>): void {
      // An older answer never replaces a newer one, unless that one came from a clock that has since been
      // corrected.
      if (asOf < newest && (stale !== null || newest <= clock.now())) return;
      const wasFull = fact === null ? doubtFirst : !isEmpty(fact.record);
      // A stale answer is the doubted one again.
      if (wasFull && isEmpty(record) && (!doubted || stale !== null)) {
        doubted = true;
        return;
      }
      doubted = false;
      const isSame = fact !== null && isDeepStrictEqual(fact.record, record);
      const clockless = stated === null;
      // A clock ahead of ours must not make a frozen file look younger.
      const standsStill = asOf === newest || (clockless ? isSame : stated === lastStated);
      const trueAt = fact !== null && standsStill ? fact.asOf : asOf;
      fact = {
        record: fact !== null && isSame ? fact.record : record,
        // Nor must our own that was ahead until now.
        asOf: Math.min(trueAt, clock.now()),
        clockless,
      };
      newest = asOf;
      lastStated = stated ?? null;
    },
  };
}
