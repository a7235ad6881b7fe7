import { type Clock, sleep } from '../../../../src/base/clock.ts';
import { ServiceError, StoreError } from '../../../../src/base/errors.ts';
import type { BoardRequests } from '../../../../src/messages/boards/board-requests.ts';
import type { BoardChannels, BoardMessage } from '../../../../src/messages/boards/channels.ts';
import type { KeptMessages } from '../../../../src/messages/boards/kept-messages.ts';
import { createLiveBoards } from '../../../../src/messages/boards/live-boards.ts';
import { type BoardRecords, createStoredBoards } from '../../../../src/messages/boards/stored-boards.ts';
import type { Service } from '../../../../src/service/client.ts';
import { createPoll } from '../../../../src/service/poll/poll.ts';
import type { Documents } from '../../../../src/store/documents.ts';
import type { OwnGuilds } from '../../../../src/store/shards/shards.ts';
import { VirtualTime } from '../../../sim/virtual-time.ts';
import { type ChatModel, createChatModel } from '../../../support/chat-model.ts';
import { documentsInMemory } from '../../../support/documents-in-memory.ts';
import { type FaultyDocuments, faultyDocuments } from '../../../support/faulty-documents.ts';
import { serviceOf } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';

export const CHANNEL = '800000000000000001';
export const OWNER = '600000000000000001';
/** A morning; nothing depends on which. */
const START = Date.UTC(2026, 2, 5, 6);

/** The answers of the data service, and its faults. */
export interface Game {
  /** Shown as a track: the number by which a test knows which state a board shows. */
  version: number;
  fault: 'down' | 'no-files' | 'broken' | 'frozen' | 'hang' | null;
  /** So many of the next answers of each live file list nobody. */
  blanks: number;
  /** Nobody is driving. */
  empty: boolean;
  /** On the server with a live file. */
  drivers: number;
  /** The drivers on One as the overview counts them; null: it leaves One out. */
  guests: number | null;
  budget: boolean;
  /** Questions that reached it, by endpoint. */
  readonly asked: Record<string, number>;
}

/** The surroundings of a process: each part can be swapped for one that undoes a safeguard from outside. */
export interface Surroundings {
  readonly clock: Clock;
  readonly chat: BoardChannels;
  readonly records: BoardRecords;
  readonly service: Service;
  readonly shards: OwnGuilds;
  readonly lock: OwnLock;
}

/** The right of a process to work. */
interface OwnLock {
  take(): Promise<void>;
  isSure(): boolean;
}

/** For a process that serves all guilds. */
export const everyGuild = (): boolean => true;

export type Sabotage = {
  readonly [Part in keyof Surroundings]?: (part: Surroundings[Part], all: Surroundings) => Surroundings[Part];
};

export interface Process {
  readonly boards: BoardRequests;
  /** From one moment to the next: nothing that it has begun is finished, no answer reaches it. */
  kill(): void;
  stop(): Promise<void>;
}

type NewBoard = Parameters<BoardRequests['create']>[0];

export interface BoardsInMemory {
  readonly time: VirtualTime;
  readonly chat: ChatModel;
  readonly game: Game;
  /** The stored boards, over every end of a process and whatever its faults. */
  readonly store: BoardRecords;
  /** The store as boards reach it. */
  readonly boardStore: FaultyDocuments;
  /** No process is sure of its lock while it is away. */
  readonly lock: { isAway: boolean };
  /** Takes what boards report, which no test expects otherwise. */
  failed: ((error: unknown) => void) | null;
  start(sabotage?: Sabotage): Process;
  /** Starts a process and has it make the board. */
  withBoard(sabotage?: Sabotage): Promise<Process>;
  /** A person's request for a board. */
  request(changes?: Partial<NewBoard>): NewBoard;
  /** The version that the board shows; null where it shows none. */
  version(): number | null;
  /** All that a reader sees of the only board; null where there is not exactly one. */
  text(): string | null;
  edits(): number;
}

/** Returns the same numbers for the same seed: mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** All boards with their states. */
export async function allBoards({ all, stateOf }: BoardRecords) {
  const found = [...(await all()).values()];
  return Promise.all(found.map(async (settings) => ({ settings, state: await stateOf(settings.channelId) })));
}

