import { z } from 'zod';
import { orders } from '../../src/cards/car/garage-page.ts';
import { type Actions, defineAction, PageNumber } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { playerOption } from '../../src/command-kit/command-options/player.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { forDriver } from '../../src/command-kit/for-driver.ts';
import { linkForm } from '../../src/command-kit/link-driver.ts';
import { garageOffers, withNewestName } from '../../src/command-kit/past.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { profile } from '../../src/service/endpoints.ts';
import { Username } from '../../src/service/models/identifiers.ts';
import { garageCard } from './cards/garage-card.ts';

/** Cars that need repair come first. */
const FIRST_VIEW = { order: 'condition', page: 0 } as const;

const places: Actions = Object.fromEntries(
  orders.map((order) => [
    order,
    defineAction({
      press: z.object({ subject: Username, number: PageNumber }),
      run: ({ subject: username, number: page }, context) => show(username, { order, page }, context),
    }),
  ]),
);

export default defineCommand({
  description: 'garage.description',
  topic: 'drivers',
  example: ['player'],
  visibility: 'choice',
  showsDistances: true,
  options: { player: playerOption('profile.options.player', false) },

  async run({ player }, context) {
    return forDriver(player, context, (username) => show(username, FIRST_VIEW, context), 'garage');
  },

  form: linkForm((username, context) => show(username, FIRST_VIEW, context)),

  retryAction: ({ player }) =>
    player === null ? null : { action: FIRST_VIEW.order, number: FIRST_VIEW.page, subject: player },

  actions: {
    ...places,
    sort: defineAction({
      press: z.object({ subject: Username, value: z.enum(orders) }),
      run: ({ subject: username, value: order }, context) => show(username, { order, page: 0 }, context),
    }),
  },
});

/** Uses the same record as every view of a driver: sorting and paging cost no request. */
async function show(
  username: string,
  place: Parameters<typeof garageCard>[1],
  context: Context,
): Promise<Reply> {
  const answer = withNewestName(await context.service.get(profile, { username }), context);
  return garageCard(answer, place, context.t, await garageOffers(answer.record.cars, context.history));
}
