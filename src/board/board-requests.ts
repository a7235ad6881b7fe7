/** Does what people ask of boards. A board is identified by its channel; each channel has at most one. */

import { within } from '../base/clock.ts';
import { createMutex } from '../base/mutex.ts';
import { timestamp } from '../i18n/timestamp.ts';
import {
  type Access,
  type BoardOptions,
  type BoardSettings,
  type BoardState,
  type BoardStatus,
  type HeadlineProblem,
  type ListedBoard,
  newBoardOptions,
} from '../service/models/board.ts';
import type { BoardRecord } from './board-records.ts';
import { type BoardChannels, isOutOfSight, type RequestFailure } from './channels.ts';
import { hasRoomFor } from './headline.ts';
import { markerOf } from './render.ts';
import type { RunningBoards } from './running-boards.ts';
import type { Rooms } from './world.ts';

type NoAccess = Exclude<Access, { kind: 'open' }>;
export type NoBoard = NoAccess | { readonly kind: 'there' | 'too-many' };
export type NotSent = NoAccess | RequestFailure;

interface NewBoard extends Pick<BoardSettings, 'guildId' | 'channelId' | 'madeBy' | 'locale' | 'colours'> {
  /** The differences from a usual new board. */
  readonly options?: Partial<BoardOptions>;
}

/** How long a command waits for the outcome, in ms; Discord waits longer. */
const PATIENCE = 8000;
/** Per guild. */
const MOST = 20;
/** Channels that are searched for lost boards: one request each, and people wait. */
const SEARCHED = 50;

export type BoardRequests = ReturnType<typeof createBoardRequests>;

interface BoardRequestParts extends Rooms {
  readonly running: RunningBoards;
}

export function createBoardRequests(rooms: Rooms, running: RunningBoards) {
  const parts = { ...rooms, running };
  const { channels, records } = rooms;
  /** One request of a guild at a time. Other guilds do not wait for it: a board that Discord holds up takes seconds. */
  const inTurn = createMutex();
  const { of, at, changeAt } = createGuildRecords(parts);
  const problemsOf = async (settings: BoardSettings): Promise<readonly HeadlineProblem[]> =>
    headlineProblemsOf({ settings, state: await records.stateOf(settings.channelId) }, channels);

  return {
    /** A new board's choices. */
    usual: newBoardOptions,
    /** One that is paused since nobody seems to want it is resumed, with what is asked for now. */
    create: (asked: NewBoard) => inTurn(asked.guildId, () => create(asked, parts)),
    /** Also deletes its message. Null: there is no such board. */
    remove: (guildId: string, channelId: string) => inTurn(guildId, () => remove(guildId, channelId, parts)),
    /** Changes some of the board's options. Null: there is no board. */
    edit: (guildId: string, channelId: string, changes: Partial<BoardOptions>) =>
      inTurn(guildId, async () => {
        const settings = await changeAt(guildId, channelId, (before) => ({
          options: { ...before.options, ...changes },
        }));
        if (settings === null) return null;
        await running.sync();
        return { options: settings.options, headlineProblems: await problemsOf(settings) };
      }),
    /** Creates a board with the same options there and removes this one, unless that is refused. Null: there is none here. */
    move: (guildId: string, from: string, asked: NewBoard) =>
      inTurn(guildId, async () => {
        const settings = await at(guildId, from);
        if (settings === null) return null;
        const created = await create({ ...asked, options: settings.options }, parts);
        return { created, removed: 'posted' in created ? await remove(guildId, from, parts) : null };
      }),
    /** Changes the language of all boards of a guild, except those with one of their own, or whether names have colours. */
    changeAll: (guildId: string, changes: Partial<Pick<BoardSettings, 'locale' | 'colours'>>) =>
      inTurn(guildId, async () => {
        for (const { channelId } of await of(guildId)) await changeAt(guildId, channelId, () => changes);
        await running.sync();
      }),
    list: async (guildId: string): Promise<readonly ListedBoard[]> =>
      Promise.all(
        (await of(guildId)).map(async (settings) => {
          const { channelId } = settings;
          const status = running.get(channelId)?.status;
          return {
            ...(status ?? storedStatus(settings, await records.stateOf(channelId))),
            access: channels.access(guildId, channelId),
            headlineProblems: await problemsOf(settings),
          };
        }),
      ),
    /** Channels with a board's message of which the store knows nothing any more; a new board there adopts it. */
    lost: (guildId: string) => inTurn(guildId, () => findLost(guildId, parts)),
    /** Sends a test message and deletes it. */
    test: (guildId: string, channelId: string, locale: string) => sendTest(guildId, channelId, locale, parts),
  };
}

