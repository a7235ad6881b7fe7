import { defineCommand } from '../src/app/command.ts';
import { playerOption } from '../src/app/command-options/player.ts';
import { resolvePlayer } from '../src/app/resolve-player.ts';
import { optionsCard } from '../src/cards/profile/options-card.ts';
import { UserError } from '../src/errors.ts';
import { options } from '../src/service/endpoints.ts';
import { Username } from '../src/service/models/identifiers.ts';

/** Whoever presses *Refresh* wants nothing older (milliseconds). */
const REFRESH = { maxAge: 30_000 };

export default defineCommand({
  description: 'options.description',
  example: 'options.example',
  visibility: 'choice',
  options: { player: playerOption('profile.options.player', false) },

  async run({ player }, context) {
    const username = await resolvePlayer(player, context);
    return optionsCard(username, await context.service.get(options, { username }), context.t);
  },

  retryAction: ({ player }) => (player === null ? null : { action: 'show', subject: player }),

  async onComponent({ action, subject }, { service, t }) {
    const username = Username.safeParse(subject);
    if (!(action === 'show' || action === 'refresh') || !username.success)
      throw new UserError(t('chat.oldButton'));
    const ask = action === 'refresh' ? REFRESH : undefined;
    return optionsCard(username.data, await service.get(options, { username: username.data }, ask), t);
  },
});
