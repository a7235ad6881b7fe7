/** All boards of this process, from start to stop. */
import { within } from '../base/clock.ts';
import { every, type Repetition } from '../base/every.ts';
import { countWrites, type WriteCount } from './count-writes.ts';
import { type BoardRequests, createRequests } from './requests.ts';
import type { BoardStatus } from './runner.ts';
import { type BoardsParts, createRunningBoards } from './running-boards.ts';

export interface LiveBoards extends BoardRequests {
  start(): Promise<void>;
  /** The boards that this process runs. */
  statuses(): readonly BoardStatus[];
  /** How the writing of their messages has ended since the start. */
  writes(): readonly WriteCount[];
  /** This process holds other shards than before. */
  leasesChanged(): void;
  /** Another process is about to take these over: their messages stay as they are. Resolves when they have ended. */
  release(has: (guildId: string) => boolean): Promise<void>;
  /** Every board shows that it is paused. */
  stop(): Promise<void>;
}

/** How often the store is checked, in ms. */
const SYNC_EVERY = 5000;
/** The time all boards together have to show that they are paused, in ms. */
const STOPPING = 4000;
/** The time in ms for what boards are doing when another process takes them over. */
const RELEASING = 4000;

export function createLiveBoards(given: BoardsParts): LiveBoards {
  const { channels, counts } = countWrites(given.channels);
  const parts = { ...given, channels };
  const { clock, failed } = parts;
  const running = createRunningBoards(parts);
  let syncs: Repetition | null = null;
  let offAccess = (): void => {};

  return {
    ...createRequests({ ...parts, running }),
    statuses: running.statuses,
    writes: counts,
    async start() {
      offAccess = channels.onAccess(running.accessChanged);
      syncs = every(clock, SYNC_EVERY, running.sync, failed);
      await syncs.now();
    },
    leasesChanged() {
      void syncs?.now();
    },
    async release(has) {
      await within(running.release(has), RELEASING, clock);
    },
    async stop() {
      offAccess();
      await Promise.all([syncs?.stop(), within(running.stop(), STOPPING, clock)]);
      running.abandon();
    },
  };
}
