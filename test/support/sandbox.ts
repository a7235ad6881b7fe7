import { type APIMessage, ChannelType, MessageFlags } from 'discord.js';
import { test as base, expect } from 'vitest';
import type { LocalChat } from '../../src/sandbox/chat/chat-server.ts';
import type { Filled } from '../../src/sandbox/chat/visitor/submitted-form.ts';
import type { Outcome } from '../../src/sandbox/chat/visitor/visitor.ts';
import { type DataService, startDataService } from '../../src/sandbox/service/data-service.ts';
import { type Bot, createBot } from './bot.ts';
import { type BotWithin, createBotWithin } from './bot-within.ts';
import { startChatServer } from './outside-judge.ts';
import { button, menu, readable } from './readable.ts';

interface Sandbox {
  readonly dataService: DataService;
  readonly chat: LocalChat;
  /** Running and ready when the test begins, in the tests' own process. */
  readonly bot: BotWithin;
  /** The same as a process of its own, for what only that shows: its end, all of its output. */
  readonly botProcess: Bot;
  /** A member of the community, in the first channel. */
  readonly visitor: Guest;
  /** Another one, who reads English as well, and manages nothing. */
  readonly neighbour: Guest;
}

/** A person on the local chat server, with short names for common test steps. */
export interface Guest {
  readonly id: string;
  /** Where it talks: the first text channel. */
  readonly channelId: string;
  /** Invokes a slash command in the first channel. */
  ask(command: string, options: Readonly<Record<string, string | number | boolean>>): Promise<Answered>;
  /** The same in the direct conversation with the bot. */
  askDirectly(
    command: string,
    options: Readonly<Record<string, string | number | boolean>>,
  ): Promise<Answered>;
  /** Opens the window of a command in the first channel, and sends it with these values in place of those that it shows. */
  fillIn(command: string, values: Readonly<Record<string, string | readonly string[]>>): Promise<Answered>;
  /** Opens the menu on a person and picks that entry. */
  open(entry: string, personId: string): Promise<Answered>;
  press(message: APIMessage, label: string): Promise<Answered>;
  /** Opens a form by a button, and sends it with these values. */
  fill(message: APIMessage, label: string, values: Filled): Promise<Answered>;
  /** Chooses in the only menu of a message. */
  choose(message: APIMessage, value: string): Promise<Answered>;
  suggestions(command: string, option: string, typed: string): Promise<readonly string[]>;
}

export interface Answered {
  readonly acknowledged: Outcome['acknowledged'];
  readonly message: APIMessage;
  /** All that the person reads. */
  readonly text: string;
  readonly private: boolean;
}

function answered(outcome: Outcome): Answered {
  const { message, acknowledged } = outcome;
  if (message === null) throw new Error(`no message came of it: ${acknowledged}`);
  const isPrivate = ((message.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  return { acknowledged, message, text: readable(message), private: isPrivate };
}

export function guest(chat: LocalChat, userId: string, channels = chat.channels): Guest {
  const visitor = chat.visitor(userId);
  const channelId = channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '';
  return {
    id: userId,
    channelId,
    async ask(command, options) {
      const typed = Object.entries(options).map(([name, value]) => ({ name, value }));
      return answered(await visitor.invoke(channelId, command, typed));
    },
    async askDirectly(command, options) {
      const typed = Object.entries(options).map(([name, value]) => ({ name, value }));
      return answered(await visitor.invoke(chat.directChannel(userId), command, typed));
    },
    async fillIn(command, values) {
      const { interactionId } = await visitor.invoke(channelId, command, []);
      return answered(await visitor.submit(interactionId, values));
    },
    async open(entry, personId) {
      return answered(await visitor.invokeOn(channelId, entry, personId));
    },
    async press(message, label) {
      return answered(await visitor.press(message.id, button(message, label)));
    },
    async fill(message, label, values) {
      const { interactionId } = await visitor.press(message.id, button(message, label));
      return answered(await visitor.submit(interactionId, values));
    },
    async choose(message, value) {
      return answered(await visitor.press(message.id, menu(message), [value]));
    },
    async suggestions(command, option, typed) {
      const choices = await visitor.complete(channelId, command, [{ name: option, value: typed }], option);
      return choices.map(({ value }) => String(value));
    },
  };
}

/** The channel for boards in the tests: nobody writes there. */
export function boardChannel({ channels }: LocalChat): string {
  return channels.filter(({ type }) => type === ChannelType.GuildText).at(-1)?.id ?? '';
}

/** The bot's messages that everybody there may read, oldest first. */
export function postedIn(chat: LocalChat, channelId: string): readonly APIMessage[] {
  const messages = chat.visitor(chat.people[0] ?? '').messages(channelId);
  return messages.filter(({ author }) => author.bot === true);
}

/** Until the bot has acknowledged an interaction. */
export function acknowledgement(chat: LocalChat): Promise<void> {
  return new Promise((resolve) => {
    const stop = chat.subscribe((event) => {
      if (event.type !== 'payload' || !event.path.includes('callback')) return;
      stop();
      resolve();
    });
  });
}

/** Requests with the key, without those of the polls: live files are read all the time, and cost nothing. */
export function questions({ requests }: DataService): DataService['requests'] {
  return requests.filter(({ path }) => !path.startsWith('/json/') && !path.endsWith('/live/status'));
}

/** A clock that goes on from one evening, so that the same people are on the road whenever the tests run. */
export function evening(): () => number {
  const began = performance.now();
  return () => Date.UTC(2026, 2, 7, 19) + performance.now() - began;
}

/** Until the bot has set its status line; from then on it asks nothing by itself for a minute. */
async function atRest(chat: LocalChat): Promise<void> {
  await expect.poll(() => chat.presence?.activities ?? []).toHaveLength(1);
}

/** A test of the whole: data service, local chat server, and the real bot between them. */
export const test = base.extend<Sandbox>({
  dataService: async ({ task: _ }, use) => {
    const dataService = await startDataService({ now: evening() });
    await use(dataService);
    await dataService.close();
  },
  chat: async ({ task: _ }, use) => {
    const chat = await startChatServer();
    await use(chat);
    await chat.close();
  },
  bot: async ({ chat, dataService }, use) => {
    await using bot = await createBotWithin(chat, dataService);
    await bot.start();
    await atRest(chat);
    await use(bot);
  },
  botProcess: async ({ chat, dataService }, use) => {
    await using bot = await createBot(chat, dataService);
    await bot.start();
    await atRest(chat);
    await use(bot);
  },
  visitor: async ({ chat }, use) => {
    await use(guest(chat, chat.people[0] ?? ''));
  },
  neighbour: async ({ chat }, use) => {
    await use(guest(chat, chat.people[3] ?? ''));
  },
});
