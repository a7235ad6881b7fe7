/** Messages of another owner beside boards: the runner asks their owner, and never of which kind they are. */
import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import {
  type BoardSettings,
  type BoardState,
  newBoardOptions,
  RIGHTS,
} from '../../../src/cards/board/board.ts';
import type { BoardMessage } from '../../../src/messages/boards/channels.ts';
import type { KeptMessages } from '../../../src/messages/boards/kept-messages.ts';
import { boardsInMemory, OWNER } from './support/boards-in-memory.ts';

const PLACE = '900000000000000001';

/** One owner's messages in memory; `owner` is what a test changes of it. */
function createNotes(more: Partial<KeptMessages> = {}) {
  const owner = {
    text: 'one',
    settings: new Map<string, BoardSettings>(),
    states: new Map<string, BoardState>(),
  };
  const messages: KeptMessages = {
    records: {
      served: async (ours) => new Map([...owner.settings].filter(([, { guildId }]) => ours(guildId))),
      stateOf: async (key) => owner.states.get(key) ?? null,
      saveState: async (key, state) => void owner.states.set(key, state),
      remove: async (key) => void owner.settings.delete(key),
    },
    marker: (key) => `note:${key}`,
    frame(key) {
      const button = { type: 2, style: 2, label: 'OK', custom_id: `note:${key}` } as const;
      const message: BoardMessage = {
        embeds: [{ description: owner.text }],
        components: [{ type: 1, components: [button] }],
      };
      return {
        mode: 'live',
        checked: null,
        times: null,
        summary: null,
        hash: owner.text,
        message: () => message,
      };
    },
    lastSource: () => 'live',
    pauseText: ({ channelId }, { why }) => `note in ${channelId}: ${why}`,
    marksStop: false,
    describeLoss: null,
    ...more,
  };
  return { owner, messages };
}

async function start(more: Partial<KeptMessages> = {}) {
  const { owner, messages } = createNotes(more);
  const bot = boardsInMemory(1, [messages]);
  bot.chat.addChannel(PLACE);
  const settings: BoardSettings = {
    ...bot.request({ channelId: PLACE }),
    ...{ madeAt: bot.time.clock.now(), removed: false, options: newBoardOptions },
  };
  for (const key of ['a', 'b']) owner.settings.set(key, settings);
  const failures: string[] = [];
  bot.failed = (error) => failures.push(String(error));
  const process = await bot.withBoard();
  const texts = () => bot.chat.alive(PLACE).map(({ content }) => content.embeds[0].description);
  return { owner, bot, process, texts, failures };
}

test('several messages of one channel are kept, and show what their owner renders', async () => {
  const { owner, bot, texts } = await start();
  expect(texts()).toEqual(['one', 'one']);
  owner.text = 'two';
  await bot.time.pass(MINUTE);
  expect(texts()).toEqual(['two', 'two']);
  expect(new Set([...owner.states.values()].map(({ posted }) => posted))).toEqual(
    new Set(bot.chat.alive(PLACE).map(({ id }) => id)),
  );
});

test('a stop leaves messages that stay right, and marks those that do not', async () => {
  const left = await start();
  // The board has just renewed its times.
  await left.bot.time.pass(10 * SECOND);
  const edits = () => left.bot.chat.requests.filter(({ what }) => what === 'edit').length;
  const before = edits();
  await left.process.stop();
  // The board's own.
  expect(edits()).toBe(before + 1);
  const marked = await start({ marksStop: true });
  const all = marked.bot.chat.requests.filter(({ what }) => what === 'edit').length;
  await marked.process.stop();
  expect(marked.bot.chat.requests.filter(({ what }) => what === 'edit').length).toBeGreaterThan(all + 1);
});

test('the maker of a message that cannot go on reads the text of its owner', async () => {
  const { bot } = await start();
  bot.chat.setRights(
    PLACE,
    RIGHTS.filter((right) => right !== 'EmbedLinks'),
  );
  await bot.time.pass(MINUTE);
  const text = `note in ${PLACE}: rights`;
  expect(bot.chat.notified.filter((notice) => notice.personId === OWNER)).toEqual([
    { personId: OWNER, text },
    { personId: OWNER, text },
  ]);
});

test('records that end are a loss only if their owner says so', async () => {
  const quiet = await start();
  quiet.owner.settings.delete('a');
  await quiet.bot.time.pass(MINUTE);
  expect(quiet.failures).toEqual([]);
  const told = await start({ describeLoss: (count) => `${count} notes are gone` });
  told.owner.settings.clear();
  await told.bot.time.pass(MINUTE);
  expect(told.failures).toEqual([expect.stringContaining('2 notes are gone')]);
});
