/** What a board shows is chosen for each, and changed by the next edit, whichever process hears of it. */

import { describe, expect, test } from 'vitest';
import { type BoardOptions, newBoardOptions } from '../../src/service/models/board.ts';
import { allBoards, CHANNEL, createStage, type Process, type Stage } from './support/stage.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const OTHER_CHANNEL = '800000000000000002';

async function edit(stage: Stage, { boards }: Process, changes: Partial<BoardOptions>): Promise<void> {
  const edited = await stage.time.until(boards.edit(stage.chat.guildId, CHANNEL, changes));
  expect(edited?.options).toMatchObject(changes);
}

async function optionsOf(stage: Stage, channelId = CHANNEL): Promise<BoardOptions | undefined> {
  const all = await allBoards(stage.store);
  return all.find(({ settings }) => settings.channelId === channelId)?.settings.options;
}

test('a new board folds its members', async () => {
  const stage = createStage();
  await stage.withBoard();
  expect(stage.text()).toContain('🟢\u00a0online\u00a01\n🚗\u00a0Ann');
});

describe('a change', () => {
  test.for<[string, Partial<BoardOptions>, RegExp]>([
    ['all members', { members: 'on' }, /\*\*🟢 online 1\*\*\nAnn/],
    ['no names', { names: 'off' }, /online\u00a01\n🟢 live\n/],
    ['no members', { members: 'off' }, /^(?!.*(?:🚗|online))/s],
    ['one server', { servers: ['one'] }, /^(?!.*Events)/s],
    ['its own language', { language: 'de' }, /^Server live/],
  ])('is shown by the next edit of the same message: %s', async ([, changes, shows]) => {
    const stage = createStage();
    const process = await stage.withBoard();
    const [before] = stage.chat.alive(CHANNEL);
    const edits = stage.edits();
    expect(stage.text()).not.toMatch(shows);
    await edit(stage, process, changes);
    await stage.time.pass(2 * SECOND);
    expect(stage.text()).toMatch(shows);
    expect(stage.edits()).toBe(edits + 1);
    expect(stage.chat.alive(CHANNEL).map(({ id }) => id)).toEqual([before?.id]);
  });

  test('is refused by a process without the claim', async () => {
    const stage = createStage();
    await stage.withBoard();
    const second = stage.start();
    await stage.time.pass(10 * SECOND);
    const before = await optionsOf(stage);
    await expect(edit(stage, second, { members: 'off' })).rejects.toThrow('no claim');
    expect(await optionsOf(stage)).toEqual(before);
    expect(stage.chat.alive(CHANNEL)).toHaveLength(1);
  });

  test('reaches the board also after its store has failed for a while', async () => {
    const stage = createStage();
    const first = await stage.withBoard();
    stage.boardStore.broken = true;
    await stage.time.pass(MINUTE);
    stage.boardStore.broken = false;
    await edit(stage, first, { members: 'off' });
    await stage.time.pass(15 * SECOND);
    expect(stage.text()).not.toContain('online');
  });

  test('keeps the rest, over a restart and a move as well', async () => {
    const stage = createStage();
    const first = await stage.withBoard();
    await edit(stage, first, { servers: ['one'] });
    await edit(stage, first, { names: 'off' });
    first.kill();
    const second = stage.start();
    await stage.time.pass(MINUTE);
    const chosen = { language: null, servers: ['one'], members: 'folded', names: 'off' };
    expect(await optionsOf(stage)).toMatchObject(chosen);
    expect(stage.text()).not.toContain('🚗');
    stage.chat.addChannel(OTHER_CHANNEL);
    const to = stage.request({ channelId: OTHER_CHANNEL });
    await stage.time.until(second.boards.move(stage.chat.guildId, CHANNEL, to));
    expect(await optionsOf(stage, OTHER_CHANNEL)).toMatchObject(chosen);
  });

  test('is made by a new command for a paused board, and by a move onto it', async () => {
    const stage = createStage();
    const { boards } = await stage.withBoard();
    const { guildId } = stage.chat;
    const asked = stage.request();
    const deleteThrice = async () => {
      for (let time = 0; time < 3; time += 1) {
        stage.chat.deleteMessage(stage.chat.alive(CHANNEL)[0]?.id ?? '');
        await stage.time.pass(MINUTE);
      }
      expect(stage.chat.alive(CHANNEL)).toEqual([]);
    };
    await deleteThrice();
    const resumed = { kind: 'resumed', posted: true };
    expect(
      await stage.time.until(boards.create({ ...asked, options: { members: 'off', servers: ['one'] } })),
    ).toEqual(resumed);
    expect(stage.text()).not.toMatch(/🚗|Chat|Events/);
    // What nobody has named stays.
    await deleteThrice();
    await stage.time.until(boards.create({ ...asked, options: { names: 'off' } }));
    const options = { members: 'off', servers: ['one'], names: 'off' };
    expect(await optionsOf(stage)).toMatchObject(options);
    await deleteThrice();
    stage.chat.addChannel(OTHER_CHANNEL);
    const other = { ...asked, channelId: OTHER_CHANNEL, options: { language: 'de' as const } };
    await stage.time.until(boards.create(other));
    expect(await stage.time.until(boards.move(guildId, OTHER_CHANNEL, asked))).toEqual({
      ...{ created: resumed, removed: { isMessageLeft: false } },
    });
    expect(await optionsOf(stage)).toMatchObject({ language: 'de', members: 'folded', servers: null });
    expect(stage.text()).toContain('Server live');
  });

  test('is refused where there is no board', async () => {
    const stage = createStage();
    const { boards } = await stage.withBoard();
    const nowhere = [boards.edit('9', CHANNEL, {}), boards.edit(stage.chat.guildId, OTHER_CHANNEL, {})];
    expect(await Promise.all(nowhere)).toEqual([null, null]);
  });
});

