import type { Clock } from '../base/clock.ts';
import { HOUR } from '../base/duration.ts';

/** In ms; the pause doubles from the first to the longest. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = HOUR;

/**
 * Publishes the commands, and tries again after growing pauses until Discord accepts them (`publish` resolves with
 * true). Gives up where `publish` throws, and passes that to `failed`. The returned function ends it.
 */
export function keepPublishing(
  publish: () => Promise<boolean>,
  clock: Pick<Clock, 'after'>,
  failed: (error: unknown) => void,
): () => void {
  let cancel = (): void => {};
  let ended = false;
  async function attempt(pause: number): Promise<void> {
    const isDone = await publish();
    if (isDone || ended) return;
    cancel = clock.after(pause, () => tryAgain(Math.min(2 * pause, LONGEST_PAUSE)));
  }
  const tryAgain = (pause: number): void => void attempt(pause).catch(failed);
  tryAgain(FIRST_PAUSE);
  return () => {
    ended = true;
    cancel();
  };
}
