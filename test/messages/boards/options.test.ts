/** What a board shows is chosen for each, and changed by the next edit, whichever process hears of it. */

import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { type BoardOptions, newBoardOptions } from '../../../src/cards/board/board.ts';
import {
  allBoards,
  type BoardFixture,
  CHANNEL,
  createBoardFixture,
  type Process,
} from './support/board-fixture.ts';

const OTHER_CHANNEL = '800000000000000002';

async function edit(
  fixture: BoardFixture,
  { boards }: Process,
  changes: Partial<BoardOptions>,
): Promise<void> {
  const edited = await fixture.time.until(boards.edit(fixture.chat.guildId, CHANNEL, changes));
  expect(edited).toMatchObject(changes);
}

async function optionsOf(fixture: BoardFixture, channelId = CHANNEL): Promise<BoardOptions | undefined> {
  const all = await allBoards(fixture.store);
  return all.find(({ settings }) => settings.channelId === channelId)?.settings.options;
}

test('a new board folds its members', async () => {
  const fixture = createBoardFixture();
  await fixture.withBoard();
  expect(fixture.text()).toContain('🟢\u00a0online\u00a01\n🚗\u00a0Ann');
});

describe('a change', () => {
  test.for<[string, Partial<BoardOptions>, RegExp]>([
    ['all members', { members: 'on' }, /\*\*🟢 online 1\*\*\nAnn/],
    ['no names', { names: 'off' }, /online\u00a01\n🟢 live\n/],
    ['no members', { members: 'off' }, /^(?!.*(?:🚗|online))/s],
    ['one server', { servers: ['one'] }, /^(?!.*Events)/s],
    ['its own language', { language: 'de' }, /^Server live/],
  ])('is shown by the next edit of the same message: %s', async ([, changes, shows]) => {
    const fixture = createBoardFixture();
    const process = await fixture.withBoard();
    const [before] = fixture.chat.alive(CHANNEL);
    const edits = fixture.edits();
    expect(fixture.text()).not.toMatch(shows);
    await edit(fixture, process, changes);
    await fixture.time.pass(2 * SECOND);
    expect(fixture.text()).toMatch(shows);
    expect(fixture.edits()).toBe(edits + 1);
    expect(fixture.chat.alive(CHANNEL).map(({ id }) => id)).toEqual([before?.id]);
  });

  test('is refused by a process without the lock', async () => {
    const fixture = createBoardFixture();
    await fixture.withBoard();
    const second = fixture.start();
    await fixture.time.pass(10 * SECOND);
    const before = await optionsOf(fixture);
    await expect(edit(fixture, second, { members: 'off' })).rejects.toThrow('not have the lock');
    expect(await optionsOf(fixture)).toEqual(before);
    expect(fixture.chat.alive(CHANNEL)).toHaveLength(1);
  });

  test('reaches the board also after its store has failed for a while', async () => {
    const fixture = createBoardFixture();
    const first = await fixture.withBoard();
    fixture.boardStore.broken = true;
    await fixture.time.pass(MINUTE);
    fixture.boardStore.broken = false;
    await edit(fixture, first, { members: 'off' });
    await fixture.time.pass(15 * SECOND);
    expect(fixture.text()).not.toContain('online');
  });

  test('keeps the rest, over a restart and a move as well', async () => {
    const fixture = createBoardFixture();
    const first = await fixture.withBoard();
    await edit(fixture, first, { servers: ['one'] });
    await edit(fixture, first, { names: 'off' });
    first.kill();
    const second = fixture.start();
    await fixture.time.pass(MINUTE);
    const chosen = { language: null, servers: ['one'], members: 'folded', names: 'off' };
    expect(await optionsOf(fixture)).toMatchObject(chosen);
    expect(fixture.text()).not.toContain('🚗');
    fixture.chat.addChannel(OTHER_CHANNEL);
    const to = fixture.request({ channelId: OTHER_CHANNEL });
    await fixture.time.until(second.boards.move(fixture.chat.guildId, CHANNEL, to));
    expect(await optionsOf(fixture, OTHER_CHANNEL)).toMatchObject(chosen);
  });

  test('is made by a new command for a paused board, and by a move onto it', async () => {
    const fixture = createBoardFixture();
    const { boards } = await fixture.withBoard();
    const { guildId } = fixture.chat;
    const asked = fixture.request();
    const deleteThrice = async () => {
      for (let time = 0; time < 3; time += 1) {
        fixture.chat.deleteMessage(fixture.chat.alive(CHANNEL)[0]?.id ?? '');
        await fixture.time.pass(MINUTE);
      }
      expect(fixture.chat.alive(CHANNEL)).toEqual([]);
    };
    await deleteThrice();
    const resumed = { kind: 'resumed', posted: true };
    expect(
      await fixture.time.until(boards.create({ ...asked, options: { members: 'off', servers: ['one'] } })),
    ).toEqual(resumed);
    expect(fixture.text()).not.toMatch(/🚗|Chat|Events/);
    // What nobody has named stays.
    await deleteThrice();
    await fixture.time.until(boards.create({ ...asked, options: { names: 'off' } }));
    const options = { members: 'off', servers: ['one'], names: 'off' };
    expect(await optionsOf(fixture)).toMatchObject(options);
    await deleteThrice();
    fixture.chat.addChannel(OTHER_CHANNEL);
    const other = { ...asked, channelId: OTHER_CHANNEL, options: { language: 'de' as const } };
    await fixture.time.until(boards.create(other));
    expect(await fixture.time.until(boards.move(guildId, OTHER_CHANNEL, asked))).toEqual({
      ...{ created: resumed, removed: { isMessageLeft: false } },
    });
    expect(await optionsOf(fixture)).toMatchObject({ language: 'de', members: 'folded', servers: null });
    expect(fixture.text()).toContain('Server live');
  });

  test('is refused where there is no board', async () => {
    const fixture = createBoardFixture();
    const { boards } = await fixture.withBoard();
    const nowhere = [boards.edit('9', CHANNEL, {}), boards.edit(fixture.chat.guildId, OTHER_CHANNEL, {})];
    expect(await Promise.all(nowhere)).toEqual([null, null]);
  });
});