export function createGame(): Game {
  return {
    version: 1,
    fault: null,
    blanks: 0,
    empty: false,
    drivers: 1,
    guests: null,
    budget: true,
    asked: {},
  };
}

export function createService(game: Game, clock: Clock): Service {
  let stoodStillAt: number | null = null;
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));

  const timeOf = (endpoint: string): number =>
    endpoint === 'live' ? (stoodStillAt ?? clock.now()) : clock.now();

  function body(endpoint: string, time: number): unknown {
    if (endpoint === 'overview')
      return {
        ...(game.guests === null ? {} : { one: { online: true, guests: game.guests, maxGuests: 40 } }),
        events: { online: true, trackName: 'Speedway', guests: 3, maxGuests: 40 },
      };
    if (endpoint === 'chat-status')
      return { name: 'Chat', members: [{ id: '1', username: 'Ann', status: 'online' }], channels: [] };
    const isEmpty = game.empty || game.blanks > 0;
    if (game.blanks > 0) game.blanks -= 1;
    const others = Array.from({ length: game.drivers - 1 }, (_, index) => [10 + index, { un: `d${index}` }]);
    const players = { 3: { un: 'ann', nn: 'Ann' }, ...Object.fromEntries(others) };
    return { t: time, n: 'One', tk: `v${game.version}`, ps: isEmpty ? {} : players };
  }

  return serviceOf(
    async ({ endpoint: name, asked }) => {
      game.asked[name] = (game.asked[name] ?? 0) + 1;
      const fail = (fault: 'unavailable' | 'bad-response' | 'over-budget') =>
        new ServiceError(fault, { endpoint: name, sent: 'yes' });
      const now = clock.now();
      if (game.fault !== 'frozen') stoodStillAt = null;
      else stoodStillAt ??= now;
      await sleep(10);
      if (game.fault === 'hang') await sleep(8000);
      const isDown = game.fault === 'down' || (game.fault === 'no-files' && name === 'live');
      if (isDown || game.fault === 'hang') throw fail('unavailable');
      if (game.fault === 'broken') throw fail('bad-response');
      if (name !== 'live' && !game.budget) throw fail('over-budget');
      if (name === 'live' && JSON.stringify(asked) !== '{"server":"one"}') throw fail('bad-response');
      return body(name, timeOf(name));
    },
    ({ endpoint }) => ({ asOf: timeOf(endpoint), stale: null }),
  );
}

/** A process's own hands: once it is dead they do nothing, and nothing reaches it. */
function mortal(clock: Clock, chat: BoardChannels) {
  let alive = true;
  const cancels = new Set<() => void>();
  const ifAlive =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      new Promise((resolve, reject) => {
        if (!alive) return;
        work(...args).then(
          (result) => alive && resolve(result),
          (error: unknown) => alive && reject(error),
        );
      });
  const own: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after(ms, callback) {
      if (!alive) return () => {};
      const cancel = clock.after(ms, () => {
        cancels.delete(cancel);
        if (alive) callback();
      });
      cancels.add(cancel);
      return cancel;
    },
  };
  return {
    clock: own,
    chat: {
      access: chat.access,
      writable: chat.writable,
      mayForget: chat.mayForget,
      requestsNow: chat.requestsNow,
      onAccess: (listener) => chat.onAccess((guildId) => alive && listener(guildId)),
      send: ifAlive(chat.send),
      edit: ifAlive(chat.edit),
      remove: ifAlive(chat.remove),
      checkMessage: ifAlive(chat.checkMessage),
      find: ifAlive(chat.find),
      notify: ifAlive(chat.notify),
      changeTopic: ifAlive(chat.changeTopic),
    } satisfies BoardChannels,
    documents: ({ read, all, commit, naming }: Documents): Documents => ({
      read: ifAlive(read),
      all: ifAlive(all),
      commit: ifAlive(commit),
      naming: ifAlive(naming),
    }),
    kill() {
      alive = false;
      for (const cancel of cancels) cancel();
    },
  };
}

