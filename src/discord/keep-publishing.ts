import { sleep } from '../base/clock.ts';
import { HOUR } from '../base/duration.ts';
import type { Runtime } from '../base/runtime.ts';
import type { Published } from './publish.ts';

/** In ms; the pause doubles from the first to the longest. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = HOUR;

/**
 * Publishes the commands, and tries again after growing pauses until Discord accepts them. Gives up where `publish`
 * rejects, and only then resolves, with the reason.
 */
export function keepPublishing(
  publish: () => Promise<Published>,
  { clock, log, resources }: Pick<Runtime, 'clock' | 'log' | 'resources'>,
): Promise<unknown> {
  const { promise: refused, resolve } = Promise.withResolvers<unknown>();
  const end = new AbortController();
  resources.defer(() => end.abort());

  async function isAccepted(): Promise<boolean> {
    const published = await publish();
    log.info({ published }, 'commands');
    return published !== 'later';
  }

  async function untilAccepted(): Promise<void> {
    for (let pause = FIRST_PAUSE; !(await isAccepted()); pause = Math.min(2 * pause, LONGEST_PAUSE))
      await sleep(clock, pause, end.signal);
  }

  untilAccepted().catch((error: unknown) => {
    if (!end.signal.aborted) resolve(error);
  });
  return refused;
}
