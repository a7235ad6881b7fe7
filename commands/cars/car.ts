import { z } from 'zod';
import { type GaragePage, orders, readSeen } from '../../src/cards/car/garage-page.ts';
import { type Actions, defineAction, onSubject, PageNumber } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { vinOption } from '../../src/command-kit/command-options/vin.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { carOffers } from '../../src/command-kit/past.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { car } from '../../src/service/endpoints.ts';
import { Username, Vin } from '../../src/service/models/identifiers.ts';
import { carCard } from './cards/car-card.ts';

/** A car picked from the menu of a garage's page, and the same car again: both lead back to that page. */
const fromGarages: Actions = Object.fromEntries(
  orders.flatMap((order) => [
    [
      `open${order}`,
      defineAction({
        press: z.object({ subject: Username, number: PageNumber, value: Vin }),
        run: ({ subject: username, number: page, value: vin }, context) =>
          show(vin, context, { order, page, username }),
      }),
    ],
    [
      `in${order}`,
      defineAction({
        press: z.object({
          subject: z
            .string()
            .transform(readSeen)
            .pipe(z.object({ vin: Vin, username: Username })),
          number: PageNumber,
        }),
        run: ({ subject: { vin, username }, number: page }, context) =>
          show(vin, context, { order, page, username }),
      }),
    ],
  ]),
);

export default defineCommand({
  description: 'car.description',
  topic: 'drivers',
  example: ['vin'],
  visibility: 'choice',
  showsDistances: true,
  options: { vin: vinOption },

  run: ({ vin }, context) => show(vin, context),

  retryAction: ({ vin }) => ({ action: 'show', subject: vin }),

  actions: {
    show: onSubject(Vin, show),
    ...fromGarages,
  },
});

async function show(
  vin: string,
  { service, history, recentNames, t }: Context,
  from: GaragePage | null = null,
): Promise<Reply> {
  const answer = await service.get(car, { vin });
  const { type } = answer.record;
  return carCard(answer, t, {
    asked: vin,
    from,
    nicknameOf: recentNames.nicknameOf,
    offers: type === null ? [] : await carOffers([type], history),
  });
}
