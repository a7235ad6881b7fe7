/** Events since the last write. */
import { HOUR } from '../../base/duration.ts';
import type { Steps } from '../../base/sql.ts';
import { addMinutes, type PlaceMinute } from './counts.ts';
import type { RowsAtOnce } from './drivers.ts';
import { addPlayed, joinPlayed, type Played } from './played.ts';
import { addRuns, type NamedRun } from './runs.ts';
import { addSessions, type DriverSession } from './sessions.ts';

export interface Batch {
  readonly runs: readonly NamedRun[];
  readonly minutes: readonly PlaceMinute[];
  readonly sessions: readonly DriverSession[];
  readonly played: readonly Played[];
}

export const emptyBatch: Batch = { runs: [], minutes: [], sessions: [], played: [] };

/** Times are merged by hour: while nothing can be written, each reading would add a row per driver. */
export function joinedBatch(first: Batch, second: Batch): Batch {
  return {
    runs: [...first.runs, ...second.runs],
    minutes: [...first.minutes, ...second.minutes],
    sessions: [...first.sessions, ...second.sessions],
    played: joinPlayed([...first.played, ...second.played], HOUR),
  };
}

export function* addBatch({ runs, minutes, sessions, played }: Batch, at: RowsAtOnce): Steps<void> {
  yield* addRuns(runs, at);
  yield* addMinutes(minutes, at);
  yield* addSessions(sessions, at);
  yield* addPlayed(played, at);
}
