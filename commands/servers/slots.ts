import { z } from 'zod';
import { HOUR } from '../../src/base/duration.ts';
import { UserError } from '../../src/base/errors.ts';
import { freeSlots, serverName } from '../../src/cards/servers/server-lines.ts';
import { leftOut } from '../../src/cards/servers/summary.ts';
import { onPress, onSubject } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { currentOverview, knownFiles } from '../../src/command-kit/current-data.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { countedByFiles } from '../../src/service/models/facts.ts';
import { LiveServer, liveServer } from '../../src/service/models/live-status.ts';
import { isFull, slotsCard } from './cards/slots-card.ts';

/** Time for which a person waits for a slot. */
const WAIT_MS = 2 * HOUR;

export default defineCommand({
  description: 'slots.description',
  topic: 'servers',
  visibility: 'choice',
  options: {},

  run: (_args, context) => show(context),

  actions: {
    show: onPress(show),
    tell: onSubject(z.string(), remind),
  },
});

async function show(context: Context): Promise<Reply> {
  const { answer, others: omittedServers, ...unsure } = await counted(context);
  return slotsCard(answer, omittedServers, context.t, unsure);
}

/**
 * The overview with the drivers that live files count now, and the servers that it leaves out and that run, since their
 * live files do. These cost no budget. `old`: those whose files stand still; `whys`: why any does.
 */
async function counted(context: Context) {
  const answer = await currentOverview(context);
  const files = await knownFiles(LiveServer.options, context);
  const current = files.filter(({ isStale }) => !isStale);
  const record = countedByFiles(
    answer.record,
    (name) => current.find(({ server }) => server === name) ?? null,
  );
  const omitted = leftOut(answer.record);
  const omittedOf = (someFiles: typeof files): readonly LiveServer[] =>
    omitted.filter((name) => someFiles.some(({ server }) => server === name));
  // The file of a server that is offline always stands still.
  const offlineServers = record.flatMap(({ name, online }) => (online === false ? [liveServer(name)] : []));
  const stale = files.filter(({ server, isStale }) => isStale && !offlineServers.includes(server));
  return {
    answer: { ...answer, record },
    others: omittedOf(current),
    old: omittedOf(stale),
    whys: stale.flatMap((file) => file.stale ?? []),
  };
}

/** Sets a reminder; the server may have got a free slot or disappeared since the button was shown. */
async function remind(name: string, context: Context): Promise<Reply> {
  const { features, t, person, now } = context;
  const { record, stale } = (await counted(context)).answer;
  const server = record.find((each) => each.name === name);
  if (server === undefined || person.channelId === null) throw new UserError(t('watch.slot.notThere'));
  const free = freeSlots(server) ?? 0;
  // Old data: the slots may be taken by now.
  if (stale === null && !isFull(server) && free > 0)
    return {
      ephemeral: true,
      content: t('watch.slot.hasRoom', { server: serverName(name, t), count: free }),
    };
  const expiresAt = now + WAIT_MS;
  const request = {
    person: person.id,
    server: name,
    channel: person.channelId,
    locale: t.locale,
    until: expiresAt,
  };
  const added = await features.alerts.remind(request, now);
  if (typeof added === 'string') throw new UserError(t(`watch.refused.${added}`));
  const reminder = { id: added.id, server: name, until: expiresAt };
  return { ephemeral: true, ...features.alerts.confirmReminder(reminder, t) };
}
