import { test as base } from 'vitest';
import { type ChatServer, startChatServer } from '../../src/sandbox/chat/chat-server.ts';
import { type DataService, startDataService } from '../../src/sandbox/service/data-service.ts';
import { type Bot, createBot } from './bot.ts';

interface Sandbox {
  readonly dataService: DataService;
  readonly chat: ChatServer;
  /** Running and ready when the test begins. */
  readonly bot: Bot;
}

/** A test over the whole: data service, chat server, and the real bot between them. */
export const test = base.extend<Sandbox>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from this pattern
  dataService: async ({}, use) => {
    const dataService = await startDataService();
    await use(dataService);
    await dataService.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from this pattern
  chat: async ({}, use) => {
    const chat = await startChatServer();
    await use(chat);
    await chat.close();
  },
  bot: async ({ chat, dataService }, use) => {
    await using bot = await createBot(chat, dataService);
    await bot.start();
    await use(bot);
  },
});
