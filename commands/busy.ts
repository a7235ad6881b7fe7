import { z } from 'zod';
import { defineAction } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import { readerZone, timeZoneOption } from '../src/app/command-options/time-zone.ts';
import { whereOption } from '../src/app/command-options/where.ts';
import type { Context } from '../src/app/context.ts';
import type { Reply } from '../src/app/reply.ts';
import { busyCard } from '../src/cards/history/busy-card.ts';
import type { ReaderZone } from '../src/cards/history/reader-zone.ts';
import { places, type Where } from '../src/cards/history/where.ts';

export default defineCommand({
  description: 'busy.description',
  topic: 'servers',
  visibility: 'choice',
  options: { server: whereOption, timezone: timeZoneOption },

  async run({ server, timezone }, context) {
    return show(server ?? 'all', await readerZone(timezone, context), context);
  },

  actions: {
    show: defineAction({
      press: z.object({ subject: z.enum(places) }),
      run: async ({ subject: where }, context) => show(where, await readerZone(null, context), context),
    }),
  },
});

async function show(where: Where, zone: ReaderZone, { history, now, t }: Context): Promise<Reply> {
  return busyCard(await history.week(where, zone.name), { where, zone, now }, t);
}
