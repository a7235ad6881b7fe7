import { z } from 'zod';
import { UserError } from '../../src/base/errors.ts';
import type { ListedBoard } from '../../src/cards/board/board.ts';
import { defineAction, onPress, onSubject, onSubjectOrChoice } from '../../src/command-kit/action.ts';
import { boardRefusal } from '../../src/command-kit/boards.ts';
import { defineGroup, defineSubcommand } from '../../src/command-kit/command.ts';
import {
  boardFields,
  boardOptions,
  boardValues,
  changedOptions,
  chosenOptions,
} from '../../src/command-kit/command-options/board-options.ts';
import { type Context, requireChannel, requireGuild } from '../../src/command-kit/context.ts';
import { defineForm, FORM_ACTION } from '../../src/command-kit/form.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { boardCard, boardListCard, boardMenu, shownBy } from './cards/board-list-card.ts';

const ChannelId = z.string().regex(/^\d{1,20}$/);

const channel = { kind: 'channel', description: 'board.options.channel', required: false } as const;

/** Live boards: one message per channel, always current. */
export default defineGroup({
  description: 'board.description',
  topic: 'guild',
  visibility: 'private',
  permission: 'manage-guild',
  guildOnly: true,
  subcommands: {
    create: defineSubcommand({
      description: 'board.create.description',
      options: { channel, ...boardOptions },
      run: (args, context) => create(args.channel, chosenOptions(args), context),
      form: defineForm({
        title: 'board.create.description',
        fields: { channel: { kind: 'channel', label: 'setup.channel' }, ...boardFields },
        async begin({ boards, person: { channelId } }) {
          const values = boardValues(boards.usual);
          return { ...values, ...(channelId === null ? {} : { channel: channelId }) };
        },
        submit: ({ channel: named, ...values }, context) => create(named, changedOptions(values), context),
      }),
    }),
    edit: defineSubcommand({
      description: 'board.edit.description',
      options: { channel },
      // Only an older version's options do not open the window.
      async run(_args, { t }) {
        throw new UserError(t('discord.oldCommand'));
      },
      form: defineForm({
        title: 'board.edit.description',
        subjectOptions: ['channel'],
        fields: { channel: { kind: 'kept' }, ...boardFields },
        async choose(context, { channel: named = null }) {
          const where = await placeOfBoard(named, context);
          return 'several' in where
            ? choose(where.several, { command: 'board edit', action: 'form', subject: '' }, context)
            : null;
        },
        async begin(context, args) {
          const { channelId } = placeOf(await boardChannel(args['channel'] ?? null, context), context);
          const board = await findBoard(channelId, context);
          return { ...boardValues(board.settings.options), channel: channelId };
        },
        submit({ channel: kept, ...values }, context, begun) {
          return edited(kept, changedOptions(values, begun), context);
        },
      }),
    }),
    remove: defineSubcommand({
      description: 'board.remove.description',
      options: { channel },
      async run({ channel: named }, context) {
        const where = await placeOfBoard(named, context);
        if ('several' in where)
          return choose(where.several, { command: 'board', action: 'remove', subject: '' }, context);
        return remove(where.channelId, context);
      },
    }),
    list: defineSubcommand({
      description: 'board.list.description',
      options: {},
      run: (_given, context) => list(context),
    }),
    move: defineSubcommand({
      description: 'board.move.description',
      options: {
        to: { kind: 'channel', description: 'board.options.to', required: true },
        from: { kind: 'channel', description: 'board.options.from', required: false },
      },
      async run({ to, from }, context) {
        const where = await placeOfBoard(from, context);
        if ('several' in where)
          return choose(where.several, { command: 'board', action: 'move', subject: to }, context);
        return move(where.channelId, to, context);
      },
    }),
    test: defineSubcommand({
      description: 'board.test.description',
      options: { channel },
      run: (args, context) => test(args.channel, context),
    }),
  },

  actions: {
    /** From the menu below the list. */
    one: defineAction({
      press: z.object({ value: ChannelId }),
      run: async ({ value }, context) => {
        const board = await findBoard(value, context);
        return boardCard(board, { command: 'board edit', action: FORM_ACTION, subject: value }, context.t);
      },
    }),
    list: onPress((context) => list(context)),
    test: onSubject(ChannelId, async (channelId, context) => ({
      ...(await test(channelId, context)),
      ephemeral: true,
    })),
    /** Somebody has deleted its message again and again. */
    resume: onSubject(ChannelId, async (channelId, context) => {
      const { settings } = await findBoard(channelId, context);
      return { ...(await create(channelId, settings.options, context)), ephemeral: true };
    }),
    /** From the menu of several boards, and below one of them; both are replaced by the list. */
    remove: onSubjectOrChoice(ChannelId, async (from, context) => {
      const { content = '' } = await remove(from, context);
      return { ...(await list(context)), content };
    }),
    move: defineAction({
      press: z.object({ value: ChannelId, subject: ChannelId }),
      run: async ({ value: from, subject: to }, context) => ({
        ...(await move(from, to, context)),
        components: [],
      }),
    }),
    /** Removes the boards whose channel is gone: no option of a command can name it any more. */
    drop: onPress(async (context) => {
      const { guildId } = placeOf(null, context);
      const deadBoards = (await context.boards.list(guildId)).filter(
        ({ paused }) => paused?.why === 'channel',
      );
      for (const { settings } of deadBoards) await context.boards.remove(guildId, settings.channelId);
      return list(context);
    }),
    /** Makes boards where messages of lost ones stand: each adopts the one in its channel. */
    adopt: onPress(async (context) => {
      const { guildId } = placeOf(null, context);
      for (const channelId of await context.boards.lost(guildId))
        await context.boards.create(ownerOfNewBoard(guildId, channelId, context));
      return list(context);
    }),
  },
});

