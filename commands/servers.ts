import { type Context, defineCommand, type Reply } from '../src/app/command.ts';
import { serversCard } from '../src/cards/servers/servers-card.ts';
import { orFault, ServiceError, UserError } from '../src/errors.ts';
import { chatStatus, live, overview } from '../src/service/endpoints.ts';
import type { LiveServer } from '../src/service/models/live-status.ts';

/** Whoever presses *Refresh* wants nothing older (milliseconds). */
const REFRESH = { maxAge: 30_000 };

export default defineCommand({
  description: 'servers.description',
  example: 'servers.example',
  visibility: 'choice',
  options: {},

  run(_args, context) {
    return show(context);
  },

  async onComponent({ action }, context) {
    // The second stands below a board, where it answers whoever presses it privately.
    if (action !== 'refresh' && action !== 'mine') throw new UserError(context.t('chat.oldButton'));
    return show(context, REFRESH);
  },
});

/** Shows what there is: the sources fail apart, and half of it says more than an apology. */
async function show({ service, t }: Context, ask?: typeof REFRESH): Promise<Reply> {
  const file = (server: LiveServer) => orFault(service.get(live, { server }));
  const [servers, chat, one, two, three, four] = await Promise.all([
    orFault(service.get(overview, {}, ask)),
    orFault(service.get(chatStatus, {}, ask)),
    file('one'),
    file('two'),
    file('three'),
    file('four'),
  ]);
  const nothing = [chat, one, two, three, four].every((source) => source instanceof ServiceError);
  if (servers instanceof ServiceError && nothing) throw servers;
  return serversCard({ overview: servers, chat, live: { one, two, three, four } }, t);
}
