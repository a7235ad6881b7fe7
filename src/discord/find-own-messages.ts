import { makeURLSearchParams } from '@discordjs/rest';
import { Routes } from 'discord-api-types/v10';
import { z } from 'zod';
import { MINUTE } from '../base/duration.ts';
import type { Found } from '../board/channels.ts';
import type { RestOnce } from './rest-once.ts';

const PAGE = 100;
/** Searches up to a thousand messages for one whose id was not stored. */
const PAGES = 10;
/** Discord's clock and ours may differ. */
const SKEW = 5 * MINUTE;

const Messages = z.array(
  z.object({
    id: z.string(),
    author: z.object({ id: z.string() }),
    components: z
      .array(z.object({ components: z.array(z.object({ custom_id: z.string().optional() })).catch([]) }))
      .catch([]),
  }),
);

/** Ids hold the milliseconds since this moment, from the 22nd bit on. */
const DISCORD_EPOCH = Date.UTC(2015, 0);

interface Wanted {
  readonly channelId: string;
  readonly authorId: string | undefined;
  /** The custom id of one of its buttons. */
  readonly marker: string;
  /** The earliest time it can have been sent, in unix milliseconds. */
  readonly since: number;
}

/** Searches a channel backwards, page by page. */
export async function findOwnMessages(ask: RestOnce['ask'], wanted: Wanted): Promise<Found> {
  const { channelId, authorId, marker, since } = wanted;
  const oldest = BigInt(since - SKEW - DISCORD_EPOCH) << 22n;
  const found: string[] = [];
  let before: string | undefined;
  for (let page = 0; page < PAGES; page += 1) {
    const query = makeURLSearchParams({ limit: PAGE, before });
    const answer = await ask('get', Routes.channelMessages(channelId), { query });
    if (answer.kind !== 'answered') return answer;
    const messages = Messages.safeParse(answer.body);
    if (!messages.success) return { kind: 'lost', why: 'an unreadable answer' };
    if (page === 0 && messages.data.length === 0) return foundNothing(ask, channelId);
    const own = messages.data.filter(
      ({ author, components }) =>
        author.id === authorId &&
        components.some((row) => row.components.some(({ custom_id }) => custom_id === marker)),
    );
    found.unshift(...own.map(({ id }) => id).toReversed());
    before = messages.data.at(-1)?.id;
    if (messages.data.length < PAGE || before === undefined || BigInt(before) < oldest) break;
  }
  return { kind: 'found', messageIds: found };
}

/** Without Read Message History, Discord shows an empty channel but refuses a single message. */
async function foundNothing(ask: RestOnce['ask'], channelId: string): Promise<Found> {
  const history = await ask('get', Routes.channelMessage(channelId, channelId));
  return history.kind === 'unknown-message' || history.kind === 'answered'
    ? { kind: 'found', messageIds: [] }
    : history;
}
