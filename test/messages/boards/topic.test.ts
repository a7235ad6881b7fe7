/** Headlines that earlier versions wrote into topics: they are taken out, once, and only they. */
import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { topicWithout } from '../../../src/messages/boards/topic.ts';
import { ALL_RIGHTS } from '../../support/chat-model.ts';
import { boardsInMemory, CHANNEL } from './support/boards-in-memory.ts';

const LINE = '🏁 14:05 UTC · 21 driving';

test.for([
  ['a line alone', LINE, null],
  ['a line before the text of people', `${LINE} ┃ Be kind.`, 'Be kind.'],
  ['a line that people have moved', `Be kind. ${LINE}`, 'Be kind. '],
  ['two lines', `🏁 old ┃ ${LINE} ┃ Be kind.`, 'Be kind.'],
  ['no line of ours', '🏁 21 driving ┃ ours, says somebody', '🏁 21 driving ┃ ours, says somebody'],
  ['no topic', null, null],
] as const)('%s', ([, topic, left]) => {
  expect(topicWithout(topic, ['🏁 old', LINE])).toBe(left);
});

/** A board whose earlier process left a line in the topic; `mayManage`: the bot may still change it. */
async function createLeftLine(mayManage: boolean) {
  const bot = boardsInMemory();
  const { chat, store, time } = bot;
  const process = await bot.withBoard();
  await process.stop();
  chat.setTopic(CHANNEL, `${LINE} ┃ Be kind.`);
  chat.setRights(
    CHANNEL,
    ALL_RIGHTS.filter((right) => mayManage || right !== 'ManageChannels'),
  );
  await store.saveState(CHANNEL, { ...(await store.stateOf(CHANNEL)), topic: [LINE] });
  const restart = async (): Promise<void> => {
    const next = bot.start();
    await time.pass(2 * MINUTE);
    await next.stop();
  };
  return { bot, restart, changes: () => chat.requests.filter(({ what }) => what === 'topic').length };
}

test('a line of an earlier version is taken out of the topic once', async () => {
  const { bot, restart, changes } = await createLeftLine(true);
  await restart();
  expect(bot.chat.topicOf(CHANNEL)).toBe('Be kind.');
  bot.chat.setTopic(CHANNEL, `${LINE} ┃ Somebody likes it.`);
  await restart();
  expect([changes(), bot.chat.topicOf(CHANNEL)]).toEqual([1, `${LINE} ┃ Somebody likes it.`]);
  expect(bot.chat.notified).toEqual([]);
});

test('without the right its maker is told once, and Discord is asked no more', async () => {
  const { bot, restart, changes } = await createLeftLine(false);
  await restart();
  await restart();
  expect(changes()).toBe(1);
  expect(bot.chat.notified.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^My old headline still stands in the topic of <#\d+>/),
  ]);
});

test('a removed board takes its line out before its record goes', async () => {
  const { bot, changes } = await createLeftLine(true);
  const process = bot.start();
  await bot.time.pass(SECOND / 10);
  await bot.time.until(process.boards.remove(bot.chat.guildId, CHANNEL));
  await bot.time.pass(MINUTE);
  expect([changes(), bot.chat.topicOf(CHANNEL)]).toEqual([1, 'Be kind.']);
  expect((await bot.store.all()).size).toBe(0);
});