export function textOf({ embeds: [embed] }: BoardMessage): string {
  const fields = (embed.fields ?? []).map(({ name, value }) => `${name}\n${value}`);
  return [embed.title, embed.description, ...fields].join('\n');
}

export function versionOf(message: BoardMessage): number | null {
  const found = /\bv(\d+)\b/.exec(textOf(message));
  return found === null ? null : Number(found[1]);
}

/** `keptMessages`: what its processes keep beside boards. */
export function boardsInMemory(seed = 1, keptMessages: readonly KeptMessages[] = []): BoardsInMemory {
  const time = new VirtualTime(START);
  const random = seeded(seed);
  const chat = createChatModel(time.clock, random);
  chat.addChannel(CHANNEL);
  const game = createGame();
  const documents = documentsInMemory(time.clock.now);
  const boardStore = faultyDocuments(time.clock, documents);
  const lock = { isAway: false, holder: null as object | null, waiting: new Set<object>() };
  const translatorFor = createTranslators();

  const start = (sabotage: Sabotage = {}): Process => {
    const own = mortal(time.clock, chat.client());
    const failed = (error: unknown): void => {
      if (bot.failed !== null) bot.failed(error);
      else if (!boardStore.broken && !lock.isAway) throw error;
    };
    const me = {};
    const ownLock: OwnLock = {
      async take() {
        lock.waiting.add(me);
        while (lock.holder !== null || lock.isAway) await sleep(own.clock, 500);
        lock.waiting.delete(me);
        lock.holder = me;
      },
      isSure: () => lock.holder === me && !lock.isAway,
    };
    const ownDocuments = own.documents(boardStore);
    const all: Surroundings = {
      clock: own.clock,
      chat: own.chat,
      records: createStoredBoards({
        ...ownDocuments,
        async commit(...given) {
          if (!usedLock.isSure()) throw new StoreError('this process does not have the lock');
          return ownDocuments.commit(...given);
        },
      }),
      service: createService(game, own.clock),
      shards: { owns: everyGuild, mayAct: () => usedLock.isSure(), processes: () => 1 },
      lock: ownLock,
    };
    const usedLock = sabotage.lock?.(ownLock, all) ?? ownLock;
    const service = sabotage.service?.(all.service, all) ?? all.service;
    const boards = createLiveBoards({
      channels: sabotage.chat?.(all.chat, all) ?? all.chat,
      records: sabotage.records?.(all.records, all) ?? all.records,
      shards: sabotage.shards?.(all.shards, all) ?? all.shards,
      poll: createPoll({ service, clock: own.clock, failed }),
      clock: own.clock,
      random,
      translatorFor,
      failed,
      keptMessages,
    });
    const begin = async (): Promise<void> => {
      await usedLock.take();
      await boards.start();
    };
    void begin();
    const free = (): void => {
      lock.waiting.delete(me);
      if (lock.holder === me) lock.holder = null;
    };
    const kill = (): void => {
      own.kill();
      free();
    };
    const stop = async (): Promise<void> => {
      await (lock.waiting.size > 0 ? boards.handOver() : boards.stop());
      free();
    };
    return { boards, kill, stop: () => time.until(stop()).then(kill) };
  };

  const bot: BoardsInMemory = {
    failed: null,
    time,
    chat,
    game,
    store: createStoredBoards(documents),
    boardStore,
    lock,
    start,
    async withBoard(sabotage) {
      const process = start(sabotage);
      await time.pass(100);
      await time.until(process.boards.create(bot.request()));
      // The slow sources have been read by then and the first edits are over.
      await time.pass(65_000);
      return process;
    },
    request: (changes) => ({
      ...{ guildId: chat.guildId, channelId: CHANNEL, madeBy: OWNER, locale: 'en', colours: true },
      ...changes,
    }),
    version() {
      const [only, ...others] = chat.alive(CHANNEL);
      return only === undefined || others.length > 0 ? null : versionOf(only.content);
    },
    text() {
      const [only, ...others] = chat.alive(CHANNEL);
      return only === undefined || others.length > 0 ? null : textOf(only.content);
    },
    edits: () => chat.seen.filter(({ by }) => by === 'edit').length,
  };
  return bot;
}
