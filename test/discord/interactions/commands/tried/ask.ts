/** A command for the tests: what comes of it is up to the service that the test passes in. */
import { z } from 'zod';
import { writeCustomId } from '../../../../../src/cards/kit/custom-id.ts';
import { defineAction } from '../../../../../src/command-kit/action.ts';
import { defineCommand } from '../../../../../src/command-kit/command.ts';
import { car } from '../../../../../src/service/endpoints.ts';
import { Vin } from '../../../../../src/service/models/identifiers.ts';

const foreign = ['foreign', '0:ask:again:AB12C', '1:gone:again:AB12C', '1:whisper:again:AB12C'];

const button = (label: string, custom_id: string) => ({ type: 2, style: 2, label, custom_id }) as const;

export default defineCommand({
  description: 'car.description',
  topic: 'drivers',
  visibility: 'public',
  options: {
    note: {
      kind: 'text',
      description: 'profile.options.player',
      required: false,
      schema: Vin,
      wrong: 'input.username',
    },
    vin: {
      kind: 'text',
      description: 'car.options.vin',
      required: true,
      schema: Vin,
      wrong: 'input.vin',
      complete: (typed, { recentNames }) => {
        if (typed === 'throw') throw new Error('no suggestions today');
        return recentNames.vins(typed).map(({ vin }) => ({ name: `Car ${vin}`, value: vin }));
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
          components: ['Again', 'Huge'].map((label) =>
            button(label, writeCustomId({ command: 'ask', action: label.toLowerCase(), subject: vin })),
          ),
        },
        // What other versions and other bots may have left in a message.
        { type: 1, components: foreign.map((id) => button(`Foreign ${id}`, id)) },
      ],
    };
  },
  actions: { again: titled('again'), huge: titled('huge') },
});

function titled(action: 'again' | 'huge') {
  return defineAction({
    press: z.object({ subject: Vin }),
    async run({ subject: vin }, { service }) {
      const { record } = await service.get(car, { vin });
      return { embeds: [{ title: `${action} ${record.vin}${action === 'huge' ? '!'.repeat(300) : ''}` }] };
    },
  });
}
