import { ServiceError, toFault } from '../../src/base/errors.ts';
import { onPress } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { currentMembers, currentOverview, liveFiles } from '../../src/command-kit/current-data.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { serversCard } from './cards/servers-card.ts';

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
  const [overview, chat, live] = await Promise.all([
    toFault(currentOverview(context)),
    toFault(currentMembers(context)),
    liveFiles(context),
  ]);
  const nothing = [chat, ...Object.values(live)].every((source) => source instanceof ServiceError);
  if (overview instanceof ServiceError && nothing) throw overview;
  return serversCard({ overview, chat, live }, context.now, context.t);
}
