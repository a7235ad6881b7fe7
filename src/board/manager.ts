/** All boards and the lease, from start to stop. */
import { within } from '../clock.ts';
import { countWrites, type WriteCount } from './count-writes.ts';
import { createLease } from './lease.ts';
import { type Boards, createRequests } from './requests.ts';
import type { BoardStatus } from './runner.ts';
import { type BoardsParts, createRunningBoards } from './running-boards.ts';

export interface BoardKeeper extends Boards {
  start(): Promise<void>;
  /** The boards that this process keeps. */
  kept(): readonly BoardStatus[];
  /** How the writing of their messages has ended since the start. */
  writes(): readonly WriteCount[];
  /** Every board shows that it is paused. */
  stop(): Promise<void>;
}

/** How often the lease and the store are checked, in ms. */
const BEAT = 5000;
/** The time all boards together have to show that they are paused, in ms. */
const STOPPING = 4000;

export function createBoards(given: BoardsParts): BoardKeeper {
  const { chat, counts } = countWrites(given.chat);
  const parts = { ...given, chat };
  const { clock, failed } = parts;
  const lease = createLease(parts);
  const running = createRunningBoards(parts, lease);
  let stopped = false;
  let cancelBeat = (): void => {};
  let offAccess = (): void => {};

  async function beat(): Promise<void> {
    try {
      await lease.renew();
      if (lease.isHeld()) await running.sync();
      else running.abandon();
    } catch (error) {
      failed(error);
    }
    cancelBeat();
    if (!stopped) cancelBeat = clock.after(BEAT, () => void beat());
  }

  return {
    ...createRequests({ ...parts, running, lease }),
    kept: running.statuses,
    writes: counts,
    async start() {
      offAccess = chat.onAccess(running.accessChanged);
      await beat();
    },
    async stop() {
      stopped = true;
      cancelBeat();
      offAccess();
      await within(running.stop(), STOPPING, clock);
      running.abandon();
      try {
        await lease.release();
      } catch (error) {
        failed(error);
      }
    },
  };
}
