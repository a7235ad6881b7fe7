/** A command for the tests: what comes of it is up to the service that the test passes in. */
import { defineCommand } from '../../../src/command.ts';
import { writeCustomId } from '../../../src/custom-id.ts';
import { car } from '../../../src/service/endpoints.ts';
import { Vin } from '../../../src/service/models.ts';

export default defineCommand({
  description: 'car.description',
  visibility: 'public',
  options: {
    note: { description: 'profile.options.player', required: false, schema: Vin, wrong: 'input.username' },
    vin: {
      description: 'car.options.vin',
      required: true,
      schema: Vin,
      wrong: 'input.vin',
      complete: (typed, { seen }) => {
        if (typed === 'throw') throw new Error('no suggestions today');
        return seen.vins(typed).map(({ vin }) => ({ name: `Car ${vin}`, value: vin }));
      },
    },
  },
  async run({ vin, note }, { service, person }) {
    const { record } = await service.get(car, { vin });
    return {
      content: `${record.vin} for <@${person.id}> and @everyone${note === null ? '' : `, ${note}`}`,
      components: [
        {
          type: 1,
          components: [
            {
              type: 2,
              style: 2,
              label: 'Again',
              custom_id: writeCustomId({ command: 'ask', action: 'again', subject: vin }),
            },
          ],
        },
      ],
    };
  },
  async act({ action, subject }, { service }) {
    const { record } = await service.get(car, { vin: subject });
    return { embeds: [{ title: `${action} ${record.vin}` }] };
  },
});
