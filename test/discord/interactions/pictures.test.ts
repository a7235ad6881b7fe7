/** A reply's picture on its way to Discord: over a local chat server, with a real client. */
import { type APIMessage, PermissionFlagsBits as Permission } from 'discord.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { UserError } from '../../../src/base/errors.ts';
import { writeCustomId } from '../../../src/cards/kit/custom-id.ts';
import { onPress } from '../../../src/command-kit/action.ts';
import { defineCommand } from '../../../src/command-kit/command.ts';
import type { Context } from '../../../src/command-kit/context.ts';
import type { Reply } from '../../../src/command-kit/reply.ts';
import type { Commands } from '../../../src/discord/publish/load.ts';
import type { Chart } from '../../../src/pictures/chart.ts';
import type { Pictures } from '../../../src/pictures/pictures.ts';
import type { LocalChat } from '../../../src/sandbox/chat/chat-server.ts';
import { polishWeek } from '../../pictures/support/charts.ts';
import { startLocalBot } from '../../support/local-bot.ts';

/** The start of a PNG of 800 by 480 pixels. */
function png(shade: number): Uint8Array {
  const header = '89504e470d0a1a0a0000000d49484452000003200000 01e0'.replace(' ', '');
  return Buffer.from(`${header}${shade.toString(16).padStart(2, '0')}`, 'hex');
}

interface StartOptions {
  readonly deferAfter?: number;
  /** Stands beside the picture in place of the reply's own. */
  readonly instead?: Pick<NonNullable<Reply['picture']>, 'embeds' | 'components' | 'lineAbove' | 'isUnasked'>;
  /** More of the reply. */
  readonly reply?: Pick<Reply, 'ephemeral' | 'content'>;
}

/** A bot with one command, whose reply has a picture, and whose button makes it anew. */
async function startBot({ deferAfter = 5000, instead = {}, reply = {} }: StartOptions = {}) {
  const drawn: Parameters<Pictures['draw']>[1][] = [];
  let prepared = 0;
  const control = {
    draw: async (_chart?: Chart, patience?: Parameters<Pictures['draw']>[1]): ReturnType<Pictures['draw']> =>
      png(drawn.push(patience)),
    fail: false,
  };
  const show = async ({ expectPicture }: Context) => {
    expectPicture();
    if (control.fail) throw new UserError('not now');
    return {
      ...reply,
      embeds: [{ title: 'Drivers' }],
      components: [
        {
          type: 1 as const,
          components: [
            {
              type: 2 as const,
              style: 2 as const,
              label: 'Again',
              custom_id: writeCustomId({ command: 'week', action: 'again', subject: '' }),
            },
          ],
        },
      ],
      picture: { name: 'week', chart: polishWeek(), alt: 'Most drivers: 142 on Sunday', ...instead },
    };
  };
  const commands: Commands = new Map([
    [
      'week',
      defineCommand({
        description: 'duty.description',
        topic: 'servers',
        visibility: 'choice',
        options: {},
        run: (_options, context) => show(context),
        actions: { again: onPress(show) },
      }),
    ],
  ]);
  const bot = await startLocalBot(
    commands,
    {},
    {
      deferAfter,
      pictures: {
        prepare: () => {
          prepared += 1;
        },
        draw: (...picture) => control.draw(...picture),
      },
    },
  );
  return {
    ...{ chat: bot.chat, channel: bot.channel, visitor: bot.manager, control, drawn },
    prepared: () => prepared,
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  };
}

function shown(message: APIMessage | null): APIMessage {
  if (message === null) throw new Error('no message came of it');
  return message;
}

const again = writeCustomId({ command: 'week', action: 'again', subject: '' });

async function lastByte(message: APIMessage): Promise<number | undefined> {
  return (await (await fetch(message.attachments[0]?.url ?? '')).bytes()).at(-1);
}

/** Until the bot has acknowledged without an answer: 5 defers a reply, 6 an update. */
function deferral(chat: LocalChat): Promise<void> {
  return new Promise((resolve) => {
    const stop = chat.subscribe((event) => {
      if (event.type !== 'payload' || !event.path.includes('callback')) return;
      if (!z.object({ type: z.literal([5, 6]) }).safeParse(event.body).success) return;
      stop();
      resolve();
    });
  });
}

test.each([
  ['a quick reply', 'replied'],
  ['a slow one', 'deferred'],
])('the picture of %s is attached with its alt text; a button replaces it', async (_how, acknowledged) => {
  await using bot = await startBot({ deferAfter: acknowledged === 'replied' ? 5000 : 20 });
  const draw = bot.control.draw;
  if (acknowledged === 'deferred') bot.control.draw = () => deferral(bot.chat).then(() => draw());
  const outcome = await bot.visitor.invoke(bot.channel, 'week', []);
  expect(outcome.acknowledged).toBe(acknowledged);
  const first = shown(outcome.message);
  expect(first.embeds[0]?.title).toBe('Drivers');
  expect(first.attachments).toMatchObject([
    {
      ...{ filename: 'week.png', content_type: 'image/png', width: 800, height: 480 },
      description: 'Most drivers: 142 on Sunday',
    },
  ]);
  expect(await lastByte(first)).toBe(1);

  const second = shown((await bot.visitor.press(first.id, again)).message);
  expect(second.id).toBe(first.id);
  expect(second.attachments).toHaveLength(1);
  expect(await lastByte(second)).toBe(2);
});

test('a picture that cannot be drawn leaves the text, and takes the old picture away', async () => {
  await using bot = await startBot();
  const first = shown((await bot.visitor.invoke(bot.channel, 'week', [])).message);
  bot.control.draw = async () => null;
  const second = shown((await bot.visitor.press(first.id, again)).message);
  expect(second.attachments).toEqual([]);
  expect(second.embeds[0]?.title).toBe('Drivers');
});

