import { describe, expect, test } from 'vitest';
import board from '../../commands/board.ts';
import setup from '../../commands/setup.ts';
import { UserError } from '../../src/base/errors.ts';
import { readCustomId } from '../../src/cards/kit/custom-id.ts';
import { boardOptions } from '../../src/command-kit/command-options/board-options.ts';
import type { Context } from '../../src/command-kit/context.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { type BoardOptions, newBoardOptions } from '../../src/service/models/board.ts';
import { listedBoard } from '../support/about-bot.ts';
import { contextOf } from '../support/context.ts';
import { peopleInMemory } from '../support/people.ts';
import { press } from '../support/press.ts';
import { controls, rowsOf } from '../support/readable.ts';
import { NOON } from '../support/records.ts';
import { createTranslators } from '../support/translators.ts';

const t = createTranslators()('en-GB');
const { create, edit } = board.subcommands;
const untouched = { language: null, servers: null, members: null, names: null, topic: null, voice: null };
const nothing = { channel: null, 'voice-status': null, ...untouched };

function setUp() {
  const made: Parameters<Context['boards']['create']>[0][] = [];
  const edited: (readonly [guildId: string, channelId: string, changes: Partial<BoardOptions>])[] = [];
  const people = peopleInMemory();
  const context = contextOf({
    ...people,
    t,
    person: { mayManage: true },
    boards: {
      ...people.boards,
      async create(asked) {
        made.push(asked);
        return { kind: 'created', posted: true };
      },
      async edit(...asked) {
        edited.push(asked);
        const placeProblems = [{ what: 'topic', rights: ['ManageChannels'] }] as const;
        return asked[1] === '404' ? null : { options: { ...newBoardOptions, ...asked[2] }, placeProblems };
      },
    },
  });
  return { made, edited, context };
}

function listed(channelId: string, why: 'channel' | 'rights' | null = null) {
  return listedBoard(channelId, {
    mode: 'paused',
    paused: why === null ? null : { why, missing: [], since: NOON, notified: true },
  });
}

describe('the options of a board', () => {
  test('are those that were given, and no others', async () => {
    const { made, edited, context } = setUp();
    await create?.run(nothing, context);
    await create?.run({ ...nothing, servers: 'two, events', members: 'off' }, context);
    expect(made.map(({ options }) => options)).toEqual([{}, { servers: ['two', 'events'], members: 'off' }]);
    await edit?.run({ ...nothing, channel: '9', language: 'pl', names: 'off' }, context);
    await edit?.run({ ...nothing, language: 'usual', servers: 'all' }, context);
    await edit?.run({ ...nothing, topic: 'on', voice: '5' }, context);
    await edit?.run({ ...nothing, topic: 'off', 'voice-status': 'off' }, context);
    expect(edited).toEqual([
      ['7', '9', { language: 'pl', names: 'off' }],
      ['7', '8', { language: null, servers: null }],
      ['7', '8', { topic: 'on', voice: '5' }],
      ['7', '8', { topic: 'off', voice: null }],
    ]);
  });

  test('are named after a change; no change and no board are reported as well', async () => {
    const { edited, context } = setUp();
    const reply = await edit?.run({ ...nothing, servers: 'two, one', language: 'de' }, context);
    expect(reply?.content).toBe(
      '✅ <#8> now shows: Two, One · members collapsed · Deutsch\n⚠️ Topic unchanged, missing: Manage Channels',
    );
    await expect(edit?.run(nothing, context)).rejects.toThrow(UserError);
    expect(edited).toHaveLength(1);
    await expect(edit?.run({ ...nothing, channel: '404', names: 'on' }, context)).rejects.toThrow('<#404>');
  });
});

