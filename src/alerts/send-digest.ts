/** The weekly digest: one message a week to each channel that wants it, at most once. */
import { alertMessage } from '../cards/watch/alert-message.ts';
import { digestText } from '../cards/watch/digest-text.ts';
import { isSilent } from './admit.ts';
import { type DeliverParts, nonceOf, pausePlace } from './deliver.ts';
import { digestWeek, type Past, weekFacts } from './digest.ts';
import { placeKey, type Watch } from './watch.ts';

export interface SendDigestParts extends Omit<DeliverParts, 'saying'> {
  /** What history knew at that moment (unix milliseconds). */
  readonly pastAt: (at: number) => Past;
}

/** Does nothing for a watch of another kind, or while no digest is due. */
export async function sendDigest(watch: Watch, parts: SendDigestParts): Promise<void> {
  const { deliveries, now, translatorOf, pastAt } = parts;
  const { condition, place, zone } = watch;
  if (condition.kind !== 'digest' || place.kind !== 'channel' || isSilent(watch, now())) return;
  const week = digestWeek(zone, now());
  if (week === null) return;
  const to = `digest:${place.channel}`;
  const key = `week:${new Date(week.from).toISOString().slice(0, 10)}`;
  if ((await deliveries.since(to, week.to)).some((delivery) => delivery.key === key)) return;
  const t = await translatorOf(watch);
  const content = digestText(await weekFacts(pastAt(week.to - 1), week, zone), t);
  // Of several processes, the first to claim the week sends it.
  const claim = { key, place: to, watches: [watch.id], at: now(), cooldown: 0, most: null };
  if ((await deliveries.claim(claim)).length === 0) return;
  const { components } = alertMessage({ watches: [watch.id], lines: [], roles: [] }, t);
  const channel = { kind: 'channel', channelId: place.channel } as const;
  const sent = await parts.send({ to: channel, content, components, roles: [], nonce: nonceOf(to + key) });
  await deliveries.settle(to, key);
  if (sent !== 'sent' && sent !== 'lost') await pausePlace(placeKey(watch), sent, parts);
}
