/** The boards that this process runs: those of the guilds that it keeps. */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import { StoreError } from '../errors.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Keeping } from '../shards/keeping.ts';
import type { BoardRecord, BoardRecords, BoardSettings, Proof } from '../store/board-records.ts';
import type { BoardChat, Done } from './channel.ts';
import { createPace, type Pace } from './pace.ts';
import { pauseMessage } from './pause-message.ts';
import type { Poll } from './poll/poll.ts';
import { createRenderer, markerOf } from './render.ts';
import { type Board, type BoardStatus, createBoard } from './runner.ts';
import { createShownBoards } from './shown-boards.ts';
import type { Paused } from './state.ts';
import { createStoredBoards } from './stored-boards.ts';

export interface BoardsParts {
  readonly chat: BoardChat;
  readonly records: BoardRecords;
  /** Which guilds' boards are this process's. */
  readonly keeping: Keeping;
  readonly poll: Poll;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly translatorFor: (locale: string) => Translator;
  /** How many processes share Discord's limit on requests. */
  readonly processes: () => number;
  /** A bug or a store failure; the boards continue. */
  readonly failed: (error: unknown) => void;
}

export interface RunningBoards {
  get(channelId: string): Board | undefined;
  statuses(): readonly BoardStatus[];
  /** Starts, changes and ends boards to match the store, whichever process wrote it. */
  sync(): Promise<void>;
  /** The gateway reports a change of a guild's permissions or channels. */
  accessChanged(guildId: string): void;
  /** Ends those of some guilds, for another process to go on with. Resolves when they have ended. */
  release(has: (guildId: string) => boolean): Promise<void>;
  /** Each board shows that it is paused. Resolves when all have ended. */
  stop(): Promise<void>;
  /** Ends all without changing their messages. */
  abandon(): void;
}

const DAY = 24 * 60 * 60_000;
/** How long settings are stored after their channel is gone. */
const CHANNEL_GONE = 30 * DAY;
/** In ms; with many boards each checks less often, to limit the total rate. */
const CHECK = { every: 15_000, perBoard: 300 };

export function createRunningBoards(parts: BoardsParts): RunningBoards {
  const { records, clock, keeping } = parts;
  const { boards, add, drop, check, checkGuild } = createBoardSet(parts);
  /** Channels whose boards are ending, for another process to go on with. */
  const releasing = new Set<string>();
  const followStored = createStoredBoards(parts);
  const pace = createPace({ ...parts, boards: () => boards.size });
  const render = createRenderer();
  let stopping = false;

  function begin(record: BoardRecord): void {
    const checkEvery = (): number => Math.max(CHECK.every, boards.size * CHECK.perBoard);
    const own = { checkEvery, pace, render, forget: () => forget(record.settings) };
    const board = open(record, { ...parts, ...own });
    add(board);
    board.wake();
  }

  function follow(ours: readonly BoardRecord[]): void {
    if (stopping) return;
    const stored = new Set(ours.map(({ settings }) => settings.channelId));
    for (const channelId of [...boards.keys()])
      if (!stored.has(channelId) && !releasing.has(channelId)) drop(channelId);
    for (const record of ours) {
      const board = boards.get(record.settings.channelId);
      if (board === undefined) begin(record);
      else if (!isDeepStrictEqual(board.status.settings, record.settings)) board.change(record.settings);
    }
  }

  async function forget({ guildId, channelId }: BoardSettings): Promise<void> {
    await records.remove(channelId, proven(keeping, guildId));
    drop(channelId);
  }

  return {
    get: (channelId) => boards.get(channelId),
    statuses: () => [...boards.values()].map(({ status }) => status),
    async sync() {
      await followStored((channelId) => boards.has(channelId), follow);
      if (stopping) return;
      for (const [channelId, { status }] of [...boards]) {
        const { settings, paused } = status;
        if (releasing.has(channelId)) continue;
        if (!keeping.keeps(settings.guildId)) drop(channelId);
        else if (paused?.why === 'channel' && clock.now() - paused.since > CHANNEL_GONE)
          await forget(settings);
      }
      for (const board of boards.values()) check(board);
    },
    accessChanged: (guildId) => checkGuild(guildId, (board) => board.accessChanged()),
    async release(has) {
      const theirs = [...boards].filter(([, { status }]) => has(status.settings.guildId));
      const ending = theirs.map(async ([channelId, board]) => {
        releasing.add(channelId);
        await board.handOver();
        releasing.delete(channelId);
        drop(channelId);
      });
      await Promise.all(ending);
    },
    async stop() {
      stopping = true;
      await Promise.all([...boards.values()].map((board) => board.stop()));
    },
    abandon: () => [...boards.keys()].forEach(drop),
  };
}

