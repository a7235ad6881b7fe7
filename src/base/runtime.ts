import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** Services of the process that each part of the bot uses. */
export interface Runtime {
  readonly clock: Clock;
  readonly log: Log;
  /** Closes what was opened, the last first; also where the start fails halfway. */
  readonly resources: AsyncDisposableStack;
}
