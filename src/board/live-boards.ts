/** All boards of this process, from start to stop. */

import { within } from '../base/clock.ts';
import { every, type Repetition } from '../base/every.ts';
import { type BoardRequests, createBoardRequests } from './board-requests.ts';
import { createRunningBoards, type RunningBoards } from './running-boards.ts';
import type { Rooms } from './world.ts';

/** How often the store is checked, in ms. */
const SYNC_EVERY = 5000;
/** How long a person waits for the message, in ms. */
const FOLLOWED = 8000;
/** The time all boards together have to show that they are paused, in ms. */
const STOPPING = 4000;
/** The time in ms for what boards are doing when another process takes them over. */
const RELEASING = 4000;

export function createLiveBoards(rooms: Rooms): BoardRequests &
  Pick<RunningBoards, 'statuses' | 'writes'> & {
    start(): Promise<void>;
    /** Another message that is kept like a board was changed: shows that. */
    changed(id: string): void;
    /** One was made or ended. Resolves with whether it is posted, when that is known. */
    follow(id: string): Promise<boolean>;
    /** Other guilds are this process's than before. */
    guildsChanged(): void;
    /** Another process is about to take these over: their messages stay as they are. Resolves when they have ended. */
    release(has: (guildId: string) => boolean): Promise<void>;
    /** Every board shows that it is paused. */
    stop(): Promise<void>;
  } {
  const { channels, clock, failed } = rooms;
  const running = createRunningBoards(rooms);
  let syncs: Repetition | null = null;
  let offAccess = (): void => {};

  return {
    ...createBoardRequests(rooms, running),
    statuses: running.statuses,
    writes: running.writes,
    changed: (id) => running.get(id)?.wake(),
    async follow(id) {
      await running.sync();
      const message = running.get(id);
      message?.wake();
      if (message !== undefined) await within(message.settled(), FOLLOWED, clock);
      return message?.status.isPosted ?? false;
    },
    async start() {
      offAccess = channels.onAccess(running.accessChanged);
      syncs = every(clock, SYNC_EVERY, running.sync, failed);
      await syncs.now();
    },
    guildsChanged() {
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
