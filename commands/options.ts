import { z } from 'zod';
import { defineAction } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import { playerOption } from '../src/app/command-options/player.ts';
import type { Context } from '../src/app/context.ts';
import type { Reply } from '../src/app/reply.ts';
import { resolvePlayer } from '../src/app/resolve-player.ts';
import { optionsCard } from '../src/cards/profile/options-card.ts';
import { options } from '../src/service/endpoints.ts';
import { Username } from '../src/service/models/identifiers.ts';

export default defineCommand({
  description: 'options.description',
  topic: 'drivers',
  example: ['player'],
  visibility: 'choice',
  options: { player: playerOption('profile.options.player', false) },

  async run({ player }, context) {
    return show(await resolvePlayer(player, context), context);
  },

  retryAction: ({ player }) => (player === null ? null : { action: 'show', subject: player }),

  actions: {
    show: defineAction({
      press: z.object({ subject: Username }),
      run: ({ subject: username }, context) => show(username, context),
    }),
  },
});

async function show(username: string, { service, t }: Context): Promise<Reply> {
  return optionsCard(username, await service.get(options, { username }), t);
}
