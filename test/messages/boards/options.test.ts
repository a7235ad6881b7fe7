/** What a board shows is chosen for each, and changed by the next edit, whichever process hears of it. */

import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { type BoardOptions, newBoardOptions } from '../../../src/cards/board/board.ts';
import {
  allBoards,
  type BoardsInMemory,
  boardsInMemory,
  CHANNEL,
  type Process,
} from './support/boards-in-memory.ts';

const OTHER_CHANNEL = '800000000000000002';

async function edit(bot: BoardsInMemory, { boards }: Process, changes: Partial<BoardOptions>): Promise<void> {
  const edited = await bot.time.until(boards.edit(bot.chat.guildId, CHANNEL, changes));
  expect(edited).toMatchObject(changes);
}

async function optionsOf(bot: BoardsInMemory, channelId = CHANNEL): Promise<BoardOptions | undefined> {
  const all = await allBoards(bot.store);
  return all.find(({ settings }) => settings.channelId === channelId)?.settings.options;
}

test('a new board folds its members', async () => {
  const bot = boardsInMemory();
  await bot.withBoard();
  expect(bot.text()).toContain('🟢\u00a0online\u00a01\n🚗\u00a0Ann');
});

describe('a change', () => {
  test.for<[string, Partial<BoardOptions>, RegExp]>([
    ['all members', { members: 'on' }, /\*\*🟢 online 1\*\*\nAnn/],
    ['no names', { names: 'off' }, /online\u00a01\n🟢 live\n/],
    ['no members', { members: 'off' }, /^(?!.*(?:🚗|online))/s],
    ['one server', { servers: ['one'] }, /^(?!.*Events)/s],
    ['its own language', { language: 'de' }, /^Server live/],
  ])('is shown by the next edit of the same message: %s', async ([, changes, shows]) => {
    const bot = boardsInMemory();
    const process = await bot.withBoard();
    const [before] = bot.chat.alive(CHANNEL);
    const edits = bot.edits();
    expect(bot.text()).not.toMatch(shows);
    await edit(bot, process, changes);
    await bot.time.pass(2 * SECOND);
    expect(bot.text()).toMatch(shows);
    expect(bot.edits()).toBe(edits + 1);
    expect(bot.chat.alive(CHANNEL).map(({ id }) => id)).toEqual([before?.id]);
  });

  test('is refused by a process without the lock', async () => {
    const bot = boardsInMemory();
    await bot.withBoard();
    const second = bot.start();
    await bot.time.pass(10 * SECOND);
    const before = await optionsOf(bot);
    await expect(edit(bot, second, { members: 'off' })).rejects.toThrow('not have the lock');
    expect(await optionsOf(bot)).toEqual(before);
    expect(bot.chat.alive(CHANNEL)).toHaveLength(1);
  });

  test('reaches the board also after its store has failed for a while', async () => {
    const bot = boardsInMemory();
    const first = await bot.withBoard();
    bot.boardStore.broken = true;
    await bot.time.pass(MINUTE);
    bot.boardStore.broken = false;
    await edit(bot, first, { members: 'off' });
    await bot.time.pass(15 * SECOND);
    expect(bot.text()).not.toContain('online');
  });

  test('keeps the rest, over a restart and a move as well', async () => {
    const bot = boardsInMemory();
    const first = await bot.withBoard();
    await edit(bot, first, { servers: ['one'] });
    await edit(bot, first, { names: 'off' });
    first.kill();
    const second = bot.start();
    await bot.time.pass(MINUTE);
    const chosen = { language: null, servers: ['one'], members: 'folded', names: 'off' };
    expect(await optionsOf(bot)).toMatchObject(chosen);
    expect(bot.text()).not.toContain('🚗');
    bot.chat.addChannel(OTHER_CHANNEL);
    const to = bot.request({ channelId: OTHER_CHANNEL });
    await bot.time.until(second.boards.move(bot.chat.guildId, CHANNEL, to));
    expect(await optionsOf(bot, OTHER_CHANNEL)).toMatchObject(chosen);
  });

  test('is made by a new command for a paused board, and by a move onto it', async () => {
    const bot = boardsInMemory();
    const { boards } = await bot.withBoard();
    const { guildId } = bot.chat;
    const asked = bot.request();
    const deleteThrice = async () => {
      for (let time = 0; time < 3; time += 1) {
        bot.chat.deleteMessage(bot.chat.alive(CHANNEL)[0]?.id ?? '');
        await bot.time.pass(MINUTE);
      }
      expect(bot.chat.alive(CHANNEL)).toEqual([]);
    };
    await deleteThrice();
    const resumed = { kind: 'resumed', posted: true };
    expect(
      await bot.time.until(boards.create({ ...asked, options: { members: 'off', servers: ['one'] } })),
    ).toEqual(resumed);
    expect(bot.text()).not.toMatch(/🚗|Chat|Events/);
    // What nobody has named stays.
    await deleteThrice();
    await bot.time.until(boards.create({ ...asked, options: { names: 'off' } }));
    const options = { members: 'off', servers: ['one'], names: 'off' };
    expect(await optionsOf(bot)).toMatchObject(options);
    await deleteThrice();
    bot.chat.addChannel(OTHER_CHANNEL);
    const other = { ...asked, channelId: OTHER_CHANNEL, options: { language: 'de' as const } };
    await bot.time.until(boards.create(other));
    expect(await bot.time.until(boards.move(guildId, OTHER_CHANNEL, asked))).toEqual({
      ...{ created: resumed, removed: { isMessageLeft: false } },
    });
    expect(await optionsOf(bot)).toMatchObject({ language: 'de', members: 'folded', servers: null });
    expect(bot.text()).toContain('Server live');
  });

  test('is refused where there is no board', async () => {
    const bot = boardsInMemory();
    const { boards } = await bot.withBoard();
    const nowhere = [boards.edit('9', CHANNEL, {}), boards.edit(bot.chat.guildId, OTHER_CHANNEL, {})];
    expect(await Promise.all(nowhere)).toEqual([null, null]);
  });
});