/** `posted` is false where Discord has not accepted the message yet; the board retries by itself. */
async function create(
  asked: NewBoard,
  parts: BoardRequestParts,
): Promise<{ readonly kind: 'created' | 'resumed'; readonly posted: boolean } | NoBoard> {
  const { channels, records, poll, clock, running } = parts;
  const { guildId, channelId, madeBy, locale, colours } = asked;
  const { of, at, changeAt } = createGuildRecords(parts);
  const access = channels.access(guildId, channelId);
  if (access.kind !== 'open') return access;
  const there = await at(guildId, channelId);
  const before = running.get(channelId);
  if (there !== null && before?.status.paused?.why !== 'unwanted') return { kind: 'there' };
  if (there !== null) {
    await changeAt(guildId, channelId, ({ options }) => ({ options: { ...options, ...asked.options } }));
    await running.sync();
    before?.resume();
  } else {
    if ((await of(guildId)).length >= MOST) return { kind: 'too-many' };
    const options = { ...newBoardOptions, ...asked.options };
    const [madeAt, removed] = [clock.now(), false];
    const made = { guildId, channelId, madeBy, locale, colours, madeAt, removed, options };
    await records.add(made);
    await running.sync();
  }
  poll.hurry();
  const board = running.get(channelId);
  if (board !== undefined) await within(board.settled(), PATIENCE, clock);
  return { kind: there === null ? 'created' : 'resumed', posted: board?.status.isPosted ?? false };
}

/**
 * The channels where a board's message of ours stands, in a guild for which the store has no board: it has lost its data.
 * Looks at their newest hundred messages, as a new board there does before it posts.
 */
async function findLost(guildId: string, parts: BoardRequestParts): Promise<readonly string[]> {
  const { channels, clock } = parts;
  if ((await createGuildRecords(parts).of(guildId)).length > 0) return [];
  const lost: string[] = [];
  for (const channelId of channels.writable(guildId).slice(0, SEARCHED)) {
    const found = await channels.find(channelId, markerOf(channelId), clock.now());
    if (found.kind === 'found' && found.messageIds.length > 0) lost.push(channelId);
  }
  return lost;
}

async function remove(
  guildId: string,
  channelId: string,
  parts: BoardRequestParts,
): Promise<{ readonly isMessageLeft: boolean } | null> {
  const { channels, records, running, clock } = parts;
  const { changeAt } = createGuildRecords(parts);
  if ((await changeAt(guildId, channelId, () => ({ removed: true }))) === null) return null;
  const { posted } = await records.stateOf(channelId);
  // The bot may no longer see the channel: only its members can delete the message there.
  const isMessageLeft = posted !== null && isOutOfSight(channels.access(guildId, channelId));
  const board = running.get(channelId);
  await running.sync();
  if (board !== undefined) await within(board.ended(), PATIENCE, clock);
  return { isMessageLeft };
}

async function sendTest(
  guildId: string,
  channelId: string,
  locale: string,
  { channels, clock, random, translatorFor }: BoardRequestParts,
): Promise<{ readonly kind: 'ok' } | NotSent> {
  const access = channels.access(guildId, channelId);
  if (access.kind !== 'open') return access;
  const ago = timestamp(clock.now(), 'relative') ?? '';
  const description = translatorFor(locale)('board.trial', { ago });
  const nonce = `test${Math.floor(random() * 1e12)}`;
  const sent = await channels.send(channelId, { embeds: [{ description }], components: [] }, nonce);
  return sent.kind === 'sent' ? channels.remove({ channelId, messageId: sent.messageId }) : sent;
}

/** The boards of one guild, without those being removed. */
function createGuildRecords({ records, cluster }: Pick<Rooms, 'records' | 'cluster'>) {
  async function of(guildId: string): Promise<readonly BoardSettings[]> {
    const ours = cluster.served();
    // A question may be answered here although another process has the guild's shard by now.
    const boards = await (ours(guildId) ? records.served(ours) : records.all());
    return [...boards.values()].filter((settings) => settings.guildId === guildId && !settings.removed);
  }

  return {
    of,
    at: async (guildId: string, channelId: string): Promise<BoardSettings | null> =>
      (await of(guildId)).find((settings) => settings.channelId === channelId) ?? null,
    changeAt: (
      guildId: string,
      channelId: string,
      to: (settings: BoardSettings) => Partial<BoardSettings>,
    ): Promise<BoardSettings | null> =>
      records.change(channelId, (settings) =>
        settings.guildId === guildId && !settings.removed ? { ...settings, ...to(settings) } : null,
      ),
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

/** As long as most headlines are. */
const USUAL_LINE = ' '.repeat(80);

function headlineProblemsOf(
  { settings, state }: BoardRecord,
  channels: Pick<BoardChannels, 'topic' | 'voice'>,
): readonly HeadlineProblem[] {
  const { guildId, channelId, options } = settings;
  const problems: HeadlineProblem[] = [];
  if (options.topic === 'on') {
    const topic = channels.topic(guildId, channelId);
    if (topic.kind === 'missing') problems.push({ what: 'topic', rights: topic.rights });
    const isFull = topic.kind === 'open' && !hasRoomFor(topic.topic, state.topic, USUAL_LINE);
    if (isFull) problems.push({ what: 'topic-full' });
  }
  if (options.voice !== null) {
    const voice = channels.voice(guildId, options.voice);
    if (voice.kind === 'missing') problems.push({ what: 'voice', rights: voice.rights });
    if (voice.kind === 'unknown-channel') problems.push({ what: 'voice-gone' });
  }
  return problems;
}
