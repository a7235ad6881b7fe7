import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** Services of the process that each part of the bot uses. */
export interface Runtime {
  readonly clock: Clock;
  readonly log: Log;
  /** Closes everything that was opened, in reverse order, even if the start fails halfway. */
  readonly resources: AsyncDisposableStack;
}
