import { ServiceError, toFault } from '../base/errors.ts';
import { chatStatus, live, overview, type Priority } from '../service/endpoints.ts';
import type { ChatStatus } from '../service/models/chat-status.ts';
import { type Answer, judgeFreshness, orFrozen } from '../service/models/dated.ts';
import type { Fact } from '../service/models/facts.ts';
import { type LiveServer, liveServer } from '../service/models/live-status.ts';
import type { Overview } from '../service/models/overview.ts';
import type { Context } from './context.ts';

/** Every live file, or why it could not be read; they cost no budget. */
export async function liveFiles({ service }: Pick<Context, 'service'>) {
  const file = (server: LiveServer) => toFault(service.get(live, { server }));
  const [one, two, three, four] = await Promise.all([file('one'), file('two'), file('three'), file('four')]);
  return { one, two, three, four };
}

/** The live files of these servers that show the present; they cost no budget. */
export async function currentFiles(...args: Parameters<typeof knownFiles>) {
  return (await knownFiles(...args)).filter(({ isStale }) => !isStale);
}

/** Returns the live files of these servers, and those that stood still a moment ago, which must not be counted. */
export async function knownFiles(
  servers: readonly LiveServer[],
  { service, now }: Pick<Context, 'service' | 'now'>,
  priority: Priority = 'interactive',
) {
  const files = servers.map(async (server) => {
    const file = await toFault(service.get(live, { server }, { priority }));
    const freshness = file instanceof ServiceError ? 'no-data' : judgeFreshness(file, 'live', now);
    if (file instanceof ServiceError || freshness === 'no-data') return [];
    const { asOf, stale, record } = orFrozen(file, now);
    return [{ server, isStale: freshness === 'stale', stale, asOf, players: record.players }];
  });
  return (await Promise.all(files)).flat();
}

/** Without a request; null where boards would mark it as old. */
export function polledOverview({ poll, now }: Pick<Context, 'poll' | 'now'>): Answer<Overview> | null {
  return current(poll.facts.overview, now);
}

/** The servers as a board shows them now, which costs a person nothing; asked for only where they are not polled. */
export async function currentOverview(
  asking: Pick<Context, 'poll' | 'service' | 'now'>,
): Promise<Answer<Overview>> {
  return polledOverview(asking) ?? asking.service.get(overview, {});
}

/** Returns the members on Discord if the polled list is current, else asks the service. */
export async function currentMembers({
  poll,
  service,
  now,
}: Pick<Context, 'poll' | 'service' | 'now'>): Promise<Answer<ChatStatus>> {
  return current(poll.facts.chat, now) ?? service.get(chatStatus, {});
}

/** The servers without a live file, as the service calls them; while it is not known which there are, the usual ones. */
export function unseenServers(asking: Pick<Context, 'poll' | 'now'>): readonly string[] {
  const listed = polledOverview(asking)?.record.flatMap(({ name }) => name ?? []) ?? ['events', 'training'];
  return listed.filter((name) => liveServer(name) === null);
}

/** Returns the record; null if a board would mark it as old. */
function current<T>(fact: Fact<T> | null, now: number): Answer<T> | null {
  if (fact === null || judgeFreshness(fact, 'polled', now) !== 'live') return null;
  return { record: fact.record, asOf: fact.asOf, stale: null };
}
