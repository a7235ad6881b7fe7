/** A page's number between *Previous* and *Next*, which asks for another page: over a local chat server, with a real client. */
import { type APIMessage, ComponentType, MessageFlags } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineAction, PageNumber } from '../../../src/app/action.ts';
import { defineCommand } from '../../../src/app/command.ts';
import { buttons } from '../../../src/cards/kit/card.ts';
import { pageLabel, pageOf, turnsAndRefresh } from '../../../src/cards/kit/paging.ts';
import type { Commands } from '../../../src/discord/publish/load.ts';
import { createTranslators } from '../../../src/i18n/translator.ts';
import { startingValue } from '../../../src/sandbox/chat/visitor/submitted-form.ts';
import type { Outcome } from '../../../src/sandbox/chat/visitor/visitor.ts';
import { startLocalBot } from '../../support/local-bot.ts';
import { button, controls } from '../../support/readable.ts';

const t = createTranslators()('en-GB');

/** A bot with a list of so many pages, about a driver whose name holds what separates the parts of an id. */
async function startBot(pages: number) {
  const list = { pages };
  const show = async (wanted: number, subject: string) => {
    const page = pageOf(Array(list.pages).fill(null), 1, wanted);
    return {
      content: `${subject} ${pageLabel(page, t) ?? ''}`,
      components: [buttons(...turnsAndRefresh(page, { command: 'list', subject }, t))],
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

function field({ form }: Outcome) {
  const component = form?.components[0]?.component;
  if (component === undefined) throw new Error('no form');
  return component;
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

test('asks with a menu that holds the page of now, and turns the same message to the chosen one', async () => {
  await using bot = await startBot(25);
  const message = await asked(bot);
  const second = await bot.manager.press(message.id, button(message, 'Next'));
  const opened = await bot.manager.press(message.id, button(second.message ?? message, '2 / 25'));
  expect(opened.form?.title).toBe('Go to page');
  const menu = field(opened);
  if (menu.type !== ComponentType.StringSelect) throw new Error('no menu');
  expect(menu.options).toHaveLength(25);
  expect(menu.options.find(({ value }) => value === startingValue(menu))?.label).toBe('Page 2 of 25');
  const turned = await bot.manager.submit(opened.interactionId, { page: '17' });
  expect(turned.message).toMatchObject({ id: message.id, content: '4:a:b Page 17 of 25' });
});

test.each([
  ['30', 'Page 30 of 30'],
  [' 7 ', 'Page 7 of 30'],
  ['99999', 'Page 30 of 30'],
  ['0', 'Page 1 of 30'],
])('with more pages than a menu holds, %j is typed', async (typed, says) => {
  await using bot = await startBot(30);
  const message = await asked(bot);
  const opened = await bot.manager.press(message.id, button(message, '1 / 30'));
  expect(field(opened).type).toBe(ComponentType.TextInput);
  expect(opened.form?.components[0]?.description).toBe('From 1 to 30');
  const turned = await bot.manager.submit(opened.interactionId, { page: typed });
  expect(turned.message).toMatchObject({ id: message.id, content: `4:a:b ${says}` });
});

test.each(['two', '-1', '1.5'])('%j is not a page, and only that person learns so', async (typed) => {
  await using bot = await startBot(30);
  const message = await asked(bot);
  const opened = await bot.manager.press(message.id, button(message, '1 / 30'));
  const refused = await bot.manager.submit(opened.interactionId, { page: typed });
  expect(refused.message?.content).toBe('Type a page number from 1 to 30.');
  expect((refused.message?.flags ?? 0) & MessageFlags.Ephemeral).not.toBe(0);
});

test('leads to the last page where the list has become shorter, also after a restart', async () => {
  await using bot = await startBot(20);
  const message = await asked(bot);
  await bot.restart();
  const opened = await bot.manager.press(message.id, button(message, '1 / 20'));
  bot.list.pages = 4;
  const turned = await bot.manager.submit(opened.interactionId, { page: '20' });
  expect(turned.message?.content).toContain('Page 4 of 4');
});

test("turns nobody else's message: they get their own, which they can share", async () => {
  await using bot = await startBot(5);
  const message = await asked(bot);
  const opened = await bot.neighbour.press(message.id, button(message, '1 / 5'));
  const { message: own } = await bot.neighbour.submit(opened.interactionId, { page: '4' });
  expect(own?.content).toContain('Page 4 of 5');
  expect(own?.id).not.toBe(message.id);
  expect((own?.flags ?? 0) & MessageFlags.Ephemeral).not.toBe(0);
  expect(controls(own ?? message).at(-1)?.label).toBe('Share');
});

test('turns a private answer in its place', async () => {
  await using bot = await startBot(5);
  const message = await asked(bot, true);
  const opened = await bot.manager.press(message.id, button(message, '1 / 5'));
  const turned = await bot.manager.submit(opened.interactionId, { page: '3' });
  expect(turned.message).toMatchObject({ id: message.id });
  expect(turned.message?.content).toContain('Page 3 of 5');
});
