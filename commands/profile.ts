import { readAction, writeAction } from '../src/cards/profile/profile-action.ts';
import { profileCard } from '../src/cards/profile/profile-card.ts';
import { defineCommand } from '../src/app/command.ts';
import { UserError } from '../src/errors.ts';
import { playerOption } from '../src/app/command-options/player.ts';
import { profile } from '../src/service/endpoints.ts';
import { Username } from '../src/service/models/models.ts';
import { subject as subjectOf } from '../src/app/resolve-player.ts';

/** Whoever presses *Refresh* wants nothing older (milliseconds). */
const REFRESH = { maxAge: 30_000 };

export default defineCommand({
  description: 'profile.description',
  example: 'profile.example',
  visibility: 'choice',
  options: { player: playerOption('profile.options.player', false) },

  async run({ player }, context) {
    const { service, words } = context;
    const answer = await service.get(profile, { username: await subjectOf(player, context) });
    return profileCard(answer, { view: 'overview', page: null }, words);
  },

  again: ({ player }) =>
    player === null ? null : { action: writeAction({ view: 'overview', page: null }), subject: player },

  userMenu: {
    name: 'profile.menu',
    async run(userId, context) {
      const { service, links, words, person } = context;
      const link = await links.of(userId);
      const whose = `<@${userId}>`;
      if (link === null) {
        const missing = userId === person.id ? 'link.missing' : null;
        throw new UserError(
          missing === null ? words.text('link.missingOf', { person: whose }) : words.text(missing),
        );
      }
      const answer = await service.get(profile, { username: link.username });
      return {
        ...profileCard(answer, { view: 'overview', page: null }, words),
        content: words.text(`link.by.${link.by}`, { person: whose }),
      };
    },
  },

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
