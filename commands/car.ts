import { defineCommand } from '../src/app/command.ts';
import { vinOption } from '../src/app/command-options/vin.ts';
import { carCard } from '../src/cards/car/car-card.ts';
import { UserError } from '../src/errors.ts';
import { car } from '../src/service/endpoints.ts';
import { Vin } from '../src/service/models/identifiers.ts';

/** Whoever presses *Refresh* wants nothing older (milliseconds). */
const REFRESH = { maxAge: 30_000 };

export default defineCommand({
  description: 'car.description',
  example: 'car.example',
  visibility: 'choice',
  options: { vin: vinOption },

  async run({ vin }, { service, t }) {
    return carCard(await service.get(car, { vin }), t);
  },

  retryAction: ({ vin }) => ({ action: 'refresh', subject: vin }),

  /** *Refresh* carries the car in its id; a garage's menu carries it in what was picked. */
  async onComponent({ action, subject, values }, { service, t }) {
    const vin = Vin.safeParse(action === 'open' ? values[0] : subject);
    if (!(action === 'open' || action === 'refresh') || !vin.success)
      throw new UserError(t('chat.oldButton'));
    const answer = await service.get(car, { vin: vin.data }, action === 'refresh' ? REFRESH : undefined);
    return carCard(answer, t);
  },
});