test('a language of its own outlasts that of the server', async () => {
  const bot = boardsInMemory();
  const process = await bot.withBoard();
  await edit(bot, process, { language: 'de' });
  await bot.time.until(process.boards.changeAll(bot.chat.guildId, { locale: 'fr' }));
  await bot.time.pass(10 * SECOND);
  expect(bot.text()).toContain('Server live');
  await edit(bot, process, { language: null });
  await bot.time.pass(10 * SECOND);
  expect(bot.text()).toContain('-# 🟢 en direct · pilotes <t:');
});

test('nothing is polled for a board that nobody seems to want', async () => {
  const bot = boardsInMemory();
  await bot.withBoard();
  for (let deletions = 0; deletions < 3; deletions += 1) {
    const [message] = bot.chat.alive(CHANNEL);
    if (message === undefined) throw new Error('there is no board');
    bot.chat.deleteMessage(message.id);
    await bot.time.pass(MINUTE);
  }
  expect(bot.chat.alive(CHANNEL)).toEqual([]);
  const before = { ...bot.game.asked };
  await bot.time.pass(10 * MINUTE);
  expect(bot.game.asked).toEqual(before);
});

test('a server can have twenty boards', async () => {
  const bot = boardsInMemory();
  const { boards } = bot.start();
  const channelOf = (index: number) => `${BigInt(CHANNEL) + BigInt(index)}`;
  for (let index = 1; index < 20; index += 1)
    await bot.store.add({
      ...bot.request({ channelId: channelOf(index) }),
      ...{ madeAt: 0, removed: false, options: newBoardOptions },
    });
  await bot.time.pass(SECOND);
  const created = await bot.time.until(boards.create(bot.request()));
  expect(created).toMatchObject({ kind: 'created' });
  bot.chat.addChannel(channelOf(20));
  expect(await bot.time.until(boards.create(bot.request({ channelId: channelOf(20) })))).toEqual({
    kind: 'too-many',
  });
});

test('members cost no budget while no board shows them', async () => {
  const bot = boardsInMemory();
  const process = await bot.withBoard();
  await edit(bot, process, { members: 'off' });
  const { 'chat-status': before = 0, overview = 0 } = bot.game.asked;
  await bot.time.pass(10 * MINUTE);
  expect(bot.game.asked['chat-status']).toBe(before);
  expect(bot.game.asked['overview']).toBeGreaterThan(overview + 8);
  await edit(bot, process, { members: 'folded' });
  await bot.time.pass(10 * SECOND);
  expect(bot.game.asked['chat-status']).toBe(before + 1);
  expect(bot.text()).toContain('Ann');
  expect(bot.text()).toContain('🟢 live');
});

test('names have colours or none as the guild has it, when a board is made and later', async () => {
  const bot = boardsInMemory();
  const process = await bot.withBoard();
  expect(bot.text()).toContain('```\nOne: Ann');
  for (const [colours, line] of [
    [false, '**One:** Ann'],
    [true, '```\nOne: Ann'],
  ] as const) {
    await bot.time.until(process.boards.changeAll(bot.chat.guildId, { colours }));
    await bot.time.pass(10 * SECOND);
    expect(bot.text()).toContain(line);
  }
  await bot.time.until(process.boards.remove(bot.chat.guildId, CHANNEL));
  const asked = bot.request({ colours: false });
  await bot.time.until(process.boards.create(asked));
  await bot.time.pass(10 * SECOND);
  expect(bot.text()).toContain('**One:** Ann');
});
