import type { KnownStats } from '../../../src/service/models/stats.ts';

/** In metres: from a shorter drive, crashes by distance would be chance. */
const MIN_DISTANCE_METRES = 100_000;

/** Crashes by a thousand of the unit, which is so many metres, to one decimal. */
export function crashRate({ crashes, driven_distance: metres }: KnownStats, unit: number): number | null {
  if (crashes === undefined || metres === undefined || metres < MIN_DISTANCE_METRES) return null;
  return Math.round((crashes / metres) * 1000 * unit * 10) / 10;
}

/** A fraction of the chases that ended either way; null where none did, or either figure is not reported. */
export function winRate(won: number | undefined, lost: number | undefined): number | null {
  const all = (won ?? 0) + (lost ?? 0);
  const isCounted = won !== undefined && lost !== undefined && won >= 0 && lost >= 0 && all > 0;
  return isCounted ? won / all : null;
}

/** Chases as police and as robber together; null where a part of them is not reported: half a sum reads like all of it. */
export function chasesOf({
  chases_won_cop: wonAsPolice,
  chases_lost_cop: lostAsPolice,
  chases_won_robber: wonAsRobber,
  chases_lost_robber: lostAsRobber,
}: KnownStats): { readonly won: number; readonly lost: number } | null {
  if (wonAsPolice === undefined || lostAsPolice === undefined) return null;
  if (wonAsRobber === undefined || lostAsRobber === undefined) return null;
  return { won: wonAsPolice + wonAsRobber, lost: lostAsPolice + lostAsRobber };
}

/** Money from driving by hour played. */
export function earnedByHour({
  driving_money_plus: money,
  gaming_time_total: seconds,
}: KnownStats): number | null {
  if (money === undefined || seconds === undefined || seconds < 3600) return null;
  return Math.round((money / seconds) * 3600);
}