test('every command that places a board says why its headline is missing', async () => {
  const { context } = setUp();
  const { move } = board.subcommands;
  const placeProblems = [{ what: 'topic', rights: ['ManageChannels'] }] as const;
  const boards: Context['boards'] = {
    ...context.boards,
    list: async () => [{ ...listed('8'), placeProblems }, listed('9')],
    move: async () => ({ created: { kind: 'created', posted: true }, removed: null }),
  };
  const there = { ...context, boards };
  const lacking = '✅ The live board is in <#8>.\n⚠️ Topic unchanged, missing: Manage Channels';
  expect((await create?.run({ ...nothing, channel: '8', topic: 'on' }, there))?.content).toBe(lacking);
  expect((await move?.run({ to: '8', from: '9' }, there))?.content).toBe(lacking);
  expect((await create?.run({ ...nothing, channel: '9' }, there))?.content).toBe(
    '✅ The live board is in <#9>.',
  );
  const set = await setup.form.submit(
    { channel: '8', language: 'reader', distances: 'kilometres', zone: '' },
    there,
    {},
  );
  expect(set.content).toContain(lacking);
});

test('lost boards are offered if the server has no board, and revived by one press', async () => {
  const { made, context } = setUp();
  const lost = async (guildId: string) => (guildId === '7' ? ['10', '11'] : []);
  const asked: Context = { ...context, boards: { ...context.boards, lost } };
  const offer = await board.subcommands['list']?.run({}, asked);
  const ids = rowsOf(offer ?? {}).flatMap(({ components }) => components.map(({ custom_id }) => custom_id));
  const { action = '', subject = '' } = readCustomId(ids[0] ?? '') ?? {};
  await press(board, { action, subject }, asked);
  expect(made).toEqual(
    ['10', '11'].map((channelId) => ({
      guildId: '7',
      channelId,
      madeBy: '1',
      locale: 'en-GB',
      colours: true,
    })),
  );
  const list = async () => [listed('9')];
  const others = await board.subcommands['list']?.run({}, { ...asked, boards: { ...asked.boards, list } });
  expect(rowsOf(others ?? {})).toEqual([]);
});

describe('a command in a channel without a board', () => {
  const { remove, move } = board.subcommands;
  /** A server with boards in these channels, without the one in which commands are typed. */
  function withBoards(...channels: readonly string[]) {
    const { context, edited } = setUp();
    const left: string[] = [];
    const boards: Context['boards'] = {
      ...context.boards,
      list: async () => channels.map((channel) => listed(channel)),
      async remove(_guildId, channelId) {
        left.push(channelId);
        return { isMessageLeft: false };
      },
      async move(_guildId, from) {
        left.push(from);
        return { created: { kind: 'created', posted: true }, removed: { isMessageLeft: false } };
      },
    };
    return { context: { ...context, boards }, left, edited };
  }
  const menuOf = (reply: Reply | undefined) => controls(reply ?? {})[0];

  test('means the only board of the server', async () => {
    const { context, left, edited } = withBoards('9');
    expect((await remove?.run({ channel: null }, context))?.content).toContain('<#9> is removed');
    await move?.run({ to: '10', from: null }, context);
    await edit?.run({ ...nothing, names: 'off' }, context);
    expect([left, edited.map(([, channel]) => channel)]).toEqual([['9', '9'], ['9']]);
  });

  test('means the board here, if there is one', async () => {
    const { context, left } = withBoards('9', '8');
    await remove?.run({ channel: null }, context);
    expect(left).toEqual(['8']);
  });

  test('offers a menu of several, and does it for the chosen one', async () => {
    const { context, left } = withBoards('9', '11');
    for (const asked of [
      remove?.run({ channel: null }, context),
      move?.run({ to: '10', from: null }, context),
    ]) {
      const menu = menuOf(await asked);
      expect(menu?.values).toEqual(['9', '11']);
      const { action = '', subject = '' } = readCustomId(menu?.customId ?? '') ?? {};
      const done = await press(board, { action, subject, values: ['11'] }, context);
      expect(done.components).toEqual([]);
    }
    expect(left).toEqual(['11', '11']);
    await expect(press(board, { action: 'remove', values: ['x'] }, context)).rejects.toThrow(UserError);
  });
});

