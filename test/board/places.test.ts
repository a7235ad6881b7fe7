/** The headline in a channel's topic and as a voice channel's status: never too often, never at the message's cost. */

import { describe, expect, test } from 'vitest';
import { accessToPlaces, hasRoomFor, topicWith } from '../../src/board/places.ts';
import { type BoardOptions, newBoardOptions } from '../../src/service/models/board.ts';
import { ALL_RIGHTS } from '../support/chat-model.ts';
import { allBoards, CHANNEL, createStage, type Process, type Stage } from './support/stage.ts';
import { settings as boardSettings } from './support/states.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const VOICE = '900000000000000001';
const OTHER_VOICE = '900000000000000002';

async function withOptions(changes: Partial<BoardOptions>, topic: string | null = null) {
  const stage = createStage();
  stage.chat.addVoice(VOICE);
  stage.chat.addVoice(OTHER_VOICE);
  const process = await stage.withBoard();
  stage.chat.setTopic(CHANNEL, topic);
  await stage.time.pass(SECOND);
  await edit(stage, process, changes);
  await stage.time.pass(5 * SECOND);
  return { stage, process };
}

async function edit(stage: Stage, { boards }: Process, changes: Partial<BoardOptions>): Promise<void> {
  expect(await stage.time.until(boards.edit(stage.chat.guildId, CHANNEL, changes))).not.toBeNull();
}

test('looks at no channel for a place that is neither used nor to be emptied', () => {
  const asked: string[] = [];
  const open = (place: string) => () => {
    asked.push(place);
    return { kind: 'open', topic: null } as const;
  };
  const channels = { topic: open('topic'), voice: open('voice') };
  const settings = { ...boardSettings, options: newBoardOptions };
  accessToPlaces(settings, { topic: [] }, channels);
  expect(asked).toEqual([]);
  accessToPlaces(settings, { topic: ['ours'] }, channels);
  accessToPlaces(
    { ...settings, options: { ...newBoardOptions, topic: 'on', voice: VOICE } },
    { topic: [] },
    channels,
  );
  expect(asked).toEqual(['topic', 'topic', 'voice']);
});

/** When it asked for a change, in seconds since the first. */
function changes({ chat }: Stage, what: 'topic' | 'status'): readonly number[] {
  const at = chat.requests.filter((request) => request.what === what).map((request) => request.at);
  return at.map((one) => Math.round((one - (at[0] ?? 0)) / SECOND));
}

const refusals = ({ chat }: Stage) => chat.requests.filter(({ invalid }) => invalid);

