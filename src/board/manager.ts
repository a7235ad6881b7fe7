/** All boards: who keeps them, from the start to the stop. */
import { within } from '../clock.ts';
import { type BoardsParts, createKeptBoards } from './kept-boards.ts';
import { createLease } from './lease.ts';
import { type Boards, createRequests } from './requests.ts';

export interface BoardKeeper extends Boards {
  start(): Promise<void>;
  /** Every board says that it is paused. */
  stop(): Promise<void>;
}

/** Milliseconds from one look at the lease and the store to the next. */
const BEAT = 5000;
/** Milliseconds for all boards together to say that they are paused. */
const STOPPING = 4000;

export function createBoards(parts: BoardsParts): BoardKeeper {
  const { chat, clock, failed } = parts;
  const lease = createLease(parts);
  const kept = createKeptBoards(parts, lease);
  let stopped = false;
  let cancelBeat = (): void => {};
  let offAccess = (): void => {};

  async function beat(): Promise<void> {
    try {
      await lease.renew();
      if (lease.isHeld()) await kept.sync();
      else kept.abandon();
    } catch (error) {
      failed(error);
    }
    cancelBeat();
    if (!stopped) cancelBeat = clock.after(BEAT, () => void beat());
  }

  return {
    ...createRequests({ ...parts, kept, lease }),
    async start() {
      offAccess = chat.onAccess(kept.accessChanged);
      await beat();
    },
    async stop() {
      stopped = true;
      cancelBeat();
      offAccess();
      await within(kept.stop(), STOPPING, clock);
      kept.abandon();
      try {
        await lease.release();
      } catch (error) {
        failed(error);
      }
    },
  };
}
