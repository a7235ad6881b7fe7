import { boardListCard } from '../src/cards/board/board-list-card.ts';
import { type Context, defineGroup, defineSubcommand, type Reply } from '../src/app/command.ts';
import { UserError } from '../src/errors.ts';

type Boards = Context['boards'];
type Words = Context['words'];
type Refused = Exclude<Awaited<ReturnType<Boards['create']>>, { card: unknown }>;
type Tested = Exclude<Awaited<ReturnType<Boards['test']>>, { kind: 'ok' }>;

const channel = { kind: 'channel', description: 'board.options.channel', required: false } as const;

/** Live boards: one message in a channel, kept right for as long as it is wanted. */
export default defineGroup({
  description: 'board.description',
  example: 'board.example',
  visibility: 'private',
  permission: 'manage-guild',
  guildOnly: true,
  subcommands: {
    create: defineSubcommand({
      description: 'board.create.description',
      options: { channel },
      async run(given, context) {
        const { guildId, channelId } = placeOf(given.channel, context);
        const created = await context.boards.create(asked(guildId, channelId, context));
        return wordsOf(created, channelId, context.words);
      },
    }),
    remove: defineSubcommand({
      description: 'board.remove.description',
      options: { channel },
      async run(given, context) {
        const { guildId, channelId } = placeOf(given.channel, context);
        const removed = await context.boards.remove(guildId, channelId);
        if (!removed)
          throw new UserError(context.words.text('board.noneThere', { channel: `<#${channelId}>` }));
        return { content: context.words.text('board.remove.done', { channel: `<#${channelId}>` }) };
      },
    }),
    list: defineSubcommand({
      description: 'board.list.description',
      options: {},
      async run(_given, context) {
        const { guildId } = placeOf(null, context);
        return boardListCard(await context.boards.list(guildId), context.words);
      },
    }),
    move: defineSubcommand({
      description: 'board.move.description',
      options: {
        to: { kind: 'channel', description: 'board.options.to', required: true },
        from: { kind: 'channel', description: 'board.options.from', required: false },
      },
      async run({ to, from }, context) {
        const { guildId, channelId } = placeOf(from, context);
        const moved = await context.boards.move(guildId, channelId, asked(guildId, to, context));
        if (moved === null)
          throw new UserError(context.words.text('board.noneThere', { channel: `<#${channelId}>` }));
        return wordsOf(moved, to, context.words);
      },
    }),
    test: defineSubcommand({
      description: 'board.test.description',
      options: { channel },
      async run(given, context) {
        const { guildId, channelId } = placeOf(given.channel, context);
        const tested = await context.boards.test(guildId, channelId, context.words.locale);
        if (tested.kind !== 'ok') throw new UserError(whyNot(tested, channelId, context.words));
        return { content: context.words.text('board.test.done', { channel: `<#${channelId}>` }) };
      },
    }),
  },
});

/** The channel that is named, else the one where it is typed. */
function placeOf(named: string | null, { person, words }: Context): { guildId: string; channelId: string } {
  const channelId = named ?? person.channelId;
  if (person.guildId === null || channelId === null) throw new UserError(words.text('chat.guildOnly'));
  return { guildId: person.guildId, channelId };
}

function asked(guildId: string, channelId: string, { person, words }: Context) {
  return { guildId, channelId, madeBy: person.id, locale: words.locale };
}

function wordsOf(created: Awaited<ReturnType<Boards['create']>>, channelId: string, words: Words): Reply {
  if (!('card' in created)) throw new UserError(whyNot(created, channelId, words));
  const key = created.posted ? 'board.create.done' : 'board.create.later';
  return { content: words.text(key, { channel: `<#${channelId}>` }), embeds: created.card.embeds };
}

function whyNot(refused: Refused | Tested, channelId: string, words: Words): string {
  const place = `<#${channelId}>`;
  if (refused.kind === 'missing') {
    const rights = refused.rights.map((right) => words.text(`board.right.${right}`)).join(', ');
    return words.text('board.why.missing', { channel: place, rights });
  }
  const key = `board.why.${refused.kind}` as const;
  return words.text(key, { channel: place });
}
