import { z } from 'zod';
import { onSubject } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import { whereOption } from '../src/app/command-options/server-choices.ts';
import { readerZone } from '../src/app/command-options/time-zone.ts';
import type { Context } from '../src/app/context.ts';
import { unseenServers } from '../src/app/polled.ts';
import type { Reply } from '../src/app/reply.ts';
import { busyCard } from '../src/cards/history/busy-card.ts';
import { type HistoryPlace, places } from '../src/cards/history/history-card.ts';

export default defineCommand({
  description: 'busy.description',
  topic: 'servers',
  visibility: 'choice',
  options: { server: whereOption },

  run: ({ server }, context) => show(server ?? 'all', context),

  actions: { show: onSubject(z.enum(places), show) },
});

async function show(where: HistoryPlace, context: Context): Promise<Reply> {
  const { history, now, t } = context;
  const zone = await readerZone(context);
  return busyCard(
    await history.week(where, zone.name),
    { where, zone, unseen: unseenServers(context), now },
    t,
  );
}
