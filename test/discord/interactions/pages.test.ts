/** A page's number between *Previous* and *Next*, which opens a menu of pages: over a local chat server, with a real client. */
import { type APIMessage, MessageFlags } from 'discord.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { buttonRow } from '../../../src/cards/kit/card.ts';
import { pageLabel, pageOf, turnsAndRefresh } from '../../../src/cards/kit/paging.ts';
import { defineAction, PageNumber } from '../../../src/command-kit/action.ts';
import { defineCommand } from '../../../src/command-kit/command.ts';
import type { Commands } from '../../../src/discord/publish/load.ts';
import { startLocalBot } from '../../support/local-bot.ts';
import { button, controls } from '../../support/readable.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');

/** A bot with a list of so many pages, about a driver whose name holds what separates the parts of an id. */
async function startBot(pages: number) {
  const list = { pages };
  const show = async (wanted: number, subject: string) => {
    const page = pageOf(Array(list.pages).fill(null), 1, wanted);
    return {
      content: `${subject} ${pageLabel(page, t) ?? ''}`,
      components: [buttonRow(...turnsAndRefresh(page, { command: 'list', subject }, t))],
    };
  };
  const commands: Commands = new Map([
    [
      'list',
      defineCommand({
        ...{ description: 'duty.description', topic: 'servers', visibility: 'choice', options: {} },
        run: () => show(0, '4:a:b'),
        actions: {
          page: defineAction({
            press: z.object({ number: PageNumber, subject: z.string() }),
            run: ({ number, subject }) => show(number, subject),
          }),
        },
      }),
    ],
  ]);
  const bot = await startLocalBot(commands);
  return { ...bot, list, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() };
}

type Bot = Awaited<ReturnType<typeof startBot>>;

async function asked(bot: Bot, isPrivate = false): Promise<APIMessage> {
  const { message } = await bot.manager.invoke(bot.channel, 'list', [{ name: 'private', value: isPrivate }]);
  if (message === null) throw new Error('no reply');
  return message;
}

test.each([
  [1, []],
  [2, ['◀ Previous', 'Next ▶']],
  [3, ['◀ Previous', '1 / 3', 'Next ▶']],
])('stands there with three pages or more: of %i', async (pages, turns) => {
  await using bot = await startBot(pages);
  const labels = controls(await asked(bot)).map(({ label }) => label);
  expect(labels).toEqual([...turns, 'Refresh']);
});

/** Presses the page's number: the pages of the menu that follows in its row. */
async function opened(person: Bot['manager'], message: APIMessage, label: string) {
  const { message: now } = await person.press(message.id, button(message, label));
  const menus = now === null ? [] : controls(now).filter(({ values }) => values.length > 0);
  const [menu] = menus;
  if (now === null || menu === undefined) throw new Error('no menu');
  const choose = (page: number) => person.press(now.id, menu.customId, [String(page - 1)]);
  return { message: now, choose, pages: menu.values.map((value) => Number(value) + 1) };
}

test('leads to a menu of all pages, and that to the chosen page of the same message', async () => {
  await using bot = await startBot(25);
  const message = await asked(bot);
  const second = await bot.manager.press(message.id, button(message, 'Next'));
  const menu = await opened(bot.manager, second.message ?? message, '2 / 25');
  expect(menu.message).toMatchObject({ id: message.id, content: '4:a:b Page 2 of 25' });
  expect(JSON.stringify(menu.message.components)).toMatch(
    /"placeholder":"Page 2 of 25".*"label":"Page 17 of 25"/,
  );
  expect(controls(menu.message)).toHaveLength(1);
  expect(menu.pages).toEqual(Array.from({ length: 25 }, (_, at) => at + 1));
  const turned = await menu.choose(17);
  expect(turned.message).toMatchObject({ id: message.id, content: '4:a:b Page 17 of 25' });
  expect(controls(turned.message ?? message).map(({ label }) => label)).toContain('17 / 25');
});

test.each([26, 99, 1000, 9999])(
  "offers of %i pages the first, the last, some between, and the current one's",
  async (most) => {
    await using bot = await startBot(most);
    const message = await asked(bot);
    const far = await opened(bot.manager, message, '1 / ');
    expect(far.pages).toEqual(expect.arrayContaining([1, 2, 3, 4, 5, most]));
    const middle = far.pages.find((page) => page > 10) ?? 0;
    const turned = await far.choose(middle);
    const there = await opened(bot.manager, turned.message ?? message, ' / ');
    expect(there.pages).toEqual(expect.arrayContaining([1, middle - 4, middle + 4, most]));
    expect(there.pages.length).toBeGreaterThan(15);
    const end = await there.choose(most);
    expect(controls(end.message ?? message).map(({ label }) => label)).toContain(
      [most, most].map((page) => new Intl.NumberFormat('en-GB').format(page)).join(' / '),
    );
  },
);

test('leads to the last page where the list has become shorter, also after a restart', async () => {
  await using bot = await startBot(20);
  const message = await asked(bot);
  await bot.restart();
  const { choose } = await opened(bot.manager, message, '1 / 20');
  bot.list.pages = 4;
  expect((await choose(20)).message?.content).toContain('Page 4 of 4');
});

test("turns nobody else's message: they get their own", async () => {
  await using bot = await startBot(5);
  const message = await asked(bot);
  const { message: own, choose } = await opened(bot.neighbour, message, '1 / 5');
  expect(own.id).not.toBe(message.id);
  expect((own.flags ?? 0) & MessageFlags.Ephemeral).not.toBe(0);
  const turned = await choose(4);
  expect(turned.message).toMatchObject({ id: own.id });
  expect(turned.message?.content).toContain('Page 4 of 5');
  expect(controls(turned.message ?? own).at(-1)?.label).toBe('Share');
});

test('turns a private answer in its place', async () => {
  await using bot = await startBot(5);
  const message = await asked(bot, true);
  const { choose } = await opened(bot.manager, message, '1 / 5');
  const turned = await choose(3);
  expect(turned.message).toMatchObject({ id: message.id });
  expect(turned.message?.content).toContain('Page 3 of 5');
});
