import { defineCommand } from '../src/app/command.ts';
import { playerOption } from '../src/app/command-options/player.ts';
import { resolvePlayer } from '../src/app/resolve-player.ts';
import { readGarageAction, readOrder, writeGarageAction } from '../src/cards/profile/garage-action.ts';
import { garageCard } from '../src/cards/profile/garage-card.ts';
import { UserError } from '../src/errors.ts';
import { profile } from '../src/service/endpoints.ts';
import { Username } from '../src/service/models/identifiers.ts';

/** Whoever presses *Refresh* wants nothing older (milliseconds). */
const REFRESH = { maxAge: 30_000 };
/** What needs care comes first. */
const FIRST = { order: 'condition', page: 0 } as const;

export default defineCommand({
  description: 'garage.description',
  example: 'garage.example',
  visibility: 'choice',
  options: { player: playerOption('profile.options.player', false) },

  async run({ player }, context) {
    const username = await resolvePlayer(player, context);
    return garageCard(await context.service.get(profile, { username }), FIRST, context.t);
  },

  retryAction: ({ player }) =>
    player === null ? null : { action: writeGarageAction(FIRST), subject: player },

  /** The record is the one of every view of a driver: sorting and turning pages cost no request. */
  async onComponent({ action, subject, values }, { service, t }) {
    const picked = action === 'sort' ? readOrder(values[0]) : null;
    const place = picked === null ? readGarageAction(action) : { ...picked, refresh: false };
    const username = Username.safeParse(subject);
    if (place === null || !username.success) throw new UserError(t('chat.oldButton'));
    const ask = place.refresh ? REFRESH : undefined;
    return garageCard(await service.get(profile, { username: username.data }, ask), place, t);
  },
});
