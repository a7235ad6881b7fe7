/** Wants the profiles of those who may lead a ranking: else nobody rises in one before somebody looks them up. */
import type { Clock } from '../../base/clock.ts';
import { DAY, MINUTE } from '../../base/duration.ts';
import { createJob } from '../../base/job.ts';
import type { LookUps, Subject } from '../../service/look-ups.ts';
import type { History } from './history.ts';

const READ_INTERVAL_MS = 20 * MINUTE;
/** Drivers with the most time online in a week: nobody drives far or earns much without being there. */
const MAX_LEADERS = 20;

/** Each once a day, until the returned function is called. */
export function wantLeaders({
  lookUps,
  history,
  clock,
  holds,
  failed,
}: {
  readonly lookUps: LookUps;
  readonly history: Pick<History, 'top'>;
  readonly clock: Clock;
  readonly holds: () => boolean;
  readonly failed: (error: unknown) => void;
}): () => Promise<void> {
  let leaders: readonly Subject[] = [];
  const rest = lookUps.want(() => (holds() ? leaders : []), failed);
  async function read(): Promise<void> {
    const { rows } = holds() ? await history.top('playtime', 'week') : { rows: [] };
    leaders = rows
      .slice(0, MAX_LEADERS)
      .map(({ driver: name }) => ({ kind: 'profile', name, every: DAY, isUrgent: false, knownAt: null }));
  }
  const reading = createJob(clock, READ_INTERVAL_MS, read, failed);
  void reading.start(READ_INTERVAL_MS);
  return async () => {
    rest();
    await reading.stop();
  };
}
