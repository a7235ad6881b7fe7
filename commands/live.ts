import { defineCommand } from '../src/app/command.ts';
import { readTurn } from '../src/cards/kit/paging.ts';
import { liveCard } from '../src/cards/servers/live-card.ts';
import { UserError } from '../src/errors.ts';
import { live } from '../src/service/endpoints.ts';
import { LiveServer } from '../src/service/models/live-status.ts';

export default defineCommand({
  description: 'live.description',
  example: 'live.example',
  visibility: 'choice',
  options: {
    server: {
      kind: 'choice',
      description: 'live.options.server',
      required: true,
      choices: {
        one: 'server.one',
        two: 'server.two',
        three: 'server.three',
        four: 'server.four',
      },
    },
  },

  async run({ server }, { service, t }) {
    return liveCard(server, await service.get(live, { server }), 0, t);
  },

  /** The file is asked anew for every page: it costs nothing, and an answer is fresh for a second only. */
  async onComponent({ action, subject }, { service, t }) {
    const turn = readTurn(action);
    const server = LiveServer.safeParse(subject);
    if (turn === null || !server.success) throw new UserError(t('chat.oldButton'));
    return liveCard(server.data, await service.get(live, { server: server.data }), turn.page, t);
  },
});
