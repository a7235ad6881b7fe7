/** A chat server with so many guilds, each with a board whose message has been there for a while. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { newBoardOptions, newState } from '../../../src/board/board-records.ts';
import { createStoredBoards } from '../../../src/board/stored-boards.ts';
import { type LocalChat, startChatServer } from '../../../src/sandbox/chat/chat-server.ts';
import { ledgerTables } from '../../../src/service/budget/ledger/sqlite-statements.ts';
import { unfenced } from '../../../src/shards/fence.ts';
import { openDatabase } from '../../../src/store/sqlite/database.ts';
import { createSqliteDocuments } from '../../../src/store/sqlite/documents.ts';
import { storeFormat } from '../../../src/store/sqlite/format.ts';
import { prepareFile } from '../../../src/store/sqlite/prepare-file.ts';

/** Below Discord's 50 requests a second. */
const POSTS_A_SECOND = 40;

export interface ServersWithBoards {
  readonly chat: LocalChat;
  /** With the store of the bot. */
  readonly folder: string;
  readonly storeUrl: string;
  /** Where the boards are. */
  readonly channels: ReadonlySet<string>;
}

export async function createServersWithBoards(boards: number): Promise<ServersWithBoards> {
  // The server's clock runs ahead by the seconds that posting so many messages would take.
  let ahead = 0;
  const chat = await startChatServer({ guilds: boards, now: () => Date.now() + ahead });
  const folder = await mkdtemp(join(tmpdir(), 'pitwall-boards-'));
  const file = join(folder, 'store.sqlite');
  prepareFile(file, storeFormat(ledgerTables)).close();
  const database = openDatabase(file, { durable: false });
  const boardsIn = createStoredBoards(createSqliteDocuments(database, { file, clock: systemClock }));
  const [madeBy = ''] = chat.people;
  const channels = new Set<string>();
  for (const { id: guildId, channels: own } of chat.guilds) {
    const channelId = own[1]?.id ?? '';
    if (channels.size % POSTS_A_SECOND === POSTS_A_SECOND - 1) ahead += 1000;
    const posted = await post(chat, channelId);
    const madeAt = Date.now();
    const made = { locale: 'en-GB', madeAt, removed: false, options: newBoardOptions };
    await boardsIn.add({ guildId, channelId, madeBy, ...made });
    await boardsIn.saveState(channelId, { ...newState, posted }, unfenced);
    channels.add(channelId);
  }
  database.close();
  return { chat, folder, storeUrl: `sqlite://${file}`, channels };
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
