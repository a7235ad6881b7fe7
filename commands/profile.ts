import { readAction, writeAction } from '../src/cards/profile-action.ts';
import { profileCard } from '../src/cards/profile-card.ts';
import { defineCommand } from '../src/command.ts';
import { UserError } from '../src/errors.ts';
import { playerOption } from '../src/options/player.ts';
import { profile } from '../src/service/endpoints.ts';
import { Username } from '../src/service/models.ts';

/** Whoever presses *Refresh* wants nothing older (milliseconds). */
const REFRESH = { maxAge: 30_000 };

export default defineCommand({
  description: 'profile.description',
  visibility: 'choice',
  options: { player: playerOption('profile.options.player', true) },

  async run({ player }, { service, words }) {
    const answer = await service.get(profile, { username: player });
    return profileCard(answer, { view: 'overview', page: null }, words);
  },

  again: ({ player }) => ({ action: writeAction({ view: 'overview', page: null }), subject: player }),

  /** Every view comes from the same request, so that changing the view costs none. */
  async act({ action, subject }, { service, words }) {
    const place = readAction(action);
    const username = Username.safeParse(subject);
    if (place === null || !username.success) throw new UserError(words.text('chat.oldButton'));
    const answer = await service.get(
      profile,
      { username: username.data },
      place.refresh ? REFRESH : undefined,
    );
    return profileCard(answer, place, words);
  },
});
