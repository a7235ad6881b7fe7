import { onPress } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import type { Context } from '../src/app/context.ts';
import { currentMembers, currentOverview } from '../src/app/polled.ts';
import type { Reply } from '../src/app/reply.ts';
import { orFault, ServiceError } from '../src/base/errors.ts';
import { serversCard } from '../src/cards/servers/servers-card.ts';
import { live } from '../src/service/endpoints.ts';
import type { LiveServer } from '../src/service/models/live-status.ts';

export default defineCommand({
  description: 'servers.description',
  topic: 'servers',
  leads: true,
  visibility: 'choice',
  options: {},

  run: (_args, context) => show(context),

  // The second is below a board and replies privately to the person who presses it.
  actions: { show: onPress(show), mine: onPress(show) },
});

/** Shows what is available: each source may fail separately, and half of it is better than an apology. */
async function show(context: Context): Promise<Reply> {
  const { service, now, t } = context;
  const file = (server: LiveServer) => orFault(service.get(live, { server }));
  const [servers, chat, one, two, three, four] = await Promise.all([
    orFault(currentOverview(context)),
    orFault(currentMembers(context)),
    file('one'),
    file('two'),
    file('three'),
    file('four'),
  ]);
  const nothing = [chat, one, two, three, four].every((source) => source instanceof ServiceError);
  if (servers instanceof ServiceError && nothing) throw servers;
  return serversCard({ overview: servers, chat, live: { one, two, three, four } }, now, t);
}
