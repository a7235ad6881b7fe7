import { expect, test } from 'vitest';
import { findOwnMessages } from '../../../src/discord/send/board-channels.ts';

const MINUTE = 60_000;
const SENT = Date.UTC(2026, 0, 10, 12);
const BOT = '100000000000000001';
const MARKER = '1:board:refresh:x';

/** An id of that moment by Discord's clock. */
const idAt = (ms: number): string => String(BigInt(ms - Date.UTC(2015, 0)) << 22n);

/** A busy channel: the bot's message came first, and 150 of other people in the hour after it. */
function channelOf(sentAt: number) {
  const chatter = Array.from({ length: 150 }, (_, index) => ({
    id: idAt(sentAt + (index + 1) * 1000),
    author: { id: '5' },
    components: [],
  }));
  const own = {
    id: idAt(sentAt),
    author: { id: BOT },
    components: [{ components: [{ custom_id: MARKER }] }],
  };
  return [own, ...chatter].toReversed();
}

/** What is found of a message that by our clock was sent at noon, and by Discord's so many ms earlier. */
async function found(behind: number) {
  const messages = channelOf(SENT - behind);
  let requests = 0;
  const { kind, ...rest } = await findOwnMessages(
    async (_method, _route, { query } = {}) => {
      requests += 1;
      const before = query?.get('before') ?? null;
      const from = before === null ? 0 : messages.findIndex(({ id }) => id === before) + 1;
      return { kind: 'answered', body: messages.slice(from, from + 100) };
    },
    { channelId: '9', authorId: BOT, marker: MARKER, since: SENT },
  );
  return { kind, ...rest, requests };
}

test('a message is found whose time Discord puts up to five minutes before ours', async () => {
  for (const behind of [0, 2 * MINUTE, 4 * MINUTE])
    expect(await found(behind)).toEqual({ kind: 'found', messageIds: [idAt(SENT - behind)], requests: 2 });
});

test('the search ends at the first page that is older than that', async () => {
  expect(await found(10 * MINUTE)).toEqual({ kind: 'found', messageIds: [], requests: 1 });
});

test('the same message of another bot in the channel is not taken for the own one', async () => {
  const message = (author: string) => ({
    ...{ id: idAt(SENT), author: { id: author } },
    components: [{ components: [{ custom_id: MARKER }] }],
  });
  const search = (author: string) =>
    findOwnMessages(async () => ({ kind: 'answered', body: [message(author)] }), {
      ...{ channelId: '9', authorId: BOT, marker: MARKER, since: SENT },
    });
  expect(await search('100000000000000002')).toEqual({ kind: 'found', messageIds: [] });
  expect(await search(BOT)).toEqual({ kind: 'found', messageIds: [idAt(SENT)] });
});
