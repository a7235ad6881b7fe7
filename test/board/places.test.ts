/** The headline in a channel's topic and as a voice channel's status: never too often, never at the message's cost. */

import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/base/duration.ts';
import { accessToPlaces, hasRoomFor, topicWith } from '../../src/board/places.ts';
import { type BoardOptions, newBoardOptions } from '../../src/service/models/board.ts';
import { ALL_RIGHTS } from '../support/chat-model.ts';
import {
  allBoards,
  type BoardFixture,
  CHANNEL,
  createBoardFixture,
  type Process,
} from './support/board-fixture.ts';
import { settings as boardSettings } from './support/states.ts';

const VOICE = '900000000000000001';
const OTHER_VOICE = '900000000000000002';

async function withOptions(changes: Partial<BoardOptions>, topic: string | null = null) {
  const fixture = createBoardFixture();
  fixture.chat.addVoice(VOICE);
  fixture.chat.addVoice(OTHER_VOICE);
  const process = await fixture.withBoard();
  fixture.chat.setTopic(CHANNEL, topic);
  await fixture.time.pass(SECOND);
  await edit(fixture, process, changes);
  await fixture.time.pass(5 * SECOND);
  return { fixture, process };
}

async function edit(
  fixture: BoardFixture,
  { boards }: Process,
  changes: Partial<BoardOptions>,
): Promise<void> {
  expect(await fixture.time.until(boards.edit(fixture.chat.guildId, CHANNEL, changes))).not.toBeNull();
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
function changes({ chat }: BoardFixture, what: 'topic' | 'status'): readonly number[] {
  const at = chat.requests.filter((request) => request.what === what).map((request) => request.at);
  return at.map((one) => Math.round((one - (at[0] ?? 0)) / SECOND));
}

const refusals = ({ chat }: BoardFixture) => chat.requests.filter(({ invalid }) => invalid);

describe('the topic', () => {
  test('has the headline before people’s text, which comes back unchanged', async () => {
    const { fixture, process } = await withOptions({ topic: 'on' }, 'Be kind ┃ no spoilers');
    expect(fixture.chat.topicOf(CHANNEL)).toMatch(
      /^🏁 \d\d:\d\d UTC · 4 driving · at least 37 free ┃ Be kind ┃ no spoilers$/,
    );
    await edit(fixture, process, { topic: 'off' });
    await fixture.time.pass(5 * SECOND);
    expect(fixture.chat.topicOf(CHANNEL)).toBe('Be kind ┃ no spoilers');
  });

  test('of nobody becomes none again, and is taken back when the board is removed', async () => {
    const { fixture, process } = await withOptions({ topic: 'on' });
    expect(fixture.chat.topicOf(CHANNEL)).toMatch(/^🏁 \d\d:\d\d UTC · 4 driving/);
    expect(await fixture.time.until(process.boards.remove(fixture.chat.guildId, CHANNEL))).not.toBeNull();
    await fixture.time.pass(10 * SECOND);
    expect(fixture.chat.topicOf(CHANNEL)).toBeNull();
    expect(await allBoards(fixture.store)).toEqual([]);
  });

  test('is changed once in ten minutes, to the newest headline, and never for the same', async () => {
    const { fixture } = await withOptions({ topic: 'on' });
    for (let minute = 0; minute < 30; minute += 1) {
      fixture.world.drivers = 1 + (minute % 7);
      await fixture.time.pass(MINUTE);
    }
    const busy = changes(fixture, 'topic');
    expect(busy).toHaveLength(4);
    for (const [index, at] of busy.entries())
      expect(at - (busy[index - 1] ?? -600)).toBeGreaterThanOrEqual(599);
    await fixture.time.pass(11 * MINUTE);
    const settled = changes(fixture, 'topic').length;
    expect(fixture.chat.topicOf(CHANNEL)).toContain(` UTC · ${3 + fixture.world.drivers} driving`);
    await fixture.time.pass(60 * MINUTE);
    expect(changes(fixture, 'topic')).toHaveLength(settled);
    expect(refusals(fixture)).toEqual([]);
  });

  test('keeps what a person writes into it meanwhile, also before the gateway has told', async () => {
    const { fixture } = await withOptions({ topic: 'on' }, 'old');
    const [line] = (fixture.chat.topicOf(CHANNEL) ?? '').split(' ┃ ');
    await fixture.time.pass(10 * MINUTE);
    fixture.chat.setGateway(false);
    fixture.chat.setTopic(CHANNEL, `New rules! ${line} ┃ old`);
    fixture.world.drivers = 5;
    await fixture.time.pass(10 * SECOND);
    expect(fixture.chat.topicOf(CHANNEL)).toMatch(
      /^🏁 .+ UTC · 8 driving · at least 37 free ┃ New rules! old$/,
    );
  });

  test('that is full or may not be changed is left alone, and the board says so', async () => {
    const long = 'x'.repeat(1000);
    const { fixture, process } = await withOptions({ topic: 'on' }, long);
    expect(fixture.chat.topicOf(CHANNEL)).toBe(long);
    const placeProblems = async () => (await process.boards.list(fixture.chat.guildId))[0]?.placeProblems;
    expect(await placeProblems()).toEqual([{ what: 'topic-full' }]);
    fixture.chat.setTopic(CHANNEL, 'short');
    const rights = ALL_RIGHTS.filter((right) => right !== 'ManageChannels');
    fixture.chat.setRights(CHANNEL, rights);
    await fixture.time.pass(SECOND);
    expect(await placeProblems()).toEqual([{ what: 'topic', rights: ['ManageChannels'] }]);
    fixture.world.version = 2;
    await fixture.time.pass(20 * MINUTE);
    expect(fixture.version()).toBe(2);
    expect(changes(fixture, 'topic')).toEqual([]);
    fixture.chat.setRights(CHANNEL, ALL_RIGHTS);
    await fixture.time.pass(5 * SECOND);
    expect(fixture.chat.topicOf(CHANNEL)).toMatch(/ ┃ short$/);
  });

  test('that Discord refuses despite sufficient rights is tried again after ten minutes', async () => {
    const fixture = createBoardFixture();
    const process = await fixture.withBoard();
    fixture.chat.setGateway(false);
    fixture.chat.setRights(
      CHANNEL,
      ALL_RIGHTS.filter((right) => right !== 'ManageChannels'),
    );
    await edit(fixture, process, { topic: 'on' });
    fixture.world.version = 2;
    await fixture.time.pass(25 * MINUTE);
    expect(fixture.version()).toBe(2);
    expect(changes(fixture, 'topic')).toHaveLength(3);
    expect((await process.boards.list(fixture.chat.guildId))[0]?.errors.at(-1)).toMatchObject({
      what: 'place',
      code: 'forbidden',
    });
  });

  test('has one line of ours after a kill between plan and send, and after lost answers', async () => {
    const { fixture, process } = await withOptions({ topic: 'on' }, 'theirs');
    await fixture.time.pass(10 * MINUTE);
    fixture.chat.fault = 'done-but-500';
    fixture.world.drivers = 4;
    await fixture.time.pass(5 * SECOND);
    process.kill();
    fixture.chat.fault = null;
    fixture.world.drivers = 6;
    const second = fixture.start();
    await fixture.time.pass(12 * MINUTE);
    expect(fixture.chat.topicOf(CHANNEL)).toMatch(
      /^🏁 \d\d:\d\d UTC · 9 driving · at least 37 free ┃ theirs$/,
    );
    await edit(fixture, second, { topic: 'off' });
    await fixture.time.pass(MINUTE);
    expect(fixture.chat.topicOf(CHANNEL)).toBe('theirs');
    expect(refusals(fixture)).toEqual([]);
  });

  test('says nothing where there has been no data for a quarter of an hour', async () => {
    const { fixture } = await withOptions({ topic: 'on' }, 'theirs');
    fixture.world.fault = 'down';
    await fixture.time.pass(17 * MINUTE);
    expect(fixture.text()).toContain('No data');
    expect(fixture.chat.topicOf(CHANNEL)).toBe('theirs');
  });

  test('is given back by a board that pauses for good', async () => {
    const { fixture } = await withOptions({ topic: 'on' }, 'theirs');
    for (let time = 0; time < 3; time += 1) {
      const [message] = fixture.chat.alive(CHANNEL);
      if (message !== undefined) fixture.chat.deleteMessage(message.id);
      await fixture.time.pass(MINUTE);
    }
    expect(fixture.chat.alive(CHANNEL)).toEqual([]);
    expect(fixture.chat.topicOf(CHANNEL)).toBe('theirs');
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
    const { fixture, process } = await withOptions({ voice: VOICE });
    expect(fixture.chat.statuses.get(VOICE)).toMatch(/^\d\d:\d\d UTC · 4 driving · at least 37 free$/);
    for (let change = 0; change < 60; change += 1) {
      fixture.world.drivers = 1 + (change % 9);
      await fixture.time.pass(10 * SECOND);
    }
    const at = changes(fixture, 'status');
    expect(at.length).toBeGreaterThan(9);
    for (const [index, one] of at.entries()) expect(one - (at[index - 1] ?? -60)).toBeGreaterThanOrEqual(60);
    await fixture.time.pass(MINUTE);
    expect(fixture.chat.statuses.get(VOICE)).toContain(`${3 + fixture.world.drivers} driving`);
    await edit(fixture, process, { voice: null });
    await fixture.time.pass(MINUTE);
    expect(fixture.chat.statuses.size).toBe(0);
    expect(refusals(fixture)).toEqual([]);
    const quiet = changes(fixture, 'status').length;
    await fixture.time.pass(30 * MINUTE);
    expect(changes(fixture, 'status')).toHaveLength(quiet);
  });

  test('that is quiet has its time refreshed four times an hour', async () => {
    const { fixture } = await withOptions({ voice: VOICE });
    await fixture.time.pass(60 * MINUTE);
    expect(changes(fixture, 'status')).toHaveLength(5);
  });

  test('gives its status to another one that is chosen', async () => {
    const { fixture, process } = await withOptions({ voice: VOICE });
    await edit(fixture, process, { voice: OTHER_VOICE });
    await fixture.time.pass(2 * MINUTE + 5 * SECOND);
    expect([...fixture.chat.statuses.keys()]).toEqual([OTHER_VOICE]);
  });

  test('without rights or gone costs nothing but a line in the list', async () => {
    const { fixture, process } = await withOptions({ voice: '900000000000000009' });
    const placeProblems = async () => (await process.boards.list(fixture.chat.guildId))[0]?.placeProblems;
    expect(await placeProblems()).toEqual([{ what: 'voice-gone' }]);
    fixture.chat.setRights(VOICE, ['ViewChannel', 'Connect', 'ManageChannels']);
    await fixture.time.pass(SECOND);
    await edit(fixture, process, { voice: VOICE });
    expect(await placeProblems()).toEqual([{ what: 'voice', rights: ['SetVoiceChannelStatus'] }]);
    fixture.world.version = 2;
    await fixture.time.pass(5 * MINUTE);
    expect(changes(fixture, 'status')).toEqual([]);
    expect(fixture.version()).toBe(2);
  });

  test('shows no driver count of a bot that has stopped', async () => {
    const { fixture, process } = await withOptions({ voice: VOICE });
    await fixture.time.pass(2 * MINUTE);
    expect(fixture.chat.statuses.get(VOICE)).toContain('driving');
    await process.stop();
    expect(fixture.chat.statuses.size).toBe(0);
    const stoppedAt = changes(fixture, 'status').length;
    fixture.start();
    await fixture.time.pass(3 * MINUTE);
    expect(fixture.chat.statuses.get(VOICE)).toContain('driving');
    expect(refusals(fixture)).toEqual([]);
    expect(changes(fixture, 'status')).toHaveLength(stoppedAt + 1);
  });

  test('is cleared when the board is removed', async () => {
    const { fixture, process } = await withOptions({ voice: VOICE });
    await fixture.time.until(process.boards.remove(fixture.chat.guildId, CHANNEL));
    await fixture.time.pass(MINUTE);
    expect(fixture.chat.statuses.size).toBe(0);
    expect(await allBoards(fixture.store)).toEqual([]);
  });
});

test('of two processes one sets both', async () => {
  const { fixture } = await withOptions({ topic: 'on', voice: VOICE });
  fixture.start();
  await fixture.time.pass(30 * MINUTE);
  expect(changes(fixture, 'topic')).toHaveLength(1);
  expect(changes(fixture, 'status')).toHaveLength(3);
});
