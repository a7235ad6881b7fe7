/** Selects the pending alerts of one place that may be sent now. Pure. */
import { MINUTE } from '../../../src/base/duration.ts';
import { hourOf, wallTime } from '../../../src/base/zone.ts';
import { limitsOf } from '../../../src/messages/outbox/kinds.ts';
import { type Delivery, mayClaim } from '../../../src/messages/outbox/ledger.ts';
import type { PendingAlert } from '../models/memory.ts';
import { placeKey, type Watch } from '../models/watch.ts';

/** How far two processes may be apart in noticing the same thing, in ms. */
const MAX_SKEW_MS = MINUTE;
/** From 23:00 to 8:00 in the watch's time zone; at any hour, if it has none. */
const QUIET_HOURS = { from: 23, to: 8 };
/** Watches of which one message speaks: their ids have to fit into its buttons. */
const MAX_WATCHES_A_MESSAGE = 10;

/** This watch may not alert at that moment, whatever else is sent to its place. */
export function isSilent(
  { snoozedUntil, paused, atNight, zone }: Pick<Watch, 'snoozedUntil' | 'paused' | 'atNight' | 'zone'>,
  now: number,
): boolean {
  if (paused !== null || (snoozedUntil !== null && now < snoozedUntil)) return true;
  if (atNight || zone === null) return false;
  const hour = hourOf(wallTime(zone, now));
  return hour >= QUIET_HOURS.from || hour < QUIET_HOURS.to;
}

/**
 * Returns the key by which the bot limits how often it repeats an alert. A watch for outages has one key for "down" and one
 * for "back"; any other watch has one key.
 */
export function claimKey({ watch: { id, condition }, due }: PendingAlert): string {
  return condition.kind === 'outage' ? `${id} ${due[0]?.news.kind ?? ''}` : id;
}

/** Returns the kind of a watch's messages: outages have limits of their own. */
export function kindOf({ condition }: Watch) {
  return condition.kind === 'outage' ? 'outage-alert' : 'alert';
}

/**
 * `waiting` are either all of outages or none; `earlier`: what was sent to their place within the last 24 hours.
 * `admitted` may be sent now, in one message; `elsewhere` has been said by another process, which kept the alerts a
 * moment ago.
 */
export function admitAlerts(
  waiting: readonly PendingAlert[],
  earlier: readonly Pick<Delivery, 'watches' | 'at'>[],
  now: number,
): Record<'elsewhere' | 'admitted', readonly PendingAlert[]> {
  const [first] = waiting;
  if (first === undefined) return { elsewhere: [], admitted: [] };
  // One from the future is older than a clock that was set back.
  const isSaid = (one: PendingAlert): boolean =>
    earlier.some(
      ({ watches, at }) =>
        watches.includes(claimKey(one)) && at > one.since - MAX_SKEW_MS && at <= now + MAX_SKEW_MS,
    );
  const isHere = ({ watch }: PendingAlert): boolean => placeKey(watch) === placeKey(first.watch);
  const sendable = waiting.filter((one) => isHere(one) && !isSaid(one) && !isSilent(one.watch, now));
  const limits = limitsOf(kindOf(first.watch), first.watch.place.kind);
  const may = new Set(mayClaim({ watches: sendable.map(claimKey), at: now, ...limits }, earlier));
  return {
    elsewhere: waiting.filter(isSaid),
    admitted: sendable.filter((one) => may.has(claimKey(one))).slice(0, MAX_WATCHES_A_MESSAGE),
  };
}
