/** The boards that this process runs: all stored ones while it holds the lease, otherwise none. */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import type { Translator } from '../i18n/translator.ts';
import type { BoardRecord, BoardRecords, BoardSettings } from '../store/board-records.ts';
import type { BoardChat, Done } from './channel.ts';
import type { Lease } from './lease.ts';
import { pauseMessage } from './pause-message.ts';
import type { Poll } from './poll/poll.ts';
import { createRenderer, markerOf } from './render.ts';
import { type Board, type BoardStatus, createBoard } from './runner.ts';
import type { Paused } from './state.ts';

export interface BoardsParts {
  readonly chat: BoardChat;
  readonly records: BoardRecords;
  readonly poll: Poll;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly translatorFor: (locale: string) => Translator;
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

export function createRunningBoards(parts: BoardsParts, lease: Lease): RunningBoards {
  const { records, clock } = parts;
  const boards = new Map<string, Board>();
  const watch = createWatch(boards, parts);
  let stopping = false;

  function begin(record: BoardRecord): void {
    const { channelId } = record.settings;
    const checkEvery = (): number => Math.max(CHECK.every, boards.size * CHECK.perBoard);
    const board = open(record, { ...parts, lease, checkEvery, forget: () => forget(channelId) });
    boards.set(channelId, board);
    watch();
    board.wake();
  }

  function drop(channelId: string): void {
    boards.get(channelId)?.abandon();
    boards.delete(channelId);
    watch();
  }

  async function forget(channelId: string): Promise<void> {
    await records.remove(channelId);
    drop(channelId);
  }

  return {
    get: (channelId) => boards.get(channelId),
    statuses: () => [...boards.values()].map(({ status }) => status),
    async sync() {
      const stored = new Map((await records.all()).map((record) => [record.settings.channelId, record]));
      if (stopping) return;
      for (const channelId of [...boards.keys()]) if (!stored.has(channelId)) drop(channelId);
      for (const [channelId, record] of stored) {
        const board = boards.get(channelId);
        if (board === undefined) begin(record);
        else if (!isDeepStrictEqual(board.status.settings, record.settings)) board.change(record.settings);
        const paused = (board?.status ?? record.state).paused;
        if (paused?.why === 'channel' && clock.now() - paused.since > CHANNEL_GONE) await forget(channelId);
      }
      watch();
    },
    accessChanged(guildId) {
      for (const board of boards.values())
        if (board.status.settings.guildId === guildId) board.accessChanged();
      watch();
    },
    async stop() {
      stopping = true;
      await Promise.all([...boards.values()].map((board) => board.stop()));
    },
    abandon() {
      for (const channelId of [...boards.keys()]) drop(channelId);
    },
  };
}

/** Polls the boards' data while at least one board shows it. Call the returned function whenever that may change. */
function createWatch(
  boards: ReadonlyMap<string, Board>,
  { poll, chat }: Pick<BoardsParts, 'poll' | 'chat'>,
): () => void {
  let unwatch: (() => void) | null = null;
  const wakeAll = (): void => {
    for (const board of boards.values()) board.wake();
  };
  return () => {
    if ([...boards.values()].some((board) => isShown(board, chat)))
      unwatch ??= poll.watch(['live', 'overview', 'members'], wakeAll);
    else {
      unwatch?.();
      unwatch = null;
    }
  };
}

interface OpenParts extends BoardsParts {
  readonly lease: Lease;
  readonly checkEvery: () => number;
  readonly forget: () => Promise<void>;
}

function open({ settings, state }: BoardRecord, parts: OpenParts): Board {
  const { chat, records, poll, clock, random, translatorFor, forget } = parts;
  const { channelId } = settings;
  const render = createRenderer(channelId);
  return createBoard({
    marker: markerOf(channelId),
    settings,
    stored: state,
    ...{ chat, clock, random, forget },
    save: (next) => records.saveState(channelId, next),
    notify: (to, paused) => notify(to, paused, parts),
    observe: ({ guildId, locale }, paused) => ({
      mayAct: parts.lease.isHeld(),
      access: chat.access(guildId, channelId),
      frame: poll.isReady() ? render(poll.facts, clock.now(), paused, translatorFor(locale)) : null,
      checkEvery: parts.checkEvery(),
    }),
    onBug: parts.failed,
  });
}

async function notify(
  settings: BoardSettings,
  paused: Paused,
  { chat, translatorFor }: BoardsParts,
): Promise<Done> {
  // The maker had their data deleted.
  if (settings.madeBy === '') return { kind: 'ok' };
  const text = pauseMessage(settings, paused, translatorFor(settings.locale));
  return chat.notify(settings.madeBy, text, `t${paused.since}${settings.channelId.slice(-10)}`);
}

/** A paused board shows nothing, so nothing is polled for it until it may continue. */
function isShown({ status: { paused, settings } }: Board, chat: BoardChat): boolean {
  if (paused === null) return true;
  return paused.why !== 'unwanted' && chat.access(settings.guildId, settings.channelId).kind === 'open';
}
