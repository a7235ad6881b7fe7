import { chatStatus, overview } from '../service/endpoints.ts';
import type { ChatStatus } from '../service/models/chat-status.ts';
import { type Answer, judgeFreshness } from '../service/models/dated.ts';
import type { Fact } from '../service/models/facts.ts';
import { liveServer } from '../service/models/live-status.ts';
import type { Overview } from '../service/models/overview.ts';
import type { Context } from './context.ts';

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
