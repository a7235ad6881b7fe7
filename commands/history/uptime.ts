import { z } from 'zod';
import { DATA_SERVICE } from '../../src/cards/kit/tell-buttons.ts';
import { serverNames } from '../../src/cards/servers/server-lines.ts';
import { onSubject } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { readerZone } from '../../src/command-kit/command-options/time-zone.ts';
import type { Context } from '../../src/command-kit/context.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { type UptimeSpan, uptimeCard, uptimeStretch } from './cards/uptime-card.ts';

const choices = { ...serverNames, [DATA_SERVICE]: 'uptime.dataService' } as const;
const UptimePlace = z.enum(['one', 'two', 'three', 'four', 'events', 'training', DATA_SERVICE]);
type UptimePlace = z.output<typeof UptimePlace>;

/** How much of the time a server was up. From the store; the data service is not asked. */
export default defineCommand({
  description: 'uptime.description',
  topic: 'servers',
  visibility: 'choice',
  options: {
    server: { kind: 'choice', description: 'live.options.server', required: true, choices },
    span: {
      kind: 'choice',
      description: 'uptime.options.span',
      required: false,
      choices: { week: 'history.span.week', month: 'history.span.month', year: 'uptime.year' },
    },
  },
  run: ({ server, span }, context) => show(server, span ?? 'month', context),
  actions: { week: showing('week'), month: showing('month'), year: showing('year') },
});

function showing(span: UptimeSpan) {
  return onSubject(UptimePlace, (where, context) => show(where, span, context));
}

async function show(where: UptimePlace, span: UptimeSpan, context: Context): Promise<Reply> {
  const { history, now, t } = context;
  const server = where === DATA_SERVICE ? null : where;
  const [uptime, zone] = await Promise.all([
    history.uptime(server, uptimeStretch(span, now)),
    readerZone(context),
  ]);
  return uptimeCard(uptime, { server, span, zone, now }, t);
}
