import { z } from 'zod';
import { type HistoryPlace, places, type Span, stretchOf } from '../../src/cards/history/span.ts';
import { onSubject } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { whereOption } from '../../src/command-kit/command-options/server-choices.ts';
import { readerZone } from '../../src/command-kit/command-options/time-zone.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { unseenServers } from '../../src/command-kit/current-data.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { historyCard } from './cards/history-card.ts';

export default defineCommand({
  description: 'history.description',
  topic: 'servers',
  visibility: 'choice',
  options: {
    server: whereOption,
    span: {
      kind: 'choice',
      description: 'history.options.span',
      required: false,
      choices: { day: 'history.span.day', week: 'history.span.week', month: 'history.span.month' },
    },
  },

  run: ({ server, span }, context) => show(server ?? 'all', span ?? 'day', context),

  actions: { day: showing('day'), week: showing('week'), month: showing('month') },
});

function showing(span: Span) {
  return onSubject(z.enum(places), (place, context) => show(place, span, context));
}

/** From the store; the data service is not asked. */
async function show(place: HistoryPlace, span: Span, context: Context): Promise<Reply> {
  const { history, now, t } = context;
  const [counts, zone] = await Promise.all([
    history.counts(place, stretchOf(span, now)),
    readerZone(context),
  ]);
  return historyCard(counts, { where: place, span, zone, unseen: unseenServers(context), now }, t);
}
