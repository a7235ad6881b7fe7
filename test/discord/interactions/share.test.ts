/** *Share* below a private answer: over a local chat server, with a real client. */
import { type APIMessage, MessageFlags, PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { UserError } from '../../../src/base/errors.ts';
import { buttonRow, refreshButton } from '../../../src/cards/kit/card.ts';
import { defineAction, onPress, PageNumber } from '../../../src/command-kit/action.ts';
import { defineCommand } from '../../../src/command-kit/command.ts';
import type { Context } from '../../../src/command-kit/context.ts';
import { defaultSettings } from '../../../src/community/accounts/guild-settings.ts';
import { addOwnParts, addShareButton } from '../../../src/discord/interactions/share.ts';
import type { Commands } from '../../../src/discord/publish/load.ts';
import type { Visitor } from '../../../src/sandbox/chat/visitor/visitor.ts';
import { startLocalBot } from '../../support/local-bot.ts';
import { noHistory } from '../../support/no-history.ts';
import { button } from '../../support/readable.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');

/** A bot that lists drivers, one page each, and has something private to say. */
async function startBot() {
  const state = { hidden: '', asked: 0, fails: false, slow: Promise.resolve() };
  const list = async (page: number, { hidden }: Context) => {
    state.asked += 1;
    await state.slow;
    if (state.fails) throw new UserError('not now');
    const drivers = ['Ann', 'Ben'].filter((name) => !hidden.isHidden(name));
    const refresh = refreshButton({ command: 'list', action: 'page', number: page, subject: 'x' }, t);
    const next = { command: 'list', action: 'page', number: page + 1, subject: 'x', label: 'Next' };
    return {
      embeds: [{ title: `Page ${page}`, description: drivers.join(', ') }],
      components: [buttonRow(next, refresh)],
    };
  };
  const mine = async (context: Context) => ({
    ...(await list(0, context)),
    components: [buttonRow(refreshButton({ command: 'list', action: 'mine', subject: 'x' }, t))],
    ownButtons: buttonRow({ command: 'list', action: 'aside', subject: '', label: 'Mine' }),
    ownEmbeds: [{ title: 'Your page' }],
  });
  const actions = {
    page: defineAction({
      press: z.object({ number: PageNumber }),
      run: ({ number }, context) => list(number, context),
    }),
    mine: onPress(mine),
    aside: onPress(async (context) => ({ ...(await list(0, context)), ephemeral: true })),
  };
  const shown = { topic: 'servers', options: {}, actions, description: 'duty.description' } as const;
  const commands: Commands = new Map([
    ['list', defineCommand({ ...shown, visibility: 'choice', run: (_args, context) => list(0, context) })],
    [
      'names',
      defineCommand({
        ...{ ...shown, visibility: 'choice' },
        run: async () => ({
          content: 'Names',
          components: [buttonRow({ command: 'list', action: 'aside', subject: '', label: 'Aside' })],
        }),
      }),
    ],
    ['mine', defineCommand({ ...shown, visibility: 'shareable', run: (_args, context) => mine(context) })],
    ['own', defineCommand({ ...shown, visibility: 'private', run: (_args, context) => list(0, context) })],
  ]);
  const hidden = { ...noHistory.hidden, isHidden: (name: string) => name === state.hidden };
  const bot = await startLocalBot(commands, { hidden });
  return {
    ...bot,
    state,
    guildId: bot.chat.guilds[0]?.id ?? '',
    /** The bot's messages that another person sees. */
    seen: () => bot.manager.messages(bot.channel).filter(({ author }) => author.bot === true),
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  };
}

type Bot = Awaited<ReturnType<typeof startBot>>;

async function privately(bot: Bot, command = 'list'): Promise<APIMessage> {
  const options = command === 'list' ? [{ name: 'private', value: true }] : [];
  const { message } = await bot.neighbour.invoke(bot.channel, command, options);
  if (message === null) throw new Error('no reply');
  return message;
}

const labels = ({ components = [] }: APIMessage): readonly string[] =>
  components.flatMap((row) =>
    'components' in row ? row.components.flatMap((each) => ('label' in each ? (each.label ?? '') : '')) : [],
  );

const share = (person: Visitor, message: APIMessage) => person.press(message.id, button(message, 'Share'));

