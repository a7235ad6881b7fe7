/** Each safeguard undone by itself from outside: what it keeps away then happens, so the others do not stand in for it. */

import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { type BoardSettings, RIGHTS } from '../../../src/cards/board/board.ts';
import {
  allBoards,
  type BoardsInMemory,
  boardsInMemory,
  CHANNEL,
  type Sabotage,
  textOf,
  versionOf,
} from './support/boards-in-memory.ts';

interface Case {
  readonly safeguard: string;
  readonly without: string;
  readonly undone: Sabotage;
  /** Where chance decides whether it goes wrong, so many days are tried. */
  readonly seeds?: number;
  /** How often it went wrong. */
  readonly wrong: (sabotage: Sabotage, seed: number) => Promise<number>;
}

async function create(bot: BoardsInMemory, sabotage: Sabotage) {
  const process = bot.start(sabotage);
  await bot.time.pass(100);
  const asked = bot.request();
  return { process, created: process.boards.create(asked) };
}

let repeated = '';
let unwritten: readonly (readonly [channelId: string, settings: BoardSettings])[] = [];

const cases: readonly Case[] = [
  {
    safeguard: 'one nonce for all attempts',
    seeds: 30,
    without: 'a send that lands after we have looked for it becomes a second message',
    undone: {
      chat: (chat, { clock }) => ({
        ...chat,
        send: (channelId, message) => chat.send(channelId, message, `${clock.monotonic()}`),
      }),
    },
    async wrong(sabotage, seed) {
      const bot = boardsInMemory(seed);
      await create(bot, sabotage);
      // The send fails, not the look before it.
      while (bot.chat.requests.length === 0) await bot.time.pass(10);
      bot.chat.fault = 'reset';
      await bot.time.pass(SECOND);
      bot.chat.fault = null;
      await bot.time.pass(MINUTE);
      return bot.chat.seen.filter(({ by }) => by === 'send').length - 1;
    },
  },
  {
    safeguard: 'the search for its own message',
    without: 'a board whose process was killed between send and store gets a second message',
    undone: {
      chat: (chat) => ({ ...chat, find: async () => ({ kind: 'found', messageIds: [] }) }),
    },
    async wrong(sabotage, seed) {
      const bot = boardsInMemory(seed);
      const { process } = await create(bot, sabotage);
      bot.chat.onCreated = () => process.kill();
      await bot.time.pass(20 * MINUTE);
      bot.chat.onCreated = null;
      bot.start(sabotage);
      await bot.time.pass(MINUTE);
      return bot.chat.alive(CHANNEL).length - 1;
    },
  },
  {
    safeguard: 'one edit in flight',
    seeds: 10,
    without: 'an older state is shown after a newer one',
    undone: {
      chat: (chat) => ({
        ...chat,
        async edit(place, message) {
          void chat.edit(place, message);
          return { kind: 'ok' };
        },
      }),
    },
    async wrong(sabotage, seed) {
      const bot = boardsInMemory(seed);
      await bot.withBoard(sabotage);
      bot.chat.fault = 'slow';
      for (let round = 0; round < 60; round += 1) {
        bot.game.version += 1;
        await bot.time.pass(2 * SECOND);
      }
      const shown = bot.chat.seen.map(({ content }) => versionOf(content) ?? 0);
      return shown.filter((version, index) => version < (shown[index - 1] ?? 0)).length;
    },
  },
  {
    safeguard: 'the grace for one empty answer',
    without: 'one empty answer in a row of full ones empties the board',
    undone: {
      // Each message is sent twice.
      service: (service) => ({
        async get(endpoint, asked, ask) {
          const answer = await service.get(endpoint, asked, ask);
          const isEmpty = JSON.stringify(answer.record).includes('"players":[]');
          if (isEmpty) repeated = endpoint.name;
          else if (repeated === endpoint.name) {
            repeated = '';
            return { ...answer, record: endpoint.response.parse({ t: answer.asOf, n: 'One', ps: {} }) };
          }
          return answer;
        },
      }),
    },
    async wrong(sabotage, seed) {
      const bot = boardsInMemory(seed);
      await bot.withBoard(sabotage);
      bot.game.blanks = 1;
      await bot.time.pass(MINUTE);
      return bot.chat.seen.filter(({ content }) => textOf(content).includes('Empty: **One**')).length;
    },
  },
  {
    safeguard: 'the pause when rights are lost',
    without: 'chat refuses more than ten requests in ten minutes',
    undone: {
      chat: (chat) => ({
        ...chat,
        access: () => ({ kind: 'open' }),
        async edit(place, message) {
          const done = await chat.edit(place, message);
          return done.kind === 'forbidden' ? { kind: 'lost', why: 'nothing known' } : done;
        },
        async checkMessage(place) {
          const done = await chat.checkMessage(place);
          return done.kind === 'forbidden' ? { kind: 'lost', why: 'nothing known' } : done;
        },
      }),
    },
    async wrong(sabotage, seed) {
      const bot = boardsInMemory(seed);
      await bot.withBoard(sabotage);
      bot.chat.setRights(CHANNEL, RIGHTS.slice(0, 1));
      bot.game.version = 2;
      await bot.time.pass(10 * MINUTE);
      return Math.max(0, bot.chat.requests.filter(({ invalid }) => invalid).length - 10);
    },
  },
  {
    safeguard: 'the lock',
    without: 'both copies edit the board',
    undone: {
      lock: () => ({ take: async () => {}, isSure: () => true }),
    },
    async wrong(sabotage, seed) {
      const bot = boardsInMemory(seed);
      await bot.withBoard(sabotage);
      bot.start(sabotage);
      await bot.time.pass(MINUTE);
      const before = bot.edits();
      bot.game.version = 2;
      await bot.time.pass(MINUTE);
      return bot.edits() - before - 1;
    },
  },
  {
    safeguard: 'storing first',
    without: 'a killed process leaves a message that no setting knows of',
    undone: {
      // Each record is written a second later, unless the process has ended by then.
      records: (records, { clock }) => ({
        ...records,
        served: async (shards) => new Map([...(await records.served(shards)), ...unwritten]),
        async add(settings) {
          unwritten = [[settings.channelId, settings]];
          clock.after(SECOND, () => {
            unwritten = [];
            void records.add(settings);
          });
        },
      }),
    },
    async wrong(sabotage, seed) {
      const bot = boardsInMemory(seed);
      const { process } = await create(bot, sabotage);
      bot.chat.onCreated = () => process.kill();
      await bot.time.pass(MINUTE);
      bot.start(sabotage);
      await bot.time.pass(MINUTE);
      return bot.chat.alive(CHANNEL).length - (await allBoards(bot.store)).length;
    },
  },
];

async function wrongs({ wrong, seeds = 1 }: Case, sabotage: Sabotage): Promise<number> {
  let sum = 0;
  unwritten = [];
  for (let seed = 1; seed <= seeds; seed += 1) sum += await wrong(sabotage, seed);
  return sum;
}

test.for(cases)('without $safeguard $without', async (one) => {
  expect(await wrongs(one, one.undone)).toBeGreaterThan(0);
});

test.for(cases)('with $safeguard that never happens', async (one) => {
  expect(await wrongs(one, {})).toBe(0);
});
