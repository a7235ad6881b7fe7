import type { Fault } from '../../base/errors.ts';
import type { EndpointName } from '../endpoints.ts';
import type { LiveServer } from './live-status.ts';

/** An endpoint, or a single live file (`live/one`). */
export type SourceName = Exclude<EndpointName, 'live'> | `live/${LiveServer}`;

/** One source of the data service. Times in unix milliseconds. */
export interface SourceStatistics {
  readonly name: SourceName;
  /** When the newest good answer was true; null if there has been none since the start. */
  readonly goodAsOf: number | null;
  /** The newest good answer says so in place of the members. */
  readonly isWidgetOff?: boolean;
  readonly lastFault: {
    readonly fault: Fault;
    readonly at: number;
    /** The service works, and has no such live file. */
    readonly isMissing?: boolean;
  } | null;
}