describe('the topic', () => {
  test('has the headline before people’s text, which comes back unchanged', async () => {
    const { stage, process } = await withOptions({ topic: 'on' }, 'Be kind ┃ no spoilers');
    expect(stage.chat.topicOf(CHANNEL)).toMatch(
      /^🏁 \d\d:\d\d UTC · 4 driving · at least 37 free ┃ Be kind ┃ no spoilers$/,
    );
    await edit(stage, process, { topic: 'off' });
    await stage.time.pass(5 * SECOND);
    expect(stage.chat.topicOf(CHANNEL)).toBe('Be kind ┃ no spoilers');
  });

  test('of nobody becomes none again, and is taken back when the board is removed', async () => {
    const { stage, process } = await withOptions({ topic: 'on' });
    expect(stage.chat.topicOf(CHANNEL)).toMatch(/^🏁 \d\d:\d\d UTC · 4 driving/);
    expect(await stage.time.until(process.boards.remove(stage.chat.guildId, CHANNEL))).not.toBeNull();
    await stage.time.pass(10 * SECOND);
    expect(stage.chat.topicOf(CHANNEL)).toBeNull();
    expect(await allBoards(stage.store)).toEqual([]);
  });

  test('is changed once in ten minutes, to the newest headline, and never for the same', async () => {
    const { stage } = await withOptions({ topic: 'on' });
    for (let minute = 0; minute < 30; minute += 1) {
      stage.world.drivers = 1 + (minute % 7);
      await stage.time.pass(MINUTE);
    }
    const busy = changes(stage, 'topic');
    expect(busy).toHaveLength(4);
    for (const [index, at] of busy.entries())
      expect(at - (busy[index - 1] ?? -600)).toBeGreaterThanOrEqual(599);
    await stage.time.pass(11 * MINUTE);
    const settled = changes(stage, 'topic').length;
    expect(stage.chat.topicOf(CHANNEL)).toContain(` UTC · ${3 + stage.world.drivers} driving`);
    await stage.time.pass(60 * MINUTE);
    expect(changes(stage, 'topic')).toHaveLength(settled);
    expect(refusals(stage)).toEqual([]);
  });

  test('keeps what a person writes into it meanwhile, also before the gateway has told', async () => {
    const { stage } = await withOptions({ topic: 'on' }, 'old');
    const [line] = (stage.chat.topicOf(CHANNEL) ?? '').split(' ┃ ');
    await stage.time.pass(10 * MINUTE);
    stage.chat.setGateway(false);
    stage.chat.setTopic(CHANNEL, `New rules! ${line} ┃ old`);
    stage.world.drivers = 5;
    await stage.time.pass(10 * SECOND);
    expect(stage.chat.topicOf(CHANNEL)).toMatch(
      /^🏁 .+ UTC · 8 driving · at least 37 free ┃ New rules! old$/,
    );
  });

  test('that is full or may not be changed is left alone, and the board says so', async () => {
    const long = 'x'.repeat(1000);
    const { stage, process } = await withOptions({ topic: 'on' }, long);
    expect(stage.chat.topicOf(CHANNEL)).toBe(long);
    const placeProblems = async () => (await process.boards.list(stage.chat.guildId))[0]?.placeProblems;
    expect(await placeProblems()).toEqual([{ what: 'topic-full' }]);
    stage.chat.setTopic(CHANNEL, 'short');
    const rights = ALL_RIGHTS.filter((right) => right !== 'ManageChannels');
    stage.chat.setRights(CHANNEL, rights);
    await stage.time.pass(SECOND);
    expect(await placeProblems()).toEqual([{ what: 'topic', rights: ['ManageChannels'] }]);
    stage.world.version = 2;
    await stage.time.pass(20 * MINUTE);
    expect(stage.version()).toBe(2);
    expect(changes(stage, 'topic')).toEqual([]);
    stage.chat.setRights(CHANNEL, ALL_RIGHTS);
    await stage.time.pass(5 * SECOND);
    expect(stage.chat.topicOf(CHANNEL)).toMatch(/ ┃ short$/);
  });

  test('that Discord refuses despite sufficient rights is tried again after ten minutes', async () => {
    const stage = createStage();
    const process = await stage.withBoard();
    stage.chat.setGateway(false);
    stage.chat.setRights(
      CHANNEL,
      ALL_RIGHTS.filter((right) => right !== 'ManageChannels'),
    );
    await edit(stage, process, { topic: 'on' });
    stage.world.version = 2;
    await stage.time.pass(25 * MINUTE);
    expect(stage.version()).toBe(2);
    expect(changes(stage, 'topic')).toHaveLength(3);
    expect((await process.boards.list(stage.chat.guildId))[0]?.errors.at(-1)).toMatchObject({
      what: 'place',
      code: 'forbidden',
    });
  });

  test('has one line of ours after a kill between plan and send, and after lost answers', async () => {
    const { stage, process } = await withOptions({ topic: 'on' }, 'theirs');
    await stage.time.pass(10 * MINUTE);
    stage.chat.fault = 'done-but-500';
    stage.world.drivers = 4;
    await stage.time.pass(5 * SECOND);
    process.kill();
    stage.chat.fault = null;
    stage.world.drivers = 6;
    const second = stage.start();
    await stage.time.pass(12 * MINUTE);
    expect(stage.chat.topicOf(CHANNEL)).toMatch(/^🏁 \d\d:\d\d UTC · 9 driving · at least 37 free ┃ theirs$/);
    await edit(stage, second, { topic: 'off' });
    await stage.time.pass(MINUTE);
    expect(stage.chat.topicOf(CHANNEL)).toBe('theirs');
    expect(refusals(stage)).toEqual([]);
  });

  test('says nothing where there has been no data for a quarter of an hour', async () => {
    const { stage } = await withOptions({ topic: 'on' }, 'theirs');
    stage.world.fault = 'down';
    await stage.time.pass(17 * MINUTE);
    expect(stage.text()).toContain('No data');
    expect(stage.chat.topicOf(CHANNEL)).toBe('theirs');
  });

  test('is given back by a board that pauses for good', async () => {
    const { stage } = await withOptions({ topic: 'on' }, 'theirs');
    for (let time = 0; time < 3; time += 1) {
      const [message] = stage.chat.alive(CHANNEL);
      if (message !== undefined) stage.chat.deleteMessage(message.id);
      await stage.time.pass(MINUTE);
    }
    expect(stage.chat.alive(CHANNEL)).toEqual([]);
    expect(stage.chat.topicOf(CHANNEL)).toBe('theirs');
  });

  test.for([
    ['no topic', null, [], 'A', 'A'],
    ['one of theirs', 'theirs', [], 'A', 'A ┃ theirs'],
    ['one of ours', 'A', ['A'], 'B', 'B'],
    ['both', 'A ┃ theirs', ['A'], 'B', 'B ┃ theirs'],
    ['an earlier one of ours', 'A ┃ theirs', ['A', 'B'], 'C', 'C ┃ theirs'],
    ['ours, moved by a person', 'theirs ┃ A', ['A'], null, 'theirs ┃ '],
    ['ours, changed by a person, which is theirs then', 'AA ┃ theirs', ['A!'], null, 'AA ┃ theirs'],
    ['none of ours any more', 'A', ['A'], null, null],
  ] as const)('is made of what is there: %s', ([, topic, earlier, line, made]) => {
    expect(topicWith(topic, earlier, line)).toBe(made);
  });

  test('of 1024 characters is the longest', () => {
    expect(hasRoomFor('x'.repeat(1020), [], 'A')).toBe(true);
    expect(hasRoomFor('🏁'.repeat(1021), [], 'A')).toBe(false);
    expect(topicWith('x'.repeat(1021), [], 'A')).toBe('x'.repeat(1021));
  });
});

