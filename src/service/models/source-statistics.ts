import type { Fault } from '../../base/errors.ts';

/** One source of the data service: an endpoint, or a single live file (`live/one`). Times in unix milliseconds. */
export interface SourceStatistics {
  readonly name: string;
  /** When the newest good answer was true; null if there has been none since the start. */
  readonly goodAsOf: number | null;
  readonly lastFault: {
    readonly fault: Fault;
    readonly at: number;
    /** The service works, and has no such live file. */
    readonly isMissing?: boolean;
  } | null;
}
