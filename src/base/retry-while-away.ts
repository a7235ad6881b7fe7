import { type Clock, sleep } from './clock.ts';
import { doublePause } from './duration.ts';

/** How long a start waits for something that is away, in ms: a Redis that is started beside the bot loads its data first. */
export const START_PATIENCE_MS = 15_000;
/** The pause between two attempts, in ms; it doubles from `first` up to `longest`, give or take a quarter. */
const PAUSE = { first: 100, longest: 1000 };

interface Waiting {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** In ms, from now. */
  readonly patience?: number;
  /** Called once, with the reason, where the first attempt fails. */
  readonly waiting: (error: unknown) => void;
  readonly isAway: (error: unknown) => boolean;
}

/** Repeats the work, which must be harmless to repeat, while it fails so. Rejects with its last error, or with any other. */
export async function retryWhileAway<Result>(
  work: () => Promise<Result>,
  { clock, patience = START_PATIENCE_MS, waiting, isAway }: Waiting,
): Promise<Result> {
  const until = clock.monotonic() + patience;
  for (let attempts = 0; ; attempts += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error)) throw error;
      const left = until - clock.monotonic();
      if (left <= 0) throw error;
      if (attempts === 0) waiting(error);
      const usual = doublePause(PAUSE, attempts);
      const pause = Math.min(left, usual * (0.75 + Math.random() / 2));
      await sleep(clock, pause);
    }
  }
}
