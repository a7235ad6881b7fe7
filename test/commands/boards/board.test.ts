import { describe, expect, test } from 'vitest';
import board from '../../../commands/boards/board.ts';
import { UserError } from '../../../src/base/errors.ts';
import { type BoardOptions, newBoardOptions } from '../../../src/cards/board/board.ts';
import { readCustomId } from '../../../src/cards/kit/custom-id.ts';
import { boardOptions, boardValues } from '../../../src/command-kit/command-options/board-options.ts';
import type { Context } from '../../../src/command-kit/context.ts';
import type { Reply } from '../../../src/command-kit/reply.ts';
import { listedBoard } from '../../support/about-bot.ts';
import { contextOf } from '../../support/context.ts';
import { peopleInMemory } from '../../support/people.ts';
import { press } from '../../support/press.ts';
import { controls, rowsOf } from '../../support/readable.ts';
import { NOON } from '../../support/records.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');
const { create, edit } = board.subcommands;
const untouched = { language: null, servers: null, members: null, names: null };
const nothing = { channel: null, ...untouched };

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
        return asked[1] === '404' ? null : { ...newBoardOptions, ...asked[2] };
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

/** Changes a board of server one, in German, in the window of `/board edit`. */
function change(values: Readonly<Record<string, string>>, context: Context, channel = '8') {
  const options: BoardOptions = { ...newBoardOptions, language: 'de', servers: ['one'] };
  const begun = { ...boardValues(options), channel };
  return edit?.form?.submit({ ...begun, ...values }, context, begun);
}

describe('the options of a board', () => {
  test('are those that were given, and no others', async () => {
    const { made, edited, context } = setUp();
    await create?.run(nothing, context);
    await create?.run({ ...nothing, servers: 'two, events', members: 'off' }, context);
    expect(made.map(({ options }) => options)).toEqual([{}, { servers: ['two', 'events'], members: 'off' }]);
    await change({ language: 'pl', names: 'off' }, context, '9');
    await change({ language: 'usual', servers: '' }, context);
    expect(edited).toEqual([
      ['7', '9', { language: 'pl', names: 'off' }],
      ['7', '8', { language: null, servers: null }],
    ]);
  });

  test('are named after a change; no board is reported as well', async () => {
    const { context } = setUp();
    const reply = await change({ servers: 'two one', language: 'fr' }, context);
    expect(reply?.content).toBe('✅ <#8> now shows: Two, One · members collapsed · Français');
    await expect(change({ names: 'off' }, context, '404')).rejects.toThrow('<#404>');
  });

  test('typed as an older version took them change nothing', async () => {
    const { edited, context } = setUp();
    await expect(edit?.run({ channel: null, names: 'off' }, context)).rejects.toThrow(
      new UserError(t('discord.oldCommand')),
    );
    expect(edited).toEqual([]);
  });
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
  expect(JSON.stringify(others)).not.toContain(':adopt:');
});

describe('a board that is chosen below the list', () => {
  /** A server with a board in channel 9, and what becomes of it. */
  function withBoard(why: 'unwanted' | null = null) {
    const { context, made } = setUp();
    const removals: string[] = [];
    const paused = why === null ? null : { why, missing: [], since: NOON, notified: true };
    const nine = listedBoard('9', { paused }, { language: 'de' });
    const boards: Context['boards'] = {
      ...context.boards,
      list: async () => (removals.length === 0 ? [nine] : []),
      test: async () => ({ kind: 'ok' }),
      async remove(_guildId, channelId) {
        removals.push(channelId);
        return { isMessageLeft: false };
      },
    };
    const asked: Context = { ...context, boards };
    /** Presses what says so below the reply, or chooses from its menu. */
    const go = (reply: Reply | undefined, label: string, values: readonly string[] = []) => {
      const found = controls(reply ?? {}).find((control) => control.label === label);
      const { action = '', subject = '' } = readCustomId(found?.customId ?? '') ?? {};
      return press(board, { action, subject, values }, asked);
    };
    const open = async () => go(await board.subcommands['list']?.run({}, asked), '', ['9']);
    return { made, removals, go, open, asked };
  }

  test('is tested in a message of its own, and leads back to the list', async () => {
    const { go, open } = withBoard();
    const one = await open();
    expect(JSON.stringify(one.embeds)).toContain('<#9>');
    expect(await go(one, 'Test')).toMatchObject({
      ephemeral: true,
      content: expect.stringContaining('works in <#9>'),
    });
    expect(JSON.stringify(await go(one, '◀ Back'))).toContain('1:board:one:');
  });

  test('is removed, which the list then says', async () => {
    const { go, open, removals, asked } = withBoard();
    const one = await open();
    const { content, embeds } = await go(one, 'Remove');
    expect([content, removals]).toEqual(['✅ The live board in <#9> is removed.', ['9']]);
    expect(JSON.stringify(embeds)).toContain('No live boards yet');
    await expect(press(board, { action: 'one', values: ['9'] }, asked)).rejects.toThrow('<#9>');
  });

  test('resumes with what it showed if its message was deleted too often', async () => {
    const { go, open, made } = withBoard('unwanted');
    expect((await go(await open(), 'Resume')).content).toContain('is in <#9>');
    expect(made).toMatchObject([{ channelId: '9', options: { language: 'de' } }]);
  });
});

describe('a command in a channel without a board', () => {
  const { remove, move } = board.subcommands;
  /** A server with boards in these channels, without the one in which commands are typed. */
  function withBoards(...channels: readonly string[]) {
    const { context } = setUp();
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
    return { context: { ...context, boards }, left };
  }
  const menuOf = (reply: Reply | undefined) => controls(reply ?? {})[0];

  test('means the only board of the server', async () => {
    const { context, left } = withBoards('9');
    expect((await remove?.run({ channel: null }, context))?.content).toContain('<#9> is removed');
    await move?.run({ to: '10', from: null }, context);
    const begun = await edit?.form?.begin(context, {});
    expect([left, begun?.['channel']]).toEqual([['9', '9'], '9']);
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
      expect(done.content).toMatch(/^✅/);
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
    const [, id = ''] = rowsOf(before ?? {}).flatMap(({ components }) =>
      components.map(({ custom_id }) => custom_id),
    );
    const { action = '', subject = '' } = readCustomId(id) ?? {};
    const elsewhere = { ...asked, person: { ...asked.person, guildId: '8' } };
    await press(board, { action, subject }, elsewhere);
    expect(boards).toHaveLength(4);
    const after = await press(board, { action, subject }, asked);
    expect(boards.map(({ settings }) => settings.channelId)).toEqual(['11', '12']);
    expect(JSON.stringify(after)).not.toContain(':drop:');
    expect(board.permission).toBe('manage-guild');
  });
});

describe('servers', () => {
  const { schema, complete } = boardOptions.servers;
  const offered = (typed: string, locale = 'en-GB') =>
    complete(typed, {
      ...setUp().context,
      ...{ t: createTranslators()(locale), own: null, serverOf: () => null, zone: 'UTC' },
    });

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
