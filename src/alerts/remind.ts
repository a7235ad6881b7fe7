/** A reminder: one direct message, at any hour, as soon as a single reading says that its condition is met. */
import { MINUTE } from '../base/duration.ts';
import { freeNowText } from '../cards/servers/slots-card.ts';
import type { Watch } from '../service/models/watch.ts';
import { type DeliverParts, nonceOf } from './deliver.ts';
import { readingOf } from './readings.ts';
import type { Snapshot } from './snapshot.ts';

/** When Discord may take what it did not take, in ms. It knows a second message soon after the first one by its nonce. */
const RETRY_AFTER = MINUTE;

const nothingElse = { namesDrivers: null, car: null, profile: null, outages: new Map() } as const;

/** Reminders do not count among the alerts that a person gets in a day. */
export function reminderPlace(personId: string): string {
  return `reminder:${personId}`;
}

/** Sends what is due, at most once, and removes what is over. Does nothing for an alert that stays. */
export async function remind(
  watch: Watch,
  snapshot: Snapshot,
  parts: Omit<DeliverParts, 'saying' | 'unsaid'>,
): Promise<void> {
  const { watches, deliveries, now } = parts;
  const { id, person, once, condition, snoozedUntil } = watch;
  if (once === null || (snoozedUntil !== null && now() < snoozedUntil)) return;
  if (now() >= once.until) {
    await watches.remove(watch);
    return;
  }
  const reading = readingOf(condition, { snapshot, ...nothingElse, now: now() });
  const free = reading?.news.get('free');
  if (free?.kind !== 'free') return;
  const place = reminderPlace(person);
  const claim = { key: id, place, watches: [id], at: now(), cooldown: 0, most: null };
  if ((await deliveries.claim(claim)).length === 0) return;
  const content = freeNowText(free, await parts.translatorOf(watch));
  const sent = await send(watch, { content, channel: once.channel }, parts);
  if (sent === 'lost') {
    await watches.update(watch, (same) => ({ ...same, snoozedUntil: now() + RETRY_AFTER }));
    return deliveries.withdraw(place, id);
  }
  await watches.remove(watch);
  await deliveries.settle(place, id);
}

/** Where the person's direct messages are closed, it stands in the channel, without a ping. */
async function send(
  { id, person }: Watch,
  { content, channel }: { readonly content: string; readonly channel: string },
  parts: Pick<DeliverParts, 'send'>,
) {
  const message = { components: [], roles: [], nonce: nonceOf(`reminder ${id}`) };
  const sent = await parts.send({ ...message, content, to: { kind: 'direct', personId: person } });
  if (sent !== 'closed') return sent;
  const to = { kind: 'channel', channelId: channel } as const;
  return parts.send({ ...message, content: `<@${person}> ${content}`, to });
}
