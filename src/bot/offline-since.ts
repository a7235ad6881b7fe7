import { isDeepStrictEqual } from 'node:util';
import { SECOND } from '../base/duration.ts';
import { createJob, startJobs } from '../base/job.ts';
import type { Runtime } from '../base/runtime.ts';
import type { History } from '../community/history/history.ts';
import type { Poll } from '../service/poll/poll.ts';

/** History is written once a minute. */
const ASK_INTERVAL_MS = 30 * SECOND;

/** The polled facts, with the times since when servers are offline, until the end. */
export function withOfflineSince(
  poll: Poll,
  history: Pick<History, 'offlineSince'>,
  { clock, log, resources }: Runtime,
): Poll {
  let offlineSince: ReadonlyMap<string, number> = new Map();
  const ask = async (): Promise<void> => {
    const now = await history.offlineSince();
    if (!isDeepStrictEqual(now, offlineSince)) offlineSince = now;
  };
  const failed = (error: unknown): void => log.error({ err: error }, 'history not read for boards');
  startJobs(resources, [createJob(clock, ASK_INTERVAL_MS, ask, failed)]);
  return {
    ...poll,
    get facts() {
      return { ...poll.facts, offlineSince };
    },
  };
}
