/** A driver's figures, of what the driver has played. */
import type { Driver } from './community.ts';
import type { Visit } from './past.ts';
import type { Random } from './random.ts';
import { SECOND } from './time.ts';

const roles = ['civil', 'cop', 'tow'] as const;

/** Seconds in each role; medics count as civil. */
type TimePlayed = Readonly<Record<(typeof roles)[number], number>>;

/** All visits, and before their year some hours for every week, on duty where a licence is as old. */
export function timePlayed(
  random: Random,
  { joined, keenness, licences }: Pick<Driver, 'joined' | 'keenness' | 'licences'>,
  known: { readonly visits: readonly Visit[]; readonly since: number; readonly now: number },
): TimePlayed {
  const time = { cop: 0, tow: 0, civil: 0 };
  for (const { role, from, to } of known.visits)
    time[role === 'med' ? 'civil' : role] += (Math.min(to, known.now) - from) / SECOND;
  const earlier = (Math.max(0, known.since - joined) * keenness * 0.03) / SECOND;
  const onDuty = (role: 'cop' | 'tow', share: number): number =>
    licences.some(({ type, issued }) => type === role && issued < known.since) ? earlier * share : 0;
  const cop = onDuty('cop', random.next() ** 2 * 0.5);
  const tow = onDuty('tow', random.next() ** 3 * 0.25);
  return {
    cop: Math.round(time.cop + cop),
    tow: Math.round(time.tow + tow),
    civil: Math.round(time.civil + earlier - cop - tow),
  };
}

/** A consistent record: roles add up to the total, and parts of a role stay within it. */
export function someFigures(random: Random, time: TimePlayed): Driver['figures'] {
  const seconds = time.cop + time.tow + time.civil;
  const hours = seconds / 3600;
  const metres = Object.fromEntries(
    roles.map((role) => [role, Math.round(time[role] * random.between(8, 21) * 10) / 10]),
  );
  const { cop = 0, civil = 0, tow = 0 } = metres;
  const chasing = random.between(0.05, 0.4);
  const chased = random.between(0.01, 0.15);
  const often = (each: number): number => Math.round(hours * each * random.next());
  return {
    gaming_time_total: seconds,
    gaming_time_cop: time.cop,
    gaming_time_civil: time.civil,
    gaming_time_tow: time.tow,
    gaming_time_chasing: Math.round(time.cop * chasing),
    gaming_time_chased: Math.round(time.civil * chased),
    driven_distance: cop + civil + tow,
    driven_distance_cop: cop,
    driven_distance_civil: civil,
    driven_distance_tow: tow,
    driven_distance_offroad: (cop + civil + tow) * random.between(0, 0.06),
    driven_distance_chasing: cop * chasing,
    driven_distance_chased: civil * chased,
    driven_distance_sos: tow * random.between(0, 0.5),
    sent_money: often(900),
    received_money: often(900),
    earned_refunds: often(150),
    paid_for_renting: often(120),
    received_fines: Math.round(time.cop * random.between(0, 0.4)),
    paid_fines: often(400),
    paid_radar_fines: often(220),
    driving_money_plus: often(4_000),
    driving_money_minus: often(700),
    paid_donation: often(60),
    received_donation: often(60),
    paid_compensation: often(80),
    received_compensation: often(80),
    crashes: often(3),
    chases_won_robber: often(0.5),
    chases_lost_robber: often(0.6),
    chases_won_cop: Math.round(time.cop / 4000),
    chases_lost_cop: Math.round(time.cop / 7000),
    outran_cops: often(0.4),
    cop_xp: Math.round(time.cop / 20),
    robber_xp: often(30),
    rp_xp: often(50),
    gumball_distance: Math.round(civil * 0.01),
    gumball_time: Math.round(time.civil * 0.01),
    winch_used: Math.round(time.tow / 900),
    ramps_placed: Math.round(time.tow / 1800),
    sos_called: often(0.5),
    sos_responded: Math.round(time.tow / 1200),
  };
}
