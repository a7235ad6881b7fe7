import { type Clock, sleep } from '../base/clock.ts';
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
  const end = new AbortController();
  async function untilAccepted(): Promise<void> {
    for (let pause = FIRST_PAUSE; !(await publish()); pause = Math.min(2 * pause, LONGEST_PAUSE))
      await sleep(clock, pause, end.signal);
  }
  untilAccepted().catch((error: unknown) => {
    if (!end.signal.aborted) failed(error);
  });
  return () => end.abort();
}