const now = (bot: Bot, { id }: APIMessage) =>
  bot.neighbour.messages(bot.channel).find((message) => message.id === id);

test('shows the private answer to everyone, says who shared it, and works once', async () => {
  await using bot = await startBot();
  const first = await privately(bot);
  expect(labels(first)).toEqual(['Next', 'Refresh', 'Share']);
  const second = await bot.neighbour.press(first.id, button(first, 'Next'));
  expect(bot.seen()).toEqual([]);
  const { message } = await share(bot.neighbour, second.message ?? first);
  expect(bot.seen().map(({ id }) => id)).toEqual([message?.id]);
  expect(message).toMatchObject({
    content: `-# Shared by <@${bot.neighbour.id}>`,
    mentions: [],
    embeds: [{ title: 'Page 1', description: 'Ann, Ben' }],
  });
  expect((message?.flags ?? 0) & MessageFlags.Ephemeral).toBe(0);
  expect(labels(bot.seen()[0] ?? first)).toEqual(['Next', 'Refresh']);
  await expect.poll(() => labels(now(bot, first) ?? first)).toEqual(['Next', 'Refresh', 'Shared']);
  const after = now(bot, first) ?? first;
  await expect(bot.neighbour.press(first.id, button(after, 'Shared'))).rejects.toThrow(/disabled/);
});

test('stands below a private answer to a press, and leaves the public message alone', async () => {
  await using bot = await startBot();
  const { message: list } = await bot.neighbour.invoke(bot.channel, 'names', []);
  if (list === null) throw new Error('no reply');
  const { message: aside } = await bot.neighbour.press(list.id, button(list, 'Aside'));
  expect(aside === null ? [] : labels(aside)).toEqual(['Next', 'Refresh', 'Share']);
  expect(bot.seen().map(labels)).toEqual([['Aside']]);
});

test('a double click shares once, also while the answer takes its time', async () => {
  await using bot = await startBot();
  const answer = await privately(bot);
  const slow = Promise.withResolvers<void>();
  bot.state.slow = slow.promise;
  const presses = [share(bot.neighbour, answer), share(bot.neighbour, answer)];
  const second = await Promise.race(presses);
  expect(second.message?.content).toBe("I'm already sharing this.");
  slow.resolve();
  await Promise.all(presses);
  expect(bot.seen()).toHaveLength(1);
});

test('works after a restart', async () => {
  await using bot = await startBot();
  const answer = await privately(bot);
  await bot.restart();
  await share(bot.neighbour, answer);
  expect(bot.seen()).toHaveLength(1);
});

test('leaves out who has been hidden since the private answer', async () => {
  await using bot = await startBot();
  const answer = await privately(bot);
  bot.state.hidden = 'Ann';
  const { message } = await share(bot.neighbour, answer);
  expect(message?.embeds[0]?.description).toBe('Ben');
});

test('after a failure nothing is shared, and it can be pressed again', async () => {
  await using bot = await startBot();
  const answer = await privately(bot);
  bot.state.fails = true;
  const failed = await share(bot.neighbour, answer);
  expect(failed.message?.content).toBe('not now');
  expect(bot.seen()).toEqual([]);
  bot.state.fails = false;
  await share(bot.neighbour, answer);
  expect(bot.seen()).toHaveLength(1);
});

/** What the person is told beside the answers themselves. */
const told = (bot: Bot): readonly string[] =>
  bot.neighbour
    .messages(bot.channel)
    .flatMap(({ content, embeds }) => (embeds.length === 0 ? [content] : []));
const doubt =
  "Discord didn't confirm that this was shared.\nLook in the channel before you press *Share* again.";

test.for(['post-500-after-create', 'post-502-after-create', 'post-lost'])(
  'posts once if Discord takes it silently (%s), and tells the person to look',
  async (fault) => {
    await using bot = await startBot();
    const answer = await privately(bot);
    bot.chat.setFault(fault, true, 1);
    await share(bot.neighbour, answer);
    await expect.poll(() => told(bot)).toEqual([doubt]);
    expect(bot.seen()).toHaveLength(1);
    expect(labels(now(bot, answer) ?? answer)).toContain('Share');
    // Only the person can say whether it has to be shared again.
    await share(bot.neighbour, answer);
    expect(bot.seen()).toHaveLength(2);
  },
);

