/** Does what people ask of boards. A board is identified by its channel; each channel has at most one. */

import { resolveWithin } from '../../base/clock.ts';
import { createMutex } from '../../base/mutex.ts';
import {
  type Access,
  type BoardOptions,
  type BoardSettings,
  type BoardState,
  type BoardStatus,
  type ListedBoard,
  newBoardOptions,
} from '../../cards/board/board.ts';
import { formatTimestamp } from '../../i18n/timestamp.ts';
import { isOutOfSight, type RequestFailure } from './channels.ts';
import { markerOf } from './render.ts';
import type { Board } from './runner.ts';
import type { BoardParts } from './world.ts';

type NoAccess = Exclude<Access, { kind: 'open' }>;
export type NoBoard = NoAccess | { readonly kind: 'there' | 'too-many' };
export type NotSent = NoAccess | RequestFailure;

interface NewBoard extends Pick<BoardSettings, 'guildId' | 'channelId' | 'madeBy' | 'locale' | 'colours'> {
  /** The differences from a usual new board. */
  readonly options?: Partial<BoardOptions>;
}

/** How long a command waits until a removed board has ended, in ms; Discord waits longer. */
const REMOVAL_TIMEOUT_MS = 8000;
/** Per guild. */
const MAX_BOARDS = 20;
/** Channels that are searched for lost boards: one request each, and people wait. */
const MAX_SEARCHED_CHANNELS = 50;

export type BoardRequests = ReturnType<typeof createBoardRequests>;

