import { z } from 'zod';
import { type HistoryPlace, places } from '../../src/cards/history/span.ts';
import { onSubject } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { whereOption } from '../../src/command-kit/command-options/server-choices.ts';
import { readerZone } from '../../src/command-kit/command-options/time-zone.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { unseenServers } from '../../src/command-kit/current-data.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { busyCard } from './cards/busy-card.ts';

export default defineCommand({
  description: 'busy.description',
  topic: 'servers',
  visibility: 'choice',
  options: { server: whereOption },

  run: ({ server }, context) => show(server ?? 'all', context),

  actions: { show: onSubject(z.enum(places), show) },
});

async function show(place: HistoryPlace, context: Context): Promise<Reply> {
  const { history, now, t } = context;
  const zone = await readerZone(context);
  return busyCard(
    await history.week(place, zone.name),
    { where: place, zone, unseen: unseenServers(context), now },
    t,
  );
}