test.each([
  ['comes too late', null, /^The picture took too long/],
  ['cannot be drawn', 'never', /^I can't draw the picture here/],
] as const)(
  'a person who asked for a picture that %s is told, until it comes',
  async (_how, drawing, told) => {
    await using bot = await startBot({ instead: { embeds: [], components: [] } });
    const { draw } = bot.control;
    bot.control.draw = async () => drawing;
    const first = shown((await bot.visitor.invoke(bot.channel, 'week', [])).message);
    expect(first.content).toMatch(told);
    expect(first.embeds[0]?.title).toBe('Drivers');
    bot.control.draw = draw;
    const second = shown((await bot.visitor.press(first.id, again)).message);
    expect(second.attachments).toHaveLength(1);
    expect(second.content).toBe('');
  },
);

test('a text that says all without its picture says only that the picture is late', async () => {
  await using bot = await startBot();
  const contentOf = async (drawing: null | 'never') => {
    bot.control.draw = async () => drawing;
    return shown((await bot.visitor.invoke(bot.channel, 'week', [])).message).content;
  };
  expect(await contentOf(null)).toMatch(/^The picture took too long/);
  expect(await contentOf('never')).toBe('');
});

test.each([
  ['at once', 5000, false],
  ['after a wait', 0, false],
  ['for one person', 5000, true],
  ['for one person after a wait', 0, true],
])('where Discord refuses the upload, the text comes alone %s', async (_when, deferAfter, isPrivate) => {
  await using bot = await startBot({ deferAfter, reply: isPrivate ? { ephemeral: true } : {} });
  if (deferAfter === 0) {
    const draw = bot.control.draw;
    bot.control.draw = () => deferral(bot.chat).then(() => draw());
  }
  bot.chat.setFault('upload-refused', true);
  const first = shown((await bot.visitor.invoke(bot.channel, 'week', [])).message);
  expect(first.attachments).toEqual([]);
  expect(first.embeds[0]?.title).toBe('Drivers');

  const second = shown((await bot.visitor.press(first.id, again)).message);
  expect(second.id === first.id).toBe(!isPrivate);
  expect(second.embeds[0]?.title).toBe('Drivers');
});

test('an error leaves the picture where it is', async () => {
  await using bot = await startBot();
  const first = shown((await bot.visitor.invoke(bot.channel, 'week', [])).message);
  bot.control.fail = true;
  const { message } = await bot.visitor.press(first.id, again);
  expect(message?.content).toBe('not now');
  expect(bot.visitor.messages(bot.channel).find(({ id }) => id === first.id)?.attachments).toHaveLength(1);
});

test('without Attach Files nothing is drawn, and the text comes alone', async () => {
  await using bot = await startBot();
  bot.chat.moderator.setOverwrite(bot.channel, {
    ...{ id: bot.chat.botId, type: 'member', allow: 0n },
    deny: Permission.AttachFiles,
  });
  const message = shown((await bot.visitor.invoke(bot.channel, 'week', [])).message);
  expect(message.attachments).toEqual([]);
  expect(message.embeds[0]?.title).toBe('Drivers');
  expect(bot.drawn).toEqual([]);
  expect(bot.prepared()).toBe(0);
});

test('the line above a picture follows the content, and never stands above the text', async () => {
  await using bot = await startBot({ instead: { lineAbove: 'On One' }, reply: { content: 'Your friend' } });
  const first = shown((await bot.visitor.invoke(bot.channel, 'week', [])).message);
  expect(first.content).toBe('Your friend\nOn One');
  bot.control.draw = async () => 'never';
  const second = shown((await bot.visitor.press(first.id, again)).message);
  expect(second.content).toBe('Your friend');
  bot.control.draw = async () => png(3);
  expect(shown((await bot.visitor.press(first.id, again)).message).content).toBe('Your friend\nOn One');
});

test('a picture nobody asked for is prepared, waits 1.5 s at most and does not queue', async () => {
  await using unasked = await startBot({ instead: { isUnasked: true } });
  await unasked.visitor.invoke(unasked.channel, 'week', []);
  expect(unasked.prepared()).toBe(1);
  expect(unasked.drawn).toEqual([{ waitMs: 1500, maxWaiting: 4 }]);
  await using asked = await startBot();
  await asked.visitor.invoke(asked.channel, 'week', []);
  expect(asked.drawn).toEqual([{}]);
});

test('a picture that nobody has asked for is missing without a word, unless it is late', async () => {
  await using bot = await startBot({ instead: { isUnasked: true, embeds: [], components: [] } });
  const contentOf = async (drawing: null | 'never') => {
    bot.control.draw = async () => drawing;
    const message = shown((await bot.visitor.invoke(bot.channel, 'week', [])).message);
    expect(message.embeds[0]?.title).toBe('Drivers');
    return message.content;
  };
  expect(await contentOf('never')).toBe('');
  expect(await contentOf(null)).toMatch(/^The picture took too long/);
});

test('beside a picture stands what says less, in its place what says all', async () => {
  await using bot = await startBot({ instead: { embeds: [], components: [] } });
  const first = shown((await bot.visitor.invoke(bot.channel, 'week', [])).message);
  expect(first.attachments).toHaveLength(1);
  expect([...first.embeds, ...(first.components ?? [])]).toEqual([]);

  bot.control.draw = async () => null;
  const second = shown((await bot.visitor.invoke(bot.channel, 'week', [])).message);
  expect(second.attachments).toEqual([]);
  expect(second.embeds[0]?.title).toBe('Drivers');
  expect(second.components).toHaveLength(1);
});
