/** Headlines that earlier versions wrote into topics: they are taken out, once, and only they. */
import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { topicWithout } from '../../../src/messages/boards/topic.ts';
import { ALL_RIGHTS } from '../../support/chat-model.ts';
import { CHANNEL, createBoardFixture } from './support/board-fixture.ts';

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
  const fixture = createBoardFixture();
  const { chat, store, time } = fixture;
  const process = await fixture.withBoard();
  await process.stop();
  chat.setTopic(CHANNEL, `${LINE} ┃ Be kind.`);
  chat.setRights(
    CHANNEL,
    ALL_RIGHTS.filter((right) => mayManage || right !== 'ManageChannels'),
  );
  await store.saveState(CHANNEL, { ...(await store.stateOf(CHANNEL)), topic: [LINE] });
  const restart = async (): Promise<void> => {
    const next = fixture.start();
    await time.pass(2 * MINUTE);
    await next.stop();
  };
  return { fixture, restart, changes: () => chat.requests.filter(({ what }) => what === 'topic').length };
}

test('a line of an earlier version is taken out of the topic once', async () => {
  const { fixture, restart, changes } = await createLeftLine(true);
  await restart();
  expect(fixture.chat.topicOf(CHANNEL)).toBe('Be kind.');
  fixture.chat.setTopic(CHANNEL, `${LINE} ┃ Somebody likes it.`);
  await restart();
  expect([changes(), fixture.chat.topicOf(CHANNEL)]).toEqual([1, `${LINE} ┃ Somebody likes it.`]);
  expect(fixture.chat.notified).toEqual([]);
});

test('without the right its maker is told once, and Discord is asked no more', async () => {
  const { fixture, restart, changes } = await createLeftLine(false);
  await restart();
  await restart();
  expect(changes()).toBe(1);
  expect(fixture.chat.notified.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^My old headline still stands in the topic of <#\d+>/),
  ]);
});

test('a removed board takes its line out before its record goes', async () => {
  const { fixture, changes } = await createLeftLine(true);
  const process = fixture.start();
  await fixture.time.pass(SECOND / 10);
  await fixture.time.until(process.boards.remove(fixture.chat.guildId, CHANNEL));
  await fixture.time.pass(MINUTE);
  expect([changes(), fixture.chat.topicOf(CHANNEL)]).toEqual([1, 'Be kind.']);
  expect((await fixture.store.all()).size).toBe(0);
});