test('a language of its own outlasts that of the server', async () => {
  const stage = createStage();
  const process = await stage.withBoard();
  await edit(stage, process, { language: 'de' });
  await stage.time.until(process.boards.changeAll(stage.chat.guildId, { locale: 'fr' }));
  await stage.time.pass(10 * SECOND);
  expect(stage.text()).toContain('Server live');
  await edit(stage, process, { language: null });
  await stage.time.pass(10 * SECOND);
  expect(stage.text()).toContain('-# 🟢 en direct · pilotes <t:');
});

test('nothing is polled for a board that nobody seems to want', async () => {
  const stage = createStage();
  await stage.withBoard();
  for (let deletions = 0; deletions < 3; deletions += 1) {
    const [message] = stage.chat.alive(CHANNEL);
    if (message === undefined) throw new Error('there is no board');
    stage.chat.deleteMessage(message.id);
    await stage.time.pass(MINUTE);
  }
  expect(stage.chat.alive(CHANNEL)).toEqual([]);
  const before = { ...stage.world.asked };
  await stage.time.pass(10 * MINUTE);
  expect(stage.world.asked).toEqual(before);
});

test('a server can have twenty boards', async () => {
  const stage = createStage();
  const { boards } = stage.start();
  const channelOf = (index: number) => `${BigInt(CHANNEL) + BigInt(index)}`;
  for (let index = 1; index < 20; index += 1)
    await stage.store.add({
      ...stage.request({ channelId: channelOf(index) }),
      ...{ madeAt: 0, removed: false, options: newBoardOptions },
    });
  await stage.time.pass(SECOND);
  const created = await stage.time.until(boards.create(stage.request()));
  expect(created).toMatchObject({ kind: 'created' });
  stage.chat.addChannel(channelOf(20));
  expect(await stage.time.until(boards.create(stage.request({ channelId: channelOf(20) })))).toEqual({
    kind: 'too-many',
  });
});

test('members cost no budget while no board shows them', async () => {
  const stage = createStage();
  const process = await stage.withBoard();
  await edit(stage, process, { members: 'off' });
  const { 'chat-status': before = 0, overview = 0 } = stage.world.asked;
  await stage.time.pass(10 * MINUTE);
  expect(stage.world.asked['chat-status']).toBe(before);
  expect(stage.world.asked['overview']).toBeGreaterThan(overview + 8);
  await edit(stage, process, { members: 'folded' });
  await stage.time.pass(10 * SECOND);
  expect(stage.world.asked['chat-status']).toBe(before + 1);
  expect(stage.text()).toContain('Ann');
  expect(stage.text()).toContain('🟢 live');
});

test('names have colours or none as the guild has it, when a board is made and later', async () => {
  const stage = createStage();
  const process = await stage.withBoard();
  expect(stage.text()).toContain('```\nOne: Ann');
  for (const [colours, line] of [
    [false, '**One:** Ann'],
    [true, '```\nOne: Ann'],
  ] as const) {
    await stage.time.until(process.boards.changeAll(stage.chat.guildId, { colours }));
    await stage.time.pass(10 * SECOND);
    expect(stage.text()).toContain(line);
  }
  await stage.time.until(process.boards.remove(stage.chat.guildId, CHANNEL));
  const asked = stage.request({ colours: false });
  await stage.time.until(process.boards.create(asked));
  await stage.time.pass(10 * SECOND);
  expect(stage.text()).toContain('**One:** Ann');
});
