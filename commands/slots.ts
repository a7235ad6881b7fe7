import { serverName } from '../src/cards/servers/server-lines.ts';
import { freePlaces, isFull, promiseWords, slotsCard } from '../src/cards/servers/slots-card.ts';
import { type Context, defineCommand, type Reply } from '../src/app/command.ts';
import { UserError } from '../src/errors.ts';
import { overview } from '../src/service/endpoints.ts';

/** Whoever presses *Refresh* wants nothing older (milliseconds). */
const REFRESH = { maxAge: 30_000 };
/** Milliseconds for which somebody waits for a place. */
const WAIT = 2 * 60 * 60_000;

export default defineCommand({
  description: 'slots.description',
  example: 'slots.example',
  visibility: 'choice',
  options: {},

  async run(_args, { service, words }) {
    return slotsCard(await service.get(overview, {}), words);
  },

  async act({ action, subject }, context) {
    const { service, words } = context;
    if (action === 'refresh') return slotsCard(await service.get(overview, {}, REFRESH), words);
    if (action === 'tell') return promise(subject, context);
    throw new UserError(words.text('chat.oldButton'));
  },
});

/** The button may be older than the server's being full, or than the server's being there at all. */
async function promise(
  name: string,
  { service, subscriptions, words, person, now }: Context,
): Promise<Reply> {
  const { record } = await service.get(overview, {});
  const server = record.find((each) => each.name === name);
  if (server === undefined || person.channelId === null) throw new UserError(words.text('slots.notThere'));
  const free = freePlaces(server) ?? 0;
  if (!isFull(server) && free > 0)
    return {
      aside: true,
      content: words.text('slots.hasRoom', { server: serverName(name, words), count: free }),
    };
  await subscriptions.add({
    person: person.id,
    server: name,
    channel: person.channelId,
    guild: person.guildId,
    locale: words.locale,
    expires: now + WAIT,
  });
  return { aside: true, content: promiseWords(name, now + WAIT, words) };
}
