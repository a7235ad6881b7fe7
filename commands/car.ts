import { z } from 'zod';
import { defineAction } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import { vinOption } from '../src/app/command-options/vin.ts';
import type { Context } from '../src/app/context.ts';
import type { Reply } from '../src/app/reply.ts';
import { carCard } from '../src/cards/car/car-card.ts';
import { car } from '../src/service/endpoints.ts';
import { Vin } from '../src/service/models/identifiers.ts';

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
    show: defineAction({
      press: z.object({ subject: Vin }),
      run: ({ subject: vin }, context) => show(vin, context),
    }),
    /** From a garage's menu. */
    open: defineAction({
      press: z.object({ value: Vin }),
      run: ({ value: vin }, context) => show(vin, context),
    }),
  },
});

async function show(vin: string, { service, t }: Context): Promise<Reply> {
  return carCard(await service.get(car, { vin }), t);
}
