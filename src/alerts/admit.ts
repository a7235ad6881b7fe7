/** Which pending alerts of one place may be sent now. Pure. */
import { HOUR, MINUTE } from '../base/duration.ts';
import { hourOf, wallTime } from '../base/zone.ts';
import { type Place, placeKey, type Watch } from '../service/models/watch.ts';
import { type Delivery, mayClaim } from './deliveries.ts';

/** Alerts within any 24 hours. */
export const MOST_A_DAY: Readonly<Record<Place['kind'], number>> = { direct: 6, channel: 12 };
/** How long *Snooze* lasts, in ms. */
export const SNOOZE = 8 * HOUR;
/** By the watch's own time zone: from 23:00 to 8:00. */
const QUIET = { from: 23, to: 8 };
/** Watches of which one message speaks: their ids have to fit into its buttons. */
const MOST_TOGETHER = 10;

/** This watch may not alert at that moment, whatever else is sent to its place. */
export function isSilent(
  { snoozedUntil, paused, atNight, zone }: Pick<Watch, 'snoozedUntil' | 'paused' | 'atNight' | 'zone'>,
  now: number,
): boolean {
  if (paused !== null || (snoozedUntil !== null && now < snoozedUntil)) return true;
  const hour = hourOf(wallTime(zone, now));
  return !atNight && (hour >= QUIET.from || hour < QUIET.to);
}

/** How often may be spoken of what. */
export interface AlertPace {
  /** How long after an alert the same stays unsaid, in ms. */
  readonly cooldown: number;
  /** What that is, by the watch. */
  readonly claimOf: (watch: Watch) => string;
}

export const usualPace: AlertPace = { cooldown: 40 * MINUTE, claimOf: ({ id }) => id };

/**
 * The watches of one place that may alert now, in one message. `waiting` have something to say; `earlier`: what was
 * sent there within the last 24 hours.
 */
export function admit(
  waiting: readonly Watch[],
  earlier: readonly Pick<Delivery, 'watches' | 'at'>[],
  now: number,
  { cooldown, claimOf }: AlertPace,
): readonly Watch[] {
  const [first] = waiting;
  if (first === undefined) return [];
  const here = waiting.filter((watch) => placeKey(watch) === placeKey(first) && !isSilent(watch, now));
  const limits = { cooldown, most: MOST_A_DAY[first.place.kind] };
  const may = new Set(mayClaim({ watches: here.map(claimOf), at: now, ...limits }, earlier));
  return here.filter((watch) => may.has(claimOf(watch))).slice(0, MOST_TOGETHER);
}