test('a language of its own outlasts that of the server', async () => {
  const fixture = createBoardFixture();
  const process = await fixture.withBoard();
  await edit(fixture, process, { language: 'de' });
  await fixture.time.until(process.boards.changeAll(fixture.chat.guildId, { locale: 'fr' }));
  await fixture.time.pass(10 * SECOND);
  expect(fixture.text()).toContain('Server live');
  await edit(fixture, process, { language: null });
  await fixture.time.pass(10 * SECOND);
  expect(fixture.text()).toContain('-# 🟢 en direct · pilotes <t:');
});

test('nothing is polled for a board that nobody seems to want', async () => {
  const fixture = createBoardFixture();
  await fixture.withBoard();
  for (let deletions = 0; deletions < 3; deletions += 1) {
    const [message] = fixture.chat.alive(CHANNEL);
    if (message === undefined) throw new Error('there is no board');
    fixture.chat.deleteMessage(message.id);
    await fixture.time.pass(MINUTE);
  }
  expect(fixture.chat.alive(CHANNEL)).toEqual([]);
  const before = { ...fixture.world.asked };
  await fixture.time.pass(10 * MINUTE);
  expect(fixture.world.asked).toEqual(before);
});

test('a server can have twenty boards', async () => {
  const fixture = createBoardFixture();
  const { boards } = fixture.start();
  const channelOf = (index: number) => `${BigInt(CHANNEL) + BigInt(index)}`;
  for (let index = 1; index < 20; index += 1)
    await fixture.store.add({
      ...fixture.request({ channelId: channelOf(index) }),
      ...{ madeAt: 0, removed: false, options: newBoardOptions },
    });
  await fixture.time.pass(SECOND);
  const created = await fixture.time.until(boards.create(fixture.request()));
  expect(created).toMatchObject({ kind: 'created' });
  fixture.chat.addChannel(channelOf(20));
  expect(await fixture.time.until(boards.create(fixture.request({ channelId: channelOf(20) })))).toEqual({
    kind: 'too-many',
  });
});

test('members cost no budget while no board shows them', async () => {
  const fixture = createBoardFixture();
  const process = await fixture.withBoard();
  await edit(fixture, process, { members: 'off' });
  const { 'chat-status': before = 0, overview = 0 } = fixture.world.asked;
  await fixture.time.pass(10 * MINUTE);
  expect(fixture.world.asked['chat-status']).toBe(before);
  expect(fixture.world.asked['overview']).toBeGreaterThan(overview + 8);
  await edit(fixture, process, { members: 'folded' });
  await fixture.time.pass(10 * SECOND);
  expect(fixture.world.asked['chat-status']).toBe(before + 1);
  expect(fixture.text()).toContain('Ann');
  expect(fixture.text()).toContain('🟢 live');
});

test('names have colours or none as the guild has it, when a board is made and later', async () => {
  const fixture = createBoardFixture();
  const process = await fixture.withBoard();
  expect(fixture.text()).toContain('```\nOne: Ann');
  for (const [colours, line] of [
    [false, '**One:** Ann'],
    [true, '```\nOne: Ann'],
  ] as const) {
    await fixture.time.until(process.boards.changeAll(fixture.chat.guildId, { colours }));
    await fixture.time.pass(10 * SECOND);
    expect(fixture.text()).toContain(line);
  }
  await fixture.time.until(process.boards.remove(fixture.chat.guildId, CHANNEL));
  const asked = fixture.request({ colours: false });
  await fixture.time.until(process.boards.create(asked));
  await fixture.time.pass(10 * SECOND);
  expect(fixture.text()).toContain('**One:** Ann');
});
