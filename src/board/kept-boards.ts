/** The boards that this process keeps: as many at work as are stored, and none while another process keeps them. */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import type { Translator } from '../i18n/translator.ts';
import type { BoardRecord, BoardRecords, BoardSettings } from '../store/board-records.ts';
import type { BoardChat, Done } from './channel.ts';
import type { Lease } from './lease.ts';
import { pauseMessage } from './pause-message.ts';
import type { Poll } from './poll/poll.ts';
import { createRenderer, markerOf } from './render.ts';
import { type Board, createBoard } from './runner.ts';
import type { Paused } from './state.ts';

export interface BoardsParts {
  readonly chat: BoardChat;
  readonly records: BoardRecords;
  readonly poll: Poll;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly translatorFor: (locale: string) => Translator;
  /** An error that nobody foresaw, or a store that failed; the boards go on. */
  readonly failed: (error: unknown) => void;
}

export interface KeptBoards {
  /** By its channel. */
  get(channelId: string): Board | undefined;
  /** Brings the boards at work in line with what is stored, whichever process stored it. */
  sync(): Promise<void>;
  /** The live connection has news of a guild's rights or channels. */
  accessChanged(guildId: string): void;
  /** Each says that it is paused. Resolves when all have ended. */
  stop(): Promise<void>;
  /** All end without a word. */
  abandon(): void;
}

const DAY = 24 * 60 * 60_000;
/** How long settings outlive their channel. */
const CHANNEL_GONE = 30 * DAY;
/** Milliseconds; many boards check more rarely, so that together they stay slow. */
const CHECK = { every: 15_000, perBoard: 300 };

export function createKeptBoards(parts: BoardsParts, lease: Lease): KeptBoards {
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

/** Reads what boards show for as long as one of them shows it: what it returns is called whenever that may change. */
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
  // The person wanted to be forgotten.
  if (settings.madeBy === '') return { kind: 'ok' };
  const text = pauseMessage(settings, paused, translatorFor(settings.locale));
  return chat.notify(settings.madeBy, text, `t${paused.since}${settings.channelId.slice(-10)}`);
}

/** A board that is paused shows nothing, so nothing is read for it until it may go on. */
function isShown({ status: { paused, settings } }: Board, chat: BoardChat): boolean {
  if (paused === null) return true;
  return paused.why !== 'unwanted' && chat.access(settings.guildId, settings.channelId).kind === 'open';
}
