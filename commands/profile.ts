import { z } from 'zod';
import { type Actions, defineAction, PageNumber } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import { playerOption } from '../src/app/command-options/player.ts';
import type { Context } from '../src/app/context.ts';
import { forDriver, forDriverOf } from '../src/app/for-driver.ts';
import { garageOffers, profilePast } from '../src/app/past.ts';
import type { Reply } from '../src/app/reply.ts';
import { type Place, views } from '../src/cards/profile/profile-action.ts';
import { profileCard } from '../src/cards/profile/profile-card.ts';
import { profile } from '../src/service/endpoints.ts';
import { Username } from '../src/service/models/identifiers.ts';

const FIRST = { view: 'overview', page: null } as const;

const places: Actions = Object.fromEntries(
  views.map((view) => [
    view,
    defineAction({
      press: z.object({ subject: Username, number: PageNumber.nullable() }),
      run: ({ subject: username, number: page }, context) => show(username, { view, page }, context),
    }),
  ]),
);

export default defineCommand({
  description: 'profile.description',
  topic: 'drivers',
  leads: true,
  example: ['player'],
  visibility: 'choice',
  showsDistances: true,
  options: { player: playerOption('profile.options.player', false) },

  async run({ player }, context) {
    return forDriver(player, context, (username) => show(username, FIRST, context));
  },

  retryAction: ({ player }) => (player === null ? null : { action: FIRST.view, subject: player }),

  userMenu: {
    name: 'profile.menu',
    async run(userId, context) {
      return forDriverOf(userId, context, async (username, by) => ({
        ...(await show(username, FIRST, context)),
        content: context.t(`link.by.${by}`, { person: `<@${userId}>` }),
      }));
    },
  },

  actions: {
    ...places,
    open: defineAction({
      press: z.object({ value: Username }),
      // For the reader alone: the list that the menu belongs to stays.
      run: async ({ value: username }, context) => ({
        ...(await show(username, FIRST, context)),
        ephemeral: true,
      }),
    }),
  },
});

/** Every view uses the same record, so changing views costs no request. */
async function show(username: string, place: Place, { service, history, t }: Context): Promise<Reply> {
  const isCompared = place.view === FIRST.view;
  const [answer, past] = await Promise.all([
    service.get(profile, { username }),
    isCompared ? profilePast(username, history) : null,
  ]);
  const offers = place.view === 'garage' ? await garageOffers(answer.record.cars, history) : [];
  return profileCard(answer, place, t, { past, offers });
}
