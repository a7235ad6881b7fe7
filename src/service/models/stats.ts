import type { z } from 'zod';
import { number } from './leaves.ts';
import { lenientEntries } from './lenient.ts';

/**
 * The figures of a driver's record in the interface's order, by the service's names; the later generation numbers them from 1.
 * Distances in metres, times in seconds.
 */
export const statNames = [
  'sent_money',
  'received_money',
  'earned_refunds',
  'paid_for_renting',
  'received_fines',
  'paid_fines',
  'paid_radar_fines',
  'driven_distance',
  'driving_money_plus',
  'driving_money_minus',
  'paid_donation',
  'received_donation',
  'paid_compensation',
  'received_compensation',
  'crashes',
  'chases_won_robber',
  'chases_lost_robber',
  'chases_won_cop',
  'chases_lost_cop',
  'outran_cops',
  'net_value',
  'gaming_time_total',
  'gaming_time_cop',
  'gaming_time_civil',
  'gaming_time_tow',
  'gaming_time_chasing',
  'gaming_time_chased',
  'driven_distance_cop',
  'driven_distance_civil',
  'driven_distance_tow',
  'driven_distance_offroad',
  'driven_distance_chasing',
  'driven_distance_chased',
  'driven_distance_sos',
  'cop_xp',
  'robber_xp',
  'rp_xp',
  'gumball_distance',
  'gumball_time',
  'winch_used',
  'ramps_placed',
  'sos_called',
  'sos_responded',
] as const;
export type StatName = (typeof statNames)[number];

const knownStats: ReadonlySet<string> = new Set(statNames);
function isStatName(name: string): name is StatName {
  return knownStats.has(name);
}

/**
 * Names in other generations. The later one keys figures by number, of which seven are known; the first one uses
 * camel case.
 */
const otherNames: Readonly<Record<string, StatName>> = {
  1: 'sent_money',
  2: 'received_money',
  3: 'earned_refunds',
  4: 'paid_for_renting',
  5: 'received_fines',
  6: 'paid_fines',
  7: 'paid_radar_fines',
  sentMoney: 'sent_money',
  receivedMoney: 'received_money',
  earnedRefunds: 'earned_refunds',
  paidForRenting: 'paid_for_renting',
  receivedFines: 'received_fines',
  paidFines: 'paid_fines',
  paidRadarFines: 'paid_radar_fines',
  drivenDistance: 'driven_distance',
  timeAsCop: 'gaming_time_cop',
  earnedByDriving: 'driving_money_plus',
  lostByDriving: 'driving_money_minus',
  chasesWonAsRobber: 'chases_won_robber',
  chasesLostAsRobber: 'chases_lost_robber',
  chasesWonAsCop: 'chases_won_cop',
  chasesLostAsCop: 'chases_lost_cop',
  outranCops: 'outran_cops',
  copXp: 'cop_xp',
  robberXp: 'robber_xp',
  netValue: 'net_value',
  gumballDistance: 'gumball_distance',
  gumballTime: 'gumball_time',
};

/** Figures that may be below zero: debts, and points that can be lost. Any other is a distance, a time, a count or a total. */
const mayBeNegative: ReadonlySet<StatName> = new Set(['net_value', 'cop_xp', 'robber_xp', 'rp_xp']);

/** Figures by the service's names; `other` holds unknown ones, keyed as the service sends them. */
export const Stats = lenientEntries('figure', number.nullable()).transform((figures) => {
  const figuresByName: Partial<Record<StatName, number>> = {};
  const other: { name: string; value: number }[] = [];
  for (const { key, value } of figures) {
    // A driver who has never done it has no figure for it.
    if (value === null) continue;
    const name = Object.hasOwn(otherNames, key) ? otherNames[key] : key;
    if (name !== undefined && isStatName(name)) {
      // A counter of the game that has overflowed says nothing.
      if (value >= 0 || mayBeNegative.has(name)) figuresByName[name] = value;
    } else other.push({ name: key, value });
  }
  return { known: figuresByName, other };
});
export type Stats = z.output<typeof Stats>;
export type KnownStats = Stats['known'];
