/** The figures of a driver's record in the interface's order. The later generation numbers them from 1. */
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
type StatName = (typeof statNames)[number];

/** The counted figures. The net value is not one: it is computed from a driver's possessions. */
export type Figures = Partial<Record<Exclude<StatName, 'net_value'>, number>>;

const counted = new Set<string>(statNames.filter((name) => name !== 'net_value'));

export const isFigure = (name: string): name is keyof Figures => counted.has(name);
