/** A chat server with so many guilds, each with a board whose message has been there for a while, and the bot's store. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { type BoardOptions, newBoardOptions, newBoardState } from '../../../src/cards/board/board.ts';
import { createStoredBoards } from '../../../src/messages/boards/stored-boards.ts';
import { type LocalChat, startChatServer } from '../../../src/sandbox/chat/chat-server.ts';
import { ledgerTables } from '../../../src/service/budget/ledger/tables.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import { openDatabase } from '../../../src/store/sqlite/database.ts';
import { storeFormat } from '../../../src/store/sqlite/format.ts';
import { prepareFile } from '../../../src/store/sqlite/prepare-file.ts';
import { createSqliteSql } from '../../../src/store/sqlite/sql.ts';
import { createDocuments } from '../../../src/store/tables/documents.ts';
import { ownRange } from '../../support/own-range.ts';
import { createDatabase, createPostgres } from '../../support/postgres.ts';
import type { Load } from './load.ts';

/** Below Discord's 50 requests a second. */
const POSTS_A_SECOND = 40;
/** The server of a board that stands still: one without a live file, which is hardly ever used. */
const STILL: Partial<BoardOptions> = { servers: ['training'], members: 'off' };

export interface ServersWithBoards {
  readonly chat: LocalChat;
  /** With the store of the bot. */
  readonly folder: string;
  readonly storeUrl: string;
  /** The channels of the boards that show what changes. */
  readonly channels: ReadonlySet<string>;
  /** Transactions of the database; 0 with a file. */
  commands(): Promise<number>;
  /** Has a person set one of the boards otherwise in another process; does nothing with a file. */
  setOne(): Promise<void>;
  close(): Promise<void>;
}

/** One process has a file; more of them share a PostgreSQL and as many shards. `changing`: of how many something changes. */
export async function createServersWithBoards(
  boards: number,
  { changing = boards, processes = 1 }: Partial<Load> = {},
): Promise<ServersWithBoards> {
  // The server's clock runs ahead by the seconds that posting so many messages would take.
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const chat = await startChatServer({
    ...{ guilds: boards, now },
    ...(processes > 1 && { shards: processes, maxConcurrency: processes }),
  });
  const folder = await mkdtemp(join(tmpdir(), 'pitwall-boards-'));
  const store = await (processes === 1 ? withFile(folder) : withPostgres());
  const stored = createStoredBoards(store.documents);
  const [madeBy = ''] = chat.people;
  const channels = new Set<string>();
  for (const [index, { id: guildId, channels: own }] of chat.guilds.entries()) {
    const channelId = own[1]?.id ?? '';
    if (index % POSTS_A_SECOND === POSTS_A_SECOND - 1) ahead += 1000;
    const posted = await post(chat, channelId);
    const changes = index % Math.round(boards / changing) === 0;
    const options = changes ? newBoardOptions : { ...newBoardOptions, ...STILL };
    const made = { locale: 'en-GB', colours: true, madeAt: Date.now() - 60_000, removed: false, options };
    await stored.add({ guildId, channelId, madeBy, ...made });
    await stored.saveState(channelId, { ...newBoardState, posted });
    if (changes) channels.add(channelId);
  }
  await store.written();
  let set = 0;
  return {
    ...{ chat, folder, channels },
    storeUrl: store.url,
    commands: store.commands,
    async setOne() {
      if (processes === 1) return;
      set += 1;
      const channelId = chat.guilds[(set * 7) % boards]?.channels[1]?.id ?? '';
      await stored.change(channelId, (settings) => ({ ...settings, madeBy: `${set}` }));
    },
    async close() {
      await chat.close();
      await store.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const log = createLog({ level: 'error', secrets: [] });

async function withFile(folder: string) {
  const file = join(folder, 'store.sqlite');
  prepareFile(file, storeFormat(ledgerTables));
  const database = openDatabase(file, { durable: false });
  return {
    documents: createDocuments(createSqliteSql(database, systemClock)),
    url: `sqlite://${file}`,
    written: async () => database.close(),
    commands: async () => 0,
    end: async () => {},
  };
}

async function withPostgres() {
  const server = createPostgres();
  await server.start();
  const { address, url, query } = await createDatabase(server);
  const { documents, close } = await openPostgresStores(
    address,
    { clock: systemClock, log, ...ownRange() },
    ledgerTables,
  );
  return {
    ...{ documents, url, written: async () => {} },
    async commands() {
      const [row] = await query(
        'SELECT xact_commit AS count FROM pg_stat_database WHERE datname = current_database()',
      );
      return Number(row?.['count']);
    },
    async end() {
      await close();
      await server.end();
    },
  };
}

async function post({ apiUrl, token, visitor, people }: LocalChat, channelId: string): Promise<string> {
  const response = await fetch(`${apiUrl}/v10/channels/${channelId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'A board.' }),
  });
  if (response.status !== 200) throw new Error(`no message in ${channelId}: ${response.status}`);
  return (
    visitor(people[0] ?? '')
      .messages(channelId)
      .at(-1)?.id ?? ''
  );
}
