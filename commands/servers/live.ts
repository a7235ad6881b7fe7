import { z } from 'zod';
import { ServiceError, UserError } from '../../src/base/errors.ts';
import { LiveSubject, type LiveView } from '../../src/cards/servers/live-buttons.ts';
import { serverName } from '../../src/cards/servers/server-lines.ts';
import { defineAction, PageNumber } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { liveServerChoices } from '../../src/command-kit/command-options/server-choices.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { liveFiles, polledOverview } from '../../src/command-kit/current-data.ts';
import { tolerateStoreFailure } from '../../src/command-kit/past.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { live } from '../../src/service/endpoints.ts';
import type { Answer } from '../../src/service/models/dated.ts';
import { type LiveStatus, liveServer } from '../../src/service/models/live-status.ts';
import { isDriver, liveCard } from './cards/live-card.ts';

export default defineCommand({
  description: 'live.description',
  topic: 'servers',
  example: ['server'],
  visibility: 'choice',
  options: {
    server: {
      kind: 'choice',
      description: 'live.options.server',
      required: true,
      choices: liveServerChoices,
    },
  },

  run: ({ server }, context) => show({ server, from: null }, 0, context),

  actions: {
    page: defineAction({
      press: z.object({ subject: LiveSubject, number: PageNumber }),
      run: ({ subject: view, number: page }, context) => show(view, page, context),
    }),
  },
});

/** Reads the file for every page: it costs no budget, and an answer stays fresh for one second. */
async function show(view: LiveView, page: number, context: Context): Promise<Reply> {
  const { now, t } = context;
  const answer = await fileOf(view, context);
  const listed = polledOverview(context)?.record.find(({ name }) => liveServer(name) === view.server) ?? null;
  const shown = { ...view, listed, wanted: page, now };
  const own = await ownDriver(context);
  const isThere = answer.record.players.some((player) => isDriver(player, own));
  // Others do not read there whose driver it is.
  const ownEmbeds = isThere ? { ownEmbeds: liveCard(answer, { ...shown, own }, t).embeds } : {};
  return { ...liveCard(answer, shown, t), ...ownEmbeds };
}

async function ownDriver({ store, person }: Context): Promise<string | null> {
  const link = await tolerateStoreFailure(() => store.links.of(person.id, person.guildId), null);
  return link?.username ?? null;
}

/** A server that has no file for good, while others have theirs, is no outage. */
async function fileOf({ server }: LiveView, context: Context): Promise<Answer<LiveStatus>> {
  try {
    return await context.service.get(live, { server });
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.isMissing) throw error;
    const files = Object.values(await liveFiles(context));
    if (files.every((file) => file instanceof ServiceError)) throw error;
    throw new UserError(context.t('live.noFile', { server: serverName(server, context.t) }));
  }
}
