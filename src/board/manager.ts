/** All boards and the lease, from start to stop. */
import { within } from '../clock.ts';
import { createLease } from './lease.ts';
import { type Boards, createRequests } from './requests.ts';
import { type BoardsParts, createRunningBoards } from './running-boards.ts';

export interface BoardKeeper extends Boards {
  start(): Promise<void>;
  /** Every board shows that it is paused. */
  stop(): Promise<void>;
}

/** How often the lease and the store are checked, in ms. */
const BEAT = 5000;
/** The time all boards together have to show that they are paused, in ms. */
const STOPPING = 4000;

export function createBoards(parts: BoardsParts): BoardKeeper {
  const { chat, clock, failed } = parts;
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
