/** All boards of this process, from start to stop. */
import { within } from '../base/clock.ts';
import { every, type Repetition } from '../base/every.ts';
import type { Boards } from './boards.ts';
import { countWrites, type WriteCount } from './count-writes.ts';
import { createRequests } from './requests.ts';
import type { BoardStatus } from './runner.ts';
import { type BoardsParts, createRunningBoards } from './running-boards.ts';

export interface BoardKeeper extends Boards {
  start(): Promise<void>;
  /** The boards that this process keeps. */
  kept(): readonly BoardStatus[];
  /** How the writing of their messages has ended since the start. */
  writes(): readonly WriteCount[];
  /** This process keeps other guilds than before. */
  keptChanged(): void;
  /** Another process is about to keep these: their messages stay as they are. Resolves when they have ended. */
  release(has: (guildId: string) => boolean): Promise<void>;
  /** Every board shows that it is paused. */
  stop(): Promise<void>;
}

/** How often the store is checked, in ms. */
const BEAT = 5000;
/** The time all boards together have to show that they are paused, in ms. */
const STOPPING = 4000;
/** The time in ms for what boards are doing when another process takes them over. */
const RELEASING = 4000;

export function createBoards(given: BoardsParts): BoardKeeper {
  const { chat, counts } = countWrites(given.chat);
  const parts = { ...given, chat };
  const { clock, failed } = parts;
  const running = createRunningBoards(parts);
  let beats: Repetition | null = null;
  let offAccess = (): void => {};

  return {
    ...createRequests({ ...parts, running }),
    kept: running.statuses,
    writes: counts,
    async start() {
      offAccess = chat.onAccess(running.accessChanged);
      beats = every(clock, BEAT, running.sync, failed);
      await beats.now();
    },
    keptChanged() {
      void beats?.now();
    },
    async release(has) {
      await within(running.release(has), RELEASING, clock);
    },
    async stop() {
      offAccess();
      await Promise.all([beats?.stop(), within(running.stop(), STOPPING, clock)]);
      running.abandon();
    },
  };
}
