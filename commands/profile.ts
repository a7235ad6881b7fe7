import { defineCommand } from '../src/app/command.ts';
import { playerOption } from '../src/app/command-options/player.ts';
import { resolvePlayer } from '../src/app/resolve-player.ts';
import { readAction, writeAction } from '../src/cards/profile/profile-action.ts';
import { profileCard } from '../src/cards/profile/profile-card.ts';
import { UserError } from '../src/errors.ts';
import { profile } from '../src/service/endpoints.ts';
import { Username } from '../src/service/models/identifiers.ts';

/** Whoever presses *Refresh* wants nothing older (milliseconds). */
const REFRESH = { maxAge: 30_000 };

export default defineCommand({
  description: 'profile.description',
  example: 'profile.example',
  visibility: 'choice',
  options: { player: playerOption('profile.options.player', false) },

  async run({ player }, context) {
    const { service, t } = context;
    const answer = await service.get(profile, { username: await resolvePlayer(player, context) });
    return profileCard(answer, { view: 'overview', page: null }, t);
  },

  retryAction: ({ player }) =>
    player === null ? null : { action: writeAction({ view: 'overview', page: null }), subject: player },

  userMenu: {
    name: 'profile.menu',
    async run(userId, context) {
      const { service, links, t, person } = context;
      const link = await links.of(userId);
      const whose = `<@${userId}>`;
      if (link === null) {
        const missing = userId === person.id ? 'link.missing' : null;
        throw new UserError(missing === null ? t('link.missingOf', { person: whose }) : t(missing));
      }
      const answer = await service.get(profile, { username: link.username });
      return {
        ...profileCard(answer, { view: 'overview', page: null }, t),
        content: t(`link.by.${link.by}`, { person: whose }),
      };
    },
  },

  /** Every view comes from the same request, so that changing the view costs none. */
  async onComponent({ action, subject }, { service, t }) {
    const place = readAction(action);
    const username = Username.safeParse(subject);
    if (place === null || !username.success) throw new UserError(t('chat.oldButton'));
    const answer = await service.get(
      profile,
      { username: username.data },
      place.refresh ? REFRESH : undefined,
    );
    return profileCard(answer, place, t);
  },
});