test.for(['rest-500', 'rest-lost'])(
  'does not post again if Discord may have it (%s), until the person has looked',
  async (fault) => {
    await using bot = await startBot();
    const answer = await privately(bot);
    const stop = bot.chat.subscribe((event) => {
      if (event.type !== 'answered' || !event.request.path.includes('callback')) return;
      stop();
      bot.chat.setFault(fault, true, 1);
    });
    await share(bot.neighbour, answer);
    await expect.poll(() => told(bot)).toEqual([doubt]);
    expect(bot.seen()).toEqual([]);
    await share(bot.neighbour, answer);
    expect(bot.seen()).toHaveLength(1);
  },
);

test('is not offered if the person may not write, and refused if they no longer may', async () => {
  await using bot = await startBot();
  const answer = await privately(bot);
  bot.chat.moderator.setOverwrite(bot.channel, {
    ...{ id: bot.neighbour.id, type: 'member', allow: 0n, deny: PermissionFlagsBits.SendMessages },
  });
  const refused = await share(bot.neighbour, answer);
  expect(refused.message?.content).toMatch(/^You don't have permission to post in this channel/);
  expect(labels(await privately(bot))).toEqual(['Next', 'Refresh']);
  expect([bot.seen(), bot.state.asked]).toEqual([[], 2]);
});

test('is not offered if the server does not want it, and refused if it no longer does', async () => {
  await using bot = await startBot();
  const answer = await privately(bot);
  await bot.store.guildSettings.change(bot.guildId, { ...defaultSettings, sharing: false });
  const refused = await share(bot.neighbour, answer);
  expect(refused.message?.content).toBe('Private answers may not be shared in this server.');
  expect(labels(await privately(bot))).toEqual(['Next', 'Refresh']);
  expect(bot.seen()).toEqual([]);
});

test("is below others' answers from a public one, but not below that or a private one", async () => {
  await using bot = await startBot();
  const { message } = await bot.manager.invoke(bot.channel, 'list', []);
  if (message === null) throw new Error('no reply');
  expect(labels(message)).toEqual(['Next', 'Refresh']);
  const theirs = await bot.neighbour.press(message.id, button(message, 'Next'));
  expect(labels(theirs.message ?? message)).toEqual(['Next', 'Refresh', 'Share']);
  expect(labels(await privately(bot, 'own'))).toEqual(['Next', 'Refresh']);
  const direct = await bot.neighbour.invoke(bot.chat.directChannel(bot.neighbour.id), 'list', [
    { name: 'private', value: true },
  ]);
  expect(labels(direct.message ?? message)).toEqual(['Next', 'Refresh']);
});

test('buttons for the reader alone are below the private view only', async () => {
  await using bot = await startBot();
  const message = await privately(bot, 'mine');
  expect(labels(message)).toEqual(['Refresh', 'Share', 'Mine']);
  expect(message.embeds.map(({ title }) => title)).toEqual(['Your page']);
  await share(bot.neighbour, message);
  expect(bot.seen().flatMap(({ embeds }) => embeds.map(({ title }) => title))).toEqual(['Page 0']);
  expect(bot.seen().map(labels)).toEqual([['Refresh']]);
});

test.each([
  ['five full rows stay as they are', 5, 5],
  ['below four full rows the buttons get a row of their own', 4, 5],
])('%s', (_title, rowCount, expectedRows) => {
  const pages = (row: number) =>
    Array.from({ length: 4 }, (_, page) => ({
      command: 'list',
      action: `${page}`,
      subject: `${row}`,
      label: 'Page',
    }));
  const refresh = (row: number) => refreshButton({ command: 'list', action: 'page', subject: `${row}` }, t);
  const components = Array.from({ length: rowCount }, (_, row) => buttonRow(...pages(row), refresh(row)));
  const ownButtons = buttonRow({ command: 'list', action: 'aside', subject: '', label: 'Mine' });
  for (const changed of [addShareButton({ components }, t), addOwnParts({ components, ownButtons })]) {
    expect(changed.components?.slice(0, rowCount)).toEqual(components);
    expect(changed.components).toHaveLength(expectedRows);
  }
});
