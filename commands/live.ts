import { z } from 'zod';
import { defineAction, PageNumber } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import { liveServerChoices } from '../src/app/command-options/live-server-choices.ts';
import type { Context } from '../src/app/context.ts';
import type { Reply } from '../src/app/reply.ts';
import { liveCard } from '../src/cards/servers/live-card.ts';
import { live } from '../src/service/endpoints.ts';
import { LiveServer } from '../src/service/models/live-status.ts';

export default defineCommand({
  description: 'live.description',
  topic: 'servers',
  example: ['server'],
  visibility: 'choice',
  options: {
    server: {
      kind: 'choice',
      description: 'live.options.server',
      required: true,
      choices: liveServerChoices,
    },
  },

  run: ({ server }, context) => show(server, 0, context),

  actions: {
    page: defineAction({
      press: z.object({ subject: LiveServer, number: PageNumber }),
      run: ({ subject: server, number: page }, context) => show(server, page, context),
    }),
  },
});

/** Reads the file for every page: it costs no budget, and an answer stays fresh for one second. */
async function show(server: LiveServer, page: number, { service, now, t }: Context): Promise<Reply> {
  return liveCard(server, await service.get(live, { server }), page, now, t);
}