async function list(context: Context): Promise<Reply> {
  const { guildId } = placeOf(null, context);
  const boards = await context.boards.list(guildId);
  const channelsOfLostBoards = boards.length === 0 ? await context.boards.lost(guildId) : [];
  return boardListCard(boards, channelsOfLostBoards, nameOfChannel(context), context.t);
}

function nameOfChannel({ person }: Context): (channelId: string) => string | null {
  return person.nameOfChannel ?? (() => null);
}

/** Throws a {@link UserError} for a channel without a board. */
async function findBoard(channelId: string, context: Context): Promise<ListedBoard> {
  const boards = await context.boards.list(requireGuild(context));
  const board = boards.find(({ settings }) => settings.channelId === channelId);
  if (board === undefined) throw noneThere(channelId, context.t);
  return board;
}

/** The named channel, else the one where the command is typed. */
function placeOf(named: string | null, context: Context): { guildId: string; channelId: string } {
  return { guildId: requireGuild(context), channelId: named ?? requireChannel(context) };
}

/** The board that is meant: the named one, else the one here, else the only one; or all, where there are several. */
async function placeOfBoard(
  named: string | null,
  context: Context,
): Promise<{ readonly channelId: string } | { readonly several: readonly ListedBoard[] }> {
  const { guildId, channelId } = placeOf(named, context);
  if (named !== null) return { channelId };
  const boards = await context.boards.list(guildId);
  const [first, second] = boards;
  if (first === undefined || boards.some(({ settings }) => settings.channelId === channelId))
    return { channelId };
  return second === undefined ? { channelId: first.settings.channelId } : { several: boards };
}

/** Finds the board's channel; null if it is unclear which board is meant. */
async function boardChannel(named: string | null, context: Context): Promise<string | null> {
  const where = await placeOfBoard(named, context);
  return 'channelId' in where ? where.channelId : null;
}

function choose(
  boards: readonly ListedBoard[],
  id: Parameters<typeof boardMenu>[1],
  context: Context,
): Reply {
  return boardMenu(boards, id, nameOfChannel(context), context.t);
}

async function test(named: string | null, context: Context): Promise<Reply> {
  const { guildId, channelId } = placeOf(named, context);
  const tested = await context.boards.test(guildId, channelId, context.t.locale);
  if (tested.kind !== 'ok') throw new UserError(boardRefusal(tested, channelId, context.t));
  return { content: context.t('board.test.done', { channel: `<#${channelId}>` }) };
}

async function remove(named: string, context: Context): Promise<Reply> {
  const { guildId, channelId } = placeOf(named, context);
  const removed = await context.boards.remove(guildId, channelId);
  if (removed === null) throw noneThere(channelId, context.t);
  const confirmation = context.t('board.remove.done', { channel: `<#${channelId}>` });
  return { content: [confirmation, ...leftLines(removed, channelId, context.t)].join('\n') };
}

async function move(from: string, to: string, context: Context): Promise<Reply> {
  const { guildId, channelId } = placeOf(from, context);
  const moved = await context.boards.move(guildId, channelId, ownerOfNewBoard(guildId, to, context));
  if (moved === null) throw noneThere(channelId, context.t);
  const { content } = placed(moved.created, to, context.t);
  return { content: [content, ...leftLines(moved.removed, channelId, context.t)].join('\n') };
}

/** Says so where the message stays in the channel: only people can delete it there. */
function leftLines(
  removed: { readonly isMessageLeft: boolean } | null,
  channelId: string,
  t: Context['t'],
): readonly string[] {
  return removed?.isMessageLeft ? [t('board.remove.left', { channel: `<#${channelId}>` })] : [];
}

function noneThere(channelId: string, t: Context['t']): UserError {
  return new UserError(t('board.noneThere', { channel: `<#${channelId}>` }));
}

async function create(
  named: string | null,
  options: ReturnType<typeof chosenOptions>,
  context: Context,
): Promise<Reply> {
  const { guildId, channelId } = placeOf(named, context);
  const created = await context.boards.create({ ...ownerOfNewBoard(guildId, channelId, context), options });
  return placed(created, channelId, context.t);
}

/** Changes the board there, and says what it shows now. */
async function edited(
  named: string | null,
  changes: Parameters<Context['boards']['edit']>[2],
  context: Context,
): Promise<Reply> {
  const { boards, t } = context;
  const { guildId, channelId } = placeOf(named, context);
  const now = await boards.edit(guildId, channelId, changes);
  if (now === null) throw noneThere(channelId, t);
  return { content: t('board.edit.done', { channel: `<#${channelId}>`, shows: shownBy(now, t) }) };
}

function ownerOfNewBoard(guildId: string, channelId: string, { person, t }: Context) {
  return { guildId, channelId, madeBy: person.id, locale: t.locale, colours: t.colours };
}

/** Says where the board is, without a copy of it: a private message is never updated, so a copy would soon be wrong. */
function placed(
  created: Awaited<ReturnType<Context['boards']['create']>>,
  channelId: string,
  t: Context['t'],
): { readonly content: string } {
  if (!('posted' in created)) throw new UserError(boardRefusal(created, channelId, t));
  const textKey = created.posted ? 'board.create.done' : 'board.create.later';
  return { content: t(textKey, { channel: `<#${channelId}>` }) };
}