describe('a voice channel', () => {
  test('has the headline as its status once a minute at most, none without the option', async () => {
    const { stage, process } = await withOptions({ voice: VOICE });
    expect(stage.chat.statuses.get(VOICE)).toMatch(/^\d\d:\d\d UTC · 4 driving · at least 37 free$/);
    for (let change = 0; change < 60; change += 1) {
      stage.world.drivers = 1 + (change % 9);
      await stage.time.pass(10 * SECOND);
    }
    const at = changes(stage, 'status');
    expect(at.length).toBeGreaterThan(9);
    for (const [index, one] of at.entries()) expect(one - (at[index - 1] ?? -60)).toBeGreaterThanOrEqual(60);
    await stage.time.pass(MINUTE);
    expect(stage.chat.statuses.get(VOICE)).toContain(`${3 + stage.world.drivers} driving`);
    await edit(stage, process, { voice: null });
    await stage.time.pass(MINUTE);
    expect(stage.chat.statuses.size).toBe(0);
    expect(refusals(stage)).toEqual([]);
    const quiet = changes(stage, 'status').length;
    await stage.time.pass(30 * MINUTE);
    expect(changes(stage, 'status')).toHaveLength(quiet);
  });

  test('that is quiet has its time refreshed four times an hour', async () => {
    const { stage } = await withOptions({ voice: VOICE });
    await stage.time.pass(60 * MINUTE);
    expect(changes(stage, 'status')).toHaveLength(5);
  });

  test('gives its status to another one that is chosen', async () => {
    const { stage, process } = await withOptions({ voice: VOICE });
    await edit(stage, process, { voice: OTHER_VOICE });
    await stage.time.pass(2 * MINUTE + 5 * SECOND);
    expect([...stage.chat.statuses.keys()]).toEqual([OTHER_VOICE]);
  });

  test('without rights or gone costs nothing but a line in the list', async () => {
    const { stage, process } = await withOptions({ voice: '900000000000000009' });
    const placeProblems = async () => (await process.boards.list(stage.chat.guildId))[0]?.placeProblems;
    expect(await placeProblems()).toEqual([{ what: 'voice-gone' }]);
    stage.chat.setRights(VOICE, ['ViewChannel', 'Connect', 'ManageChannels']);
    await stage.time.pass(SECOND);
    await edit(stage, process, { voice: VOICE });
    expect(await placeProblems()).toEqual([{ what: 'voice', rights: ['SetVoiceChannelStatus'] }]);
    stage.world.version = 2;
    await stage.time.pass(5 * MINUTE);
    expect(changes(stage, 'status')).toEqual([]);
    expect(stage.version()).toBe(2);
  });

  test('shows no driver count of a bot that has stopped', async () => {
    const { stage, process } = await withOptions({ voice: VOICE });
    await stage.time.pass(2 * MINUTE);
    expect(stage.chat.statuses.get(VOICE)).toContain('driving');
    await process.stop();
    expect(stage.chat.statuses.size).toBe(0);
    const stoppedAt = changes(stage, 'status').length;
    stage.start();
    await stage.time.pass(3 * MINUTE);
    expect(stage.chat.statuses.get(VOICE)).toContain('driving');
    expect(refusals(stage)).toEqual([]);
    expect(changes(stage, 'status')).toHaveLength(stoppedAt + 1);
  });

  test('is cleared when the board is removed', async () => {
    const { stage, process } = await withOptions({ voice: VOICE });
    await stage.time.until(process.boards.remove(stage.chat.guildId, CHANNEL));
    await stage.time.pass(MINUTE);
    expect(stage.chat.statuses.size).toBe(0);
    expect(await allBoards(stage.store)).toEqual([]);
  });
});

test('of two processes one sets both', async () => {
  const { stage } = await withOptions({ topic: 'on', voice: VOICE });
  stage.start();
  await stage.time.pass(30 * MINUTE);
  expect(changes(stage, 'topic')).toHaveLength(1);
  expect(changes(stage, 'status')).toHaveLength(3);
});
