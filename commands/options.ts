import { optionsCard } from '../src/cards/profile/options-card.ts';
import { defineCommand } from '../src/app/command.ts';
import { UserError } from '../src/errors.ts';
import { playerOption } from '../src/app/command-options/player.ts';
import { options } from '../src/service/endpoints.ts';
import { Username } from '../src/service/models/models.ts';
import { subject as subjectOf } from '../src/app/resolve-player.ts';

/** Whoever presses *Refresh* wants nothing older (milliseconds). */
const REFRESH = { maxAge: 30_000 };

export default defineCommand({
  description: 'options.description',
  example: 'options.example',
  visibility: 'choice',
  options: { player: playerOption('profile.options.player', false) },

  async run({ player }, context) {
    const username = await subjectOf(player, context);
    return optionsCard(username, await context.service.get(options, { username }), context.words);
  },

  again: ({ player }) => (player === null ? null : { action: 'show', subject: player }),

  async act({ action, subject }, { service, words }) {
    const username = Username.safeParse(subject);
    if (!(action === 'show' || action === 'refresh') || !username.success)
      throw new UserError(words.text('chat.oldButton'));
    const ask = action === 'refresh' ? REFRESH : undefined;
    return optionsCard(username.data, await service.get(options, { username: username.data }, ask), words);
  },
});