describe('a board that goes', () => {
  const { remove, move } = board.subcommands;
  const leaving = (isMessageLeft: boolean): Context => {
    const { context } = setUp();
    const boards: Context['boards'] = {
      ...context.boards,
      remove: async () => ({ isMessageLeft }),
      move: async () => ({ created: { kind: 'created', posted: true }, removed: { isMessageLeft } }),
    };
    return { ...context, boards };
  };

  test('is not called deleted where its message has to stay', async () => {
    const left = "⚠️ I can't see <#9>, so its message stays there. Delete it by hand.";
    const removed = await remove?.run({ channel: '9' }, leaving(true));
    expect(removed?.content).toBe(`✅ The live board in <#9> is removed.\n${left}`);
    const moved = await move?.run({ to: '10', from: '9' }, leaving(true));
    expect(moved?.content).toBe(`✅ The live board is in <#10>.\n${left}`);
    const gone = await remove?.run({ channel: '9' }, leaving(false));
    expect(gone?.content).toBe('✅ The live board in <#9> is removed.');
  });

  test('with its channel is removed with all such boards of this server at one press', async () => {
    const { context } = setUp();
    let boards = [
      listed('10', 'channel'),
      listed('11', 'rights'),
      listed('12', null),
      listed('13', 'channel'),
    ];
    const list = async (guildId: string) => boards.filter(({ settings }) => settings.guildId === guildId);
    const asked: Context = {
      ...context,
      boards: {
        ...context.boards,
        list,
        async remove(guildId, channelId) {
          boards = boards.filter(
            ({ settings }) => settings.guildId !== guildId || settings.channelId !== channelId,
          );
          return { isMessageLeft: false };
        },
      },
    };
    const before = await board.subcommands['list']?.run({}, asked);
    const [id = ''] = rowsOf(before ?? {}).flatMap(({ components }) =>
      components.map(({ custom_id }) => custom_id),
    );
    const { action = '', subject = '' } = readCustomId(id) ?? {};
    const elsewhere = { ...asked, person: { ...asked.person, guildId: '8' } };
    await press(board, { action, subject }, elsewhere);
    expect(boards).toHaveLength(4);
    const after = await press(board, { action, subject }, asked);
    expect(boards.map(({ settings }) => settings.channelId)).toEqual(['11', '12']);
    expect(rowsOf(after)).toEqual([]);
    expect(board.permission).toBe('manage-guild');
  });
});

describe('servers', () => {
  const { schema, complete } = boardOptions.servers;
  const offered = (typed: string, locale = 'en-GB') =>
    complete(typed, { ...setUp().context, t: createTranslators()(locale), own: null, serverOf: () => null });

  test.for<[typed: string, read: string | undefined]>([
    ['one', 'one'],
    [' Two,ONE ; two', 'two, one'],
    ['all', 'all'],
    ['ALL', 'all'],
    ['one, all', undefined],
    ['drag', undefined],
    [' , ', undefined],
  ])('typed as "%s" are read as %s', ([typed, read]) => {
    expect(schema.safeParse(typed).data).toBe(read);
  });

  test('are offered one by one, by their names in the person’s language', () => {
    expect(offered('').map(({ value }) => value)).toEqual([
      ...['all', 'one', 'two', 'three', 'four', 'events', 'training'],
    ]);
    expect(offered('t').map(({ value }) => value)).toEqual(['all', 'two', 'three', 'training']);
    expect(offered('two, t').map(({ value }) => value)).toEqual(['two', 'two, three', 'two, training']);
    expect(offered('one,two').map(({ value }) => value)[0]).toBe('one, two');
    expect(offered('tra', 'tr').at(-1)).toEqual({ name: 'Training', value: 'training' });
  });

  test('that are offered can be chosen', () => {
    for (const typed of ['', 'one', 'one, two, three, four, events, t'])
      for (const { value } of offered(typed)) expect(schema.safeParse(value).data).toBe(value);
  });
});
