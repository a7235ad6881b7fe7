/** A command for the tests whose replies only the asker sees, which has no buttons, and an entry in the menu on a person. */
import { defineCommand } from '../../../../../src/command-kit/command.ts';
import { car } from '../../../../../src/service/endpoints.ts';

export default defineCommand({
  description: 'profile.description',
  topic: 'drivers',
  visibility: 'private',
  options: {},
  userMenu: {
    name: 'profile.menu',
    async run(userId, { service, person }) {
      const { record } = await service.get(car, { vin: 'AAAAA' });
      return {
        content: `${person.id} whispers about ${userId}`,
        files: [{ name: 'car.txt', text: `${record.vin} für ${userId}` }],
      };
    },
  },
  async run(_args, { service }) {
    const { record } = await service.get(car, { vin: 'AAAAA' });
    return { content: record.vin };
  },
});
