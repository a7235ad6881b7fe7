/** All boards: which there are, who keeps them, and what people may do with them. */
import { isDeepStrictEqual } from 'node:util';
import type { Card } from '../cards/kit/card.ts';
import type { Clock } from '../clock.ts';
import { timestamp } from '../i18n/timestamp.ts';
import type { Translator } from '../i18n/translator.ts';
import { type BoardRecord, type BoardRecords, type BoardSettings, newState } from '../store/board-records.ts';
import { type Access, type BoardChat, type Done, type Refusal, RIGHTS } from './channel.ts';
import type { Paused } from './next-step.ts';
import type { Poll } from './poll/poll.ts';
import { createPainter, markerOf } from './render.ts';
import { type Board, type BoardStatus, createBoard } from './runner.ts';
import type { Safeguards } from './safeguards.ts';

/** Why nothing can be kept in a channel. */
export type NoAccess = Exclude<Access, { kind: 'open' }>;

export interface NewBoard {
  readonly guildId: string;
  readonly channelId: string;
  /** Who wants it: told when it cannot be kept. */
  readonly madeBy: string;
  /** BCP 47: in whose language it is. */
  readonly locale: string;
}

export type Created =
  /** The card as it is shown now; `posted` is false where chat has not taken it yet: it is tried again by itself. */
  | { readonly kind: 'created' | 'resumed'; readonly card: Pick<Card, 'embeds'>; readonly posted: boolean }
  | { readonly kind: 'there' | 'too-many' }
  | NoAccess;

export interface ListedBoard extends BoardStatus {
  /** What we may do in its channel. */
  readonly access: Access;
}

/** The boards as commands see them. A board is known by its channel; there is at most one in each. */
export interface Boards {
  create(asked: NewBoard): Promise<Created>;
  /** Its message is taken down, too. False: there is none. */
  remove(guildId: string, channelId: string): Promise<boolean>;
  list(guildId: string): Promise<readonly ListedBoard[]>;
  /** A new one there, and this one removed. Null: there is none here. */
  move(guildId: string, from: string, asked: NewBoard): Promise<Created | null>;
  /** Sends a trial message and deletes it. */
  test(
    guildId: string,
    channelId: string,
    locale: string,
  ): Promise<{ readonly kind: 'ok' } | NoAccess | Refusal>;
}

export interface BoardKeeper extends Boards {
  start(): Promise<void>;
  /** Every board says that it is paused. */
  stop(): Promise<void>;
}

export interface BoardsParts {
  readonly chat: BoardChat;
  readonly records: BoardRecords;
  readonly poll: Poll;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly translatorFor: (locale: string) => Translator;
  readonly safeguards: Safeguards;
  /** An error that nobody foresaw, or a store that failed; the boards go on. */
  readonly failed: (error: unknown) => void;
}

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
/** A killed process's boards are taken over after the lease at the latest. */
const LEASE = 15 * SECOND;
const BEAT = 5 * SECOND;
const GOODBYE = 4 * SECOND;
/** How long a command waits for what comes of it; chat's own patience is longer. */
const PATIENCE = 8 * SECOND;
const LOOK = { every: 15 * SECOND, perBoard: 300 };
/** How long settings outlive their channel. */
const KEPT = 30 * DAY;
/** Of one guild. */
const MOST = 20;

