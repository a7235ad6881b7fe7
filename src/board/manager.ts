/** All boards of this process, from start to stop. */
import { within } from '../base/clock.ts';
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
  let [started, stopped] = [false, false];
  let cancelBeat = (): void => {};
  let offAccess = (): void => {};

  async function beat(): Promise<void> {
    try {
      await running.sync();
    } catch (error) {
      failed(error);
    }
    cancelBeat();
    if (!stopped) cancelBeat = clock.after(BEAT, () => void beat());
  }

  return {
    ...createRequests({ ...parts, running }),
    kept: running.statuses,
    writes: counts,
    async start() {
      started = true;
      offAccess = chat.onAccess(running.accessChanged);
      await beat();
    },
    keptChanged() {
      if (started && !stopped) void beat();
    },
    async release(has) {
      await within(running.release(has), RELEASING, clock);
    },
    async stop() {
      stopped = true;
      cancelBeat();
      offAccess();
      await within(running.stop(), STOPPING, clock);
      running.abandon();
    },
  };
}
