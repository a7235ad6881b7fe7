import { onPress } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import type { Context } from '../src/app/context.ts';
import type { Reply } from '../src/app/reply.ts';
import { orFault, ServiceError } from '../src/base/errors.ts';
import { dutyCard } from '../src/cards/servers/duty-card.ts';
import { live } from '../src/service/endpoints.ts';
import type { LiveServer } from '../src/service/models/live-status.ts';

export default defineCommand({
  description: 'duty.description',
  topic: 'servers',
  visibility: 'choice',
  options: {},

  run: (_args, context) => show(context),

  actions: { show: onPress(show) },
});

/**
 * The files cost no budget and stay fresh for one second. Each may fail separately: three of them are better than
 * an apology.
 */
async function show({ service, t, now }: Context): Promise<Reply> {
  const file = (server: LiveServer) => orFault(service.get(live, { server }));
  const [one, two, three, four] = await Promise.all([file('one'), file('two'), file('three'), file('four')]);
  if (
    [one, two, three, four].every((answer) => answer instanceof ServiceError) &&
    one instanceof ServiceError
  )
    throw one;
  return dutyCard({ one, two, three, four }, now, t);
}