/** The boards at work, by their channels and by their guilds; those that are shown keep the data polled. */
function createBoardSet(parts: BoardsParts) {
  const boards = new Map<string, Board>();
  const byGuild = new Map<string, Set<Board>>();
  const shown = createShownBoards(boards, parts);
  return {
    boards,
    add(board: Board): void {
      const { channelId, guildId } = board.status.settings;
      boards.set(channelId, board);
      byGuild.set(guildId, (byGuild.get(guildId) ?? new Set()).add(board));
      shown.check(board);
    },
    /** Ends it without changing its message. */
    drop(channelId: string): void {
      const board = boards.get(channelId);
      if (board === undefined) return;
      board.abandon();
      boards.delete(channelId);
      byGuild.get(board.status.settings.guildId)?.delete(board);
      shown.remove(board);
    },
    /** Whether it is shown may have changed. */
    check: shown.check,
    checkGuild(guildId: string, first: (board: Board) => void): void {
      for (const board of byGuild.get(guildId) ?? []) {
        first(board);
        shown.check(board);
      }
    },
  };
}

interface OpenParts extends BoardsParts {
  readonly checkEvery: () => number;
  readonly pace: Pace;
  readonly render: ReturnType<typeof createRenderer>;
  readonly forget: () => Promise<void>;
}

function open({ settings, state }: BoardRecord, parts: OpenParts): Board {
  const { chat, records, keeping, poll, clock, random, translatorFor, forget } = parts;
  const { channelId } = settings;
  const { pace, render } = parts;
  return createBoard({
    marker: markerOf(channelId),
    settings,
    stored: state,
    ...{ chat, clock, random, forget, takeTicket: pace.take },
    save: async (next) => records.saveState(channelId, next, proven(keeping, settings.guildId)),
    notify: (to, paused) => notify(to, paused, parts),
    observe: ({ guildId, locale, options }, paused) => ({
      mayAct: keeping.proofOf(guildId) !== null,
      access: chat.access(guildId, channelId),
      topic: chat.topic(guildId, channelId),
      voice: options.voice === null ? { kind: 'unknown-channel' } : chat.voice(guildId, options.voice),
      frame: poll.isReady()
        ? render(
            channelId,
            { facts: poll.facts, view: options, now: clock.now(), paused, round: pace.round() },
            translatorFor(options.language ?? locale),
          )
        : null,
      checkEvery: parts.checkEvery(),
      served: pace.served(),
    }),
    onBug: parts.failed,
  });
}

function proven(keeping: Keeping, guildId: string): Proof {
  const proof = keeping.proofOf(guildId);
  if (proof === null) throw new StoreError('another process may keep this board by now');
  return proof;
}

async function notify(
  settings: BoardSettings,
  paused: Paused,
  { chat, translatorFor }: BoardsParts,
): Promise<Done> {
  // The maker had their data deleted.
  if (settings.madeBy === '') return { kind: 'ok' };
  const text = pauseMessage(settings, paused, translatorFor(settings.options.language ?? settings.locale));
  return chat.notify(settings.madeBy, text, `t${paused.since}${settings.channelId.slice(-10)}`);
}
