import { type Context, defineCommand, type Reply } from '../src/app/command.ts';
import { serverName } from '../src/cards/servers/server-lines.ts';
import { freePlaces, isFull, promiseText, slotsCard } from '../src/cards/servers/slots-card.ts';
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

  async run(_args, { service, t }) {
    return slotsCard(await service.get(overview, {}), t);
  },

  async onComponent({ action, subject }, context) {
    const { service, t } = context;
    if (action === 'refresh') return slotsCard(await service.get(overview, {}, REFRESH), t);
    if (action === 'tell') return promise(subject, context);
    throw new UserError(t('chat.oldButton'));
  },
});

/** The button may be older than the server's being full, or than the server's being there at all. */
async function promise(name: string, { service, subscriptions, t, person, now }: Context): Promise<Reply> {
  const { record } = await service.get(overview, {});
  const server = record.find((each) => each.name === name);
  if (server === undefined || person.channelId === null) throw new UserError(t('slots.notThere'));
  const free = freePlaces(server) ?? 0;
  if (!isFull(server) && free > 0)
    return {
      ephemeral: true,
      content: t('slots.hasRoom', { server: serverName(name, t), count: free }),
    };
  await subscriptions.add({
    person: person.id,
    server: name,
    channel: person.channelId,
    guild: person.guildId,
    locale: t.locale,
    expires: now + WAIT,
  });
  return { ephemeral: true, content: promiseText(name, now + WAIT, t) };
}
