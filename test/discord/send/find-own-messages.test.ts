import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { createConnection } from '../../../src/discord/connection.ts';
import { createBoardChannels } from '../../../src/discord/send/board-channels.ts';
import { listenOnFreePort } from '../../support/listen.ts';

const MINUTE = 60_000;
const SENT = Date.UTC(2026, 0, 10, 12);
const BOT = '100000000000000001';
const MARKER = '1:board:refresh:x';

/** An id of that moment by Discord's clock. */
const idAt = (ms: number): string => String(BigInt(ms - Date.UTC(2015, 0)) << 22n);

const ofBoard = (author: string, sentAt: number) => ({
  ...{ id: idAt(sentAt), author: { id: author } },
  components: [{ components: [{ custom_id: MARKER }] }],
});

/** A busy channel: the bot's message came first, and 150 of other people in the hour after it. */
function channelOf(sentAt: number) {
  const chatter = Array.from({ length: 150 }, (_, index) => ({
    id: idAt(sentAt + (index + 1) * 1000),
    author: { id: '5' },
    components: [],
  }));
  return [ofBoard(BOT, sentAt), ...chatter].toReversed();
}

/** What is found in a channel with these messages, the newest first, and after how many requests. */
async function search(messages: readonly { readonly id: string }[]) {
  let requests = 0;
  const server = createServer(({ url = '' }, answer) => {
    requests += 1;
    const { searchParams } = new URL(url, 'http://discord');
    const before = searchParams.get('before');
    const from = before === null ? 0 : messages.findIndex(({ id }) => id === before) + 1;
    const page = messages.slice(from, from + Number(searchParams.get('limit')));
    answer.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(page));
  });
  const port = await listenOnFreePort(server);
  onTestFinished(() => void server.close());
  const apiUrl = `http://127.0.0.1:${port}/api`;
  const log = createLog({ level: 'silent', secrets: [] });
  const connection = createConnection({ token: 'secret', apiUrl, log });
  onTestFinished(() => connection.close());
  const guilds = { ...connection, userId: () => BOT };
  const boards = createBoardChannels({ guilds, token: 'secret', apiUrl });
  return { ...(await boards.find('9', MARKER, SENT)), requests };
}

/** What is found of a message that by our clock was sent at noon, and by Discord's so many ms earlier. */
const found = (behind: number) => search(channelOf(SENT - behind));

test('a message is found whose time Discord puts up to five minutes before ours', async () => {
  for (const behind of [0, 2 * MINUTE, 4 * MINUTE])
    expect(await found(behind)).toEqual({ kind: 'found', messageIds: [idAt(SENT - behind)], requests: 2 });
});

test('the search ends at the first page that is older than that', async () => {
  expect(await found(10 * MINUTE)).toEqual({ kind: 'found', messageIds: [], requests: 1 });
});

test('the same message of another bot in the channel is not taken for the own one', async () => {
  const other = await search([ofBoard('100000000000000002', SENT)]);
  expect(other).toMatchObject({ kind: 'found', messageIds: [] });
  expect(await search([ofBoard(BOT, SENT)])).toMatchObject({ kind: 'found', messageIds: [idAt(SENT)] });
});