export function createBoards(parts: BoardsParts): BoardKeeper {
  const { chat, records, poll, clock, random, translatorFor, safeguards } = parts;
  const holder = String(random()).slice(2) + String(random()).slice(2);
  const boards = new Map<string, Board>();
  let leaseUntil = Number.NEGATIVE_INFINITY;
  let stopped = false;
  let cancelBeat = (): void => {};
  let unwatch: (() => void) | null = null;
  let offAccess = (): void => {};
  /** What people do happens one after the other. */
  let queue: Promise<unknown> = Promise.resolve();

  const mayAct = (): boolean => !safeguards.lease || clock.monotonic() < leaseUntil;

  function wakeAll(): void {
    for (const board of boards.values()) board.wake();
  }

  async function beat(): Promise<void> {
    const begun = clock.monotonic();
    try {
      const isHeld = !safeguards.lease || (await records.lease(holder, clock.now(), LEASE));
      leaseUntil = isHeld ? begun + LEASE : Number.NEGATIVE_INFINITY;
      if (mayAct()) await sync();
      else abandonAll();
    } catch (error) {
      parts.failed(error);
    }
    cancelBeat();
    if (!stopped) cancelBeat = clock.after(BEAT, () => void beat());
  }

  /** Brings the boards that are kept here in line with what is stored, whichever process stored it. */
  async function sync(): Promise<void> {
    const stored = new Map((await records.all()).map((record) => [record.settings.channelId, record]));
    if (stopped) return;
    for (const [channelId, board] of boards) {
      if (stored.has(channelId)) continue;
      board.abandon();
      boards.delete(channelId);
    }
    for (const [channelId, record] of stored) {
      const board = boards.get(channelId);
      if (board === undefined) begin(record);
      else if (!isDeepStrictEqual(board.status.settings, record.settings)) board.change(record.settings);
      const paused = (board?.status ?? record.state).paused;
      if (paused?.why === 'channel' && clock.now() - paused.since > KEPT) await forget(channelId);
    }
    watch();
  }

  function begin({ settings, state }: BoardRecord): Board {
    const { channelId } = settings;
    const paint = createPainter(channelId, translatorFor(settings.locale));
    const board = createBoard({
      marker: markerOf(channelId),
      settings,
      state,
      chat,
      clock,
      random,
      safeguards,
      mayAct,
      save: async (next) => {
        // Another process may have taken over while this one waited for chat.
        if (!mayAct()) throw new Error('the lease is lost');
        await records.saveState(channelId, next);
      },
      takenDown: () => forget(channelId),
      picture: (paused) => (poll.isReady() ? paint(poll.facts, clock.now(), paused) : null),
      tell,
      lookEvery: () => Math.max(LOOK.every, boards.size * LOOK.perBoard),
      onBug: parts.failed,
    });
    boards.set(channelId, board);
    watch();
    board.wake();
    return board;
  }

  async function forget(channelId: string): Promise<void> {
    await records.remove(channelId);
    boards.get(channelId)?.abandon();
    boards.delete(channelId);
    watch();
  }

  function abandonAll(): void {
    for (const board of boards.values()) board.abandon();
    boards.clear();
    watch();
  }

  /** A board that is paused shows nothing, so nothing is read for it until it may go on. */
  function watch(): void {
    const isShown = [...boards.values()].some(({ status: { paused, settings } }) => {
      if (paused === null) return true;
      return paused.why !== 'unwanted' && chat.access(settings.guildId, settings.channelId).kind === 'open';
    });
    if (isShown) unwatch ??= poll.watch(['live', 'overview', 'members'], wakeAll);
    else {
      unwatch?.();
      unwatch = null;
    }
  }

  async function tell(settings: BoardSettings, { why, missing, since }: Paused): Promise<Done> {
    // Whoever made it wanted to be forgotten.
    if (settings.madeBy === '') return { kind: 'ok' };
    const t = translatorFor(settings.locale);
    const channel = `<#${settings.channelId}>`;
    const rights = RIGHTS.filter((right) => missing.includes(right)).map((right) =>
      t(`board.right.${right}`),
    );
    const text =
      why === 'rights'
        ? rights.length === 0
          ? t('board.told.refused', { channel })
          : t('board.told.rights', { channel, rights: rights.join(', ') })
        : t(why === 'channel' ? 'board.told.channel' : 'board.told.unwanted', { channel });
    return chat.tell(settings.madeBy, text, `t${since}${settings.channelId.slice(-10)}`);
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  }

  async function recordAt(guildId: string, channelId: string): Promise<BoardRecord | null> {
    const record = (await records.all()).find(({ settings }) => settings.channelId === channelId);
    return record === undefined || record.settings.guildId !== guildId || record.settings.removed
      ? null
      : record;
  }

  async function createNow({ guildId, channelId, madeBy, locale }: NewBoard): Promise<Created> {
    const access = chat.access(guildId, channelId);
    if (access.kind !== 'open') return access;
    const there = await recordAt(guildId, channelId);
    const kept = boards.get(channelId);
    if (there !== null && kept?.status.paused?.why !== 'unwanted') return { kind: 'there' };
    if (there !== null) kept?.resume();
    else {
      const own = (await records.all()).filter(({ settings }) => settings.guildId === guildId);
      if (own.length >= MOST) return { kind: 'too-many' };
      const settings = { guildId, channelId, madeBy, locale, madeAt: clock.now(), removed: false };
      if (safeguards.storedFirst) {
        await records.saveSettings(settings);
        if (mayAct()) await sync();
      } else {
        await within(PATIENCE, begin({ settings, state: newState }).settled());
        await records.saveSettings(settings);
      }
    }
    const board = boards.get(channelId);
    if (board !== undefined) await within(PATIENCE, board.settled());
    const { embeds } = createPainter(channelId, translatorFor(locale))(
      poll.facts,
      clock.now(),
      false,
    ).message(clock.now());
    const posted = board?.status.isPosted ?? false;
    return { kind: there === null ? 'created' : 'resumed', card: { embeds }, posted };
  }

  async function removeNow(guildId: string, channelId: string): Promise<boolean> {
    const record = await recordAt(guildId, channelId);
    if (record === null) return false;
    await records.saveSettings({ ...record.settings, removed: true });
    const board = boards.get(channelId);
    if (mayAct()) await sync();
    if (board !== undefined) await within(PATIENCE, board.ended());
    return true;
  }

  /** Resolves after so many milliseconds at the latest. */
  function within(ms: number, work: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      void work.then(() => {
        cancel();
        resolve();
      });
    });
  }

  return {
    async start() {
      offAccess = chat.onAccess((guildId) => {
        for (const board of boards.values())
          if (board.status.settings.guildId === guildId) board.accessChanged();
        watch();
      });
      await beat();
    },
    async stop() {
      stopped = true;
      cancelBeat();
      offAccess();
      const ends = [...boards.values()].map((board) => board.stop());
      await within(
        GOODBYE,
        Promise.all(ends).then(() => {}),
      );
      abandonAll();
      try {
        await records.release(holder);
      } catch (error) {
        parts.failed(error);
      }
    },
    create: (asked) => inTurn(() => createNow(asked)),
    remove: (guildId, channelId) => inTurn(() => removeNow(guildId, channelId)),
    async list(guildId) {
      const own = (await records.all()).filter(
        ({ settings }) => settings.guildId === guildId && !settings.removed,
      );
      return own.map(({ settings, state }): ListedBoard => {
        const unkept: BoardStatus = {
          settings,
          mode: 'starting',
          isPosted: state.posted !== null,
          paused: state.paused,
          lastEdit: state.lastEdit,
          errors: [],
        };
        const status = boards.get(settings.channelId)?.status ?? unkept;
        return { ...status, access: chat.access(guildId, settings.channelId) };
      });
    },
    move(guildId, from, asked) {
      return inTurn(async () => {
        if ((await recordAt(guildId, from)) === null) return null;
        const created = await createNow(asked);
        if (created.kind === 'created' || created.kind === 'resumed') await removeNow(guildId, from);
        return created;
      });
    },
    async test(guildId, channelId, locale) {
      const access = chat.access(guildId, channelId);
      if (access.kind !== 'open') return access;
      const t = translatorFor(locale);
      const when = timestamp(clock.now(), 'relative') ?? '';
      const trial = {
        embeds: [{ description: t('board.trial', { when }) }],
        components: [],
      } as const;
      const sent = await chat.send(channelId, trial, `test${Math.floor(random() * 1e12)}`);
      if (sent.kind !== 'sent') return sent;
      return chat.remove({ channelId, messageId: sent.messageId });
    },
  };
}
