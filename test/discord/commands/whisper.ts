/** A command for the tests whose replies only the asker sees, and which has no buttons. */
import { defineCommand } from '../../../src/command.ts';
import { car } from '../../../src/service/endpoints.ts';

export default defineCommand({
  description: 'profile.description',
  visibility: 'private',
  options: {},
  async run(_args, { service }) {
    const { record } = await service.get(car, { vin: 'AAAAA' });
    return { content: record.vin };
  },
});
