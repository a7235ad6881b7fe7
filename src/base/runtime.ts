import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** What a part needs of the process that runs it. */
export interface Runtime {
  readonly clock: Clock;
  readonly log: Log;
  /** Closes what was opened, the last first; also where the start fails halfway. */
  readonly resources: AsyncDisposableStack;
}
