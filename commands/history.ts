import { z } from 'zod';
import { defineAction } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import { readerZone, timeZoneOption } from '../src/app/command-options/time-zone.ts';
import { whereOption } from '../src/app/command-options/where.ts';
import type { Context } from '../src/app/context.ts';
import type { Reply } from '../src/app/reply.ts';
import { historyCard } from '../src/cards/history/history-card.ts';
import type { ReaderZone } from '../src/cards/history/reader-zone.ts';
import { type Span, stretchOf } from '../src/cards/history/span.ts';
import { places, type Where } from '../src/cards/history/where.ts';

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
    timezone: timeZoneOption,
  },

  async run({ server, span, timezone }, context) {
    return show(server ?? 'all', span ?? 'day', await readerZone(timezone, context), context);
  },

  actions: { day: showing('day'), week: showing('week'), month: showing('month') },
});

function showing(span: Span) {
  return defineAction({
    press: z.object({ subject: z.enum(places) }),
    run: async ({ subject: where }, context) => show(where, span, await readerZone(null, context), context),
  });
}

/** From the store; the data service is not asked. */
async function show(
  where: Where,
  span: Span,
  zone: ReaderZone,
  { history, now, t }: Context,
): Promise<Reply> {
  const counts = await history.counts(where, stretchOf(span, now));
  return historyCard(counts, { where, span, zone, now }, t);
}
