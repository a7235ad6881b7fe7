import { test as base, expect, vi } from 'vitest';
import type { PostgresAddress } from '../../src/base/config/store-place.ts';
import type { LocalChat } from '../../src/sandbox/chat/chat-server.ts';
import { type DataService, startDataService } from '../../src/sandbox/service/data-service.ts';
import { shardOf } from '../../src/store/shards/shard.ts';
import { type Bot, createBot } from './bot.ts';
import { startChatServer } from './outside-judge.ts';
import { createDatabase, createPostgres, type PostgresServer, type TestDatabase } from './postgres.ts';
import { type Guest, guest } from './sandbox.ts';

/** What a bot prints, by the part that it has. */
const SIGNS = { active: '"msg":"ready"', standby: '"msg":"stands by', refused: 'Pitwall cannot run' };

export const PASSWORD = 'of the store %&';

/**
 * One PostgreSQL, one data service, one local chat server with two shards, and as many real bots over them as a test
 * starts.
 */
export interface SharedStore {
  readonly dataService: DataService;
  readonly postgres: PostgresServer & Pick<TestDatabase, 'query'>;
  readonly chat: LocalChat;
  /** Resolves when the bot is ready, when it waits for its shards, or when it says that another process has them. */
  startBot(
    shards?: string,
    role?: keyof typeof SIGNS,
    name?: string,
    place?: Pick<PostgresAddress, 'host' | 'port'>,
  ): Promise<Bot>;
  /** A person in a guild of the first shard, and the same person in one of the second. */
  readonly here: Guest;
  readonly there: Guest;
}

/** Until it is disposed of. */
export async function openSharedStore(): Promise<SharedStore & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const server = createPostgres();
  opening.defer(server.end);
  await server.start();
  const database = await createDatabase(server);
  const dataService = await startDataService({ slowness: 1000 });
  opening.defer(() => dataService.close());
  const chat = await startChatServer({ guilds: 8, shards: 2, maxConcurrency: 2 });
  opening.defer(() => chat.close());
  const url = database.url.replace('@', `:${encodeURIComponent(PASSWORD)}@`);
  const bots = opening.use(new AsyncDisposableStack());
  const startBot = async (
    SHARDS = 'auto',
    role: keyof typeof SIGNS = 'active',
    name: string | null = null,
    place: Pick<PostgresAddress, 'host' | 'port'> | null = null,
  ): Promise<Bot> => {
    const STORE_URL =
      place === null ? url : `postgres://pitwall@${place.host}:${place.port}/${database.address.database}`;
    const bot = bots.use(
      await createBot(chat, dataService, {
        ...{ STORE_URL, SHARDS },
        ...(name === null ? {} : { DISCORD_API_URL: chat.apiUrlOf(name) }),
      }),
    );
    await bot.start();
    // The local chat server is ready with its first bot.
    await vi.waitFor(() => expect(bot.output).toContain(SIGNS[role]), { timeout: 20_000 });
    return bot;
  };
  const on = (id: number): Guest => {
    const guild = chat.guilds.find((each) => shardOf(each.id, 2).id === id);
    return guest(chat, chat.people[0] ?? '', guild?.channels);
  };
  const open = opening.move();
  return {
    ...{
      dataService,
      postgres: { ...server, query: database.query },
      chat,
      startBot,
      here: on(0),
      there: on(1),
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

export const test = base.extend<{ shared: SharedStore }>({
  shared: async ({ task: _ }, use) => {
    await using shared = await openSharedStore();
    await use(shared);
  },
});
