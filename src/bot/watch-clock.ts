import { SECOND } from '../base/duration.ts';
import { every } from '../base/every.ts';
import type { Runtime } from '../base/runtime.ts';

/** In ms. */
const LOOK_EVERY = 15 * SECOND;
/** Corrections below it, in ms, are usual. */
const JUMP = 5 * SECOND;

/** Ages and times jump with the machine's clock, until the next answer of the data service. */
export function watchClock({ clock, log, resources }: Runtime): void {
  let ahead = clock.now() - clock.monotonic();
  const looking = every(clock, LOOK_EVERY, async () => {
    const by = clock.now() - clock.monotonic() - ahead;
    ahead += by;
    if (Math.abs(by) >= JUMP)
      log.warn(
        { seconds: Math.round(by / SECOND) },
        'the clock of this machine was set, or the machine slept',
      );
  });
  resources.defer(looking.stop);
}