export function createBoardRequests(
  { channels, records, poll, clock, random, translatorFor }: BoardParts,
  { boards, sync }: { readonly boards: ReadonlyMap<string, Board>; readonly sync: () => Promise<void> },
) {
  /** One request of a guild at a time. Other guilds do not wait for it: a board that Discord holds up takes seconds. */
  const inTurn = createMutex();

  /** The boards of one guild, without those being removed. */
  async function of(guildId: string): Promise<readonly BoardSettings[]> {
    const boards = await records.served((one) => one === guildId);
    return [...boards.values()].filter(({ removed }) => !removed);
  }

  const at = async (guildId: string, channelId: string): Promise<BoardSettings | null> =>
    (await of(guildId)).find((settings) => settings.channelId === channelId) ?? null;

  const changeAt = (
    guildId: string,
    channelId: string,
    to: (settings: BoardSettings) => Partial<BoardSettings>,
  ): Promise<BoardSettings | null> =>
    records.change(channelId, (settings) =>
      settings.guildId === guildId && !settings.removed ? { ...settings, ...to(settings) } : null,
    );

  /** `posted` is false where Discord has not accepted the message yet; the board retries by itself. */
  async function create(
    asked: NewBoard,
  ): Promise<{ readonly kind: 'created' | 'resumed'; readonly posted: boolean } | NoBoard> {
    const { guildId, channelId, madeBy, locale, colours } = asked;
    const access = channels.access(guildId, channelId);
    if (access.kind !== 'open') return access;
    const existing = await at(guildId, channelId);
    const previousBoard = boards.get(channelId);
    if (existing !== null && previousBoard?.status.paused?.why !== 'unwanted') return { kind: 'there' };
    if (existing !== null) {
      await changeAt(guildId, channelId, ({ options }) => ({ options: { ...options, ...asked.options } }));
      await sync();
      previousBoard?.resume();
    } else {
      if ((await of(guildId)).length >= MAX_BOARDS) return { kind: 'too-many' };
      const options = { ...newBoardOptions, ...asked.options };
      const [madeAt, removed] = [clock.now(), false];
      await records.add({ guildId, channelId, madeBy, locale, colours, madeAt, removed, options });
      await sync();
    }
    poll.hurry();
    const isPosted = (await boards.get(channelId)?.isPosted()) ?? false;
    return { kind: existing === null ? 'created' : 'resumed', posted: isPosted };
  }

  async function remove(
    guildId: string,
    channelId: string,
  ): Promise<{ readonly isMessageLeft: boolean } | null> {
    if ((await changeAt(guildId, channelId, () => ({ removed: true }))) === null) return null;
    const { posted } = await records.stateOf(channelId);
    // The bot may no longer see the channel: only its members can delete the message there.
    const isMessageLeft = posted !== null && isOutOfSight(channels.access(guildId, channelId));
    const board = boards.get(channelId);
    await sync();
    if (board !== undefined) await resolveWithin(board.ended(), REMOVAL_TIMEOUT_MS, clock);
    return { isMessageLeft };
  }

  return {
    /** A new board's choices. */
    usual: newBoardOptions,
    /** Makes a board, and resumes one paused because people deleted its message, with the new options. */
    create: (asked: NewBoard) => inTurn(asked.guildId, () => create(asked)),
    /** Deletes the message, too. Null: there is no such board. */
    remove: (guildId: string, channelId: string) => inTurn(guildId, () => remove(guildId, channelId)),
    /** Changes some of the board's options. Null: there is no board. */
    edit: (guildId: string, channelId: string, changes: Partial<BoardOptions>) =>
      inTurn(guildId, async () => {
        const settings = await changeAt(guildId, channelId, (before) => ({
          options: { ...before.options, ...changes },
        }));
        if (settings === null) return null;
        await sync();
        return settings.options;
      }),
    /** Creates a board with the same options there and removes this one, unless that is refused. Null: there is none here. */
    move: (guildId: string, from: string, asked: NewBoard) =>
      inTurn(guildId, async () => {
        const settings = await at(guildId, from);
        if (settings === null) return null;
        const created = await create({ ...asked, options: settings.options });
        return { created, removed: 'posted' in created ? await remove(guildId, from) : null };
      }),
    /** Changes the language of all boards of a guild, except those with one of their own, or whether names have colours. */
    changeAll: (guildId: string, changes: Partial<Pick<BoardSettings, 'locale' | 'colours'>>) =>
      inTurn(guildId, async () => {
        for (const { channelId } of await of(guildId)) await changeAt(guildId, channelId, () => changes);
        await sync();
      }),
    list: async (guildId: string): Promise<readonly ListedBoard[]> =>
      Promise.all(
        (await of(guildId)).map(async (settings) => {
          const { channelId } = settings;
          const state = await records.stateOf(channelId);
          return {
            ...(boards.get(channelId)?.status ?? storedStatus(settings, state)),
            access: channels.access(guildId, channelId),
          };
        }),
      ),
    /**
     * The channels where a board's message of ours stands, in a guild for which the store has no board: it has lost its
     * data, and a new board there adopts the message. Looks at their newest hundred messages, as that does before it posts.
     */
    lost: (guildId: string) =>
      inTurn(guildId, async () => {
        if ((await of(guildId)).length > 0) return [];
        const channelsOfLostBoards: string[] = [];
        for (const channelId of channels.writable(guildId).slice(0, MAX_SEARCHED_CHANNELS)) {
          const foundMessages = await channels.find(channelId, markerOf(channelId), clock.now());
          if (foundMessages.kind === 'found' && foundMessages.messageIds.length > 0)
            channelsOfLostBoards.push(channelId);
        }
        return channelsOfLostBoards;
      }),
    /** Sends a test message and deletes it. */
    async test(
      guildId: string,
      channelId: string,
      locale: string,
    ): Promise<{ readonly kind: 'ok' } | NotSent> {
      const access = channels.access(guildId, channelId);
      if (access.kind !== 'open') return access;
      const ago = formatTimestamp(clock.now(), 'relative') ?? '';
      const description = translatorFor(locale)('board.trial', { ago });
      const nonce = `test${Math.floor(random() * 1e12)}`;
      const answer = await channels.send(channelId, { embeds: [{ description }], components: [] }, nonce);
      return answer.kind === 'sent' ? channels.remove({ channelId, messageId: answer.messageId }) : answer;
    },
  };
}

/** The status by the store alone: another process runs it, or none does yet. */
function storedStatus(settings: BoardSettings, { posted, paused, lastEdit }: BoardState): BoardStatus {
  return {
    settings,
    mode: 'starting',
    isPosted: posted !== null,
    paused,
    lastEdit,
    checked: null,
    errors: [],
  };
}
