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

/** The same of the members on Discord. */
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

/** Null for what a board would mark as old. */
function current<T>(known: Fact<T> | null, now: number): Answer<T> | null {
  if (known === null || judgeFreshness(known, 'polled', now) !== 'live') return null;
  return { record: known.record, asOf: known.asOf, stale: null };
}
