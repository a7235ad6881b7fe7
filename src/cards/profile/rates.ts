import type { Stats } from '../../service/models/stats.ts';

type Figures = Stats['known'];

/** In metres: from a shorter drive, crashes by distance would be chance. */
const TELLING = 100_000;

/** Crashes by 1000 km, to one decimal. */
export function crashRate({ crashes, driven_distance: metres }: Figures): number | null {
  if (crashes === undefined || metres === undefined || metres < TELLING) return null;
  return Math.round((crashes / metres) * 1e7) / 10;
}

/** A fraction of the chases that ended either way; null where none did, or either figure is not reported. */
export function winRate(won: number | undefined, lost: number | undefined): number | null {
  const all = (won ?? 0) + (lost ?? 0);
  const isCounted = won !== undefined && lost !== undefined && won >= 0 && lost >= 0 && all > 0;
  return isCounted ? won / all : null;
}

/**
 * Chases as police and as robber together; null where neither is reported. Where a role reports wins alone, or losses
 * alone, the sum of all chases is not known: `lost` is null.
 */
export function chasesOf(known: Figures): { readonly won: number; readonly lost: number | null } | null {
  const roles = [
    [known.chases_won_cop, known.chases_lost_cop],
    [known.chases_won_robber, known.chases_lost_robber],
  ] as const;
  const won = roles.flatMap(([wins]) => wins ?? []);
  if (won.length === 0) return null;
  const isWhole = roles.every(([wins, losses]) => (wins === undefined) === (losses === undefined));
  const lost = isWhole ? sum(roles.flatMap(([, losses]) => losses ?? [])) : null;
  return { won: sum(won), lost };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Money from driving by hour played. */
export function earnedByHour({
  driving_money_plus: money,
  gaming_time_total: seconds,
}: Figures): number | null {
  if (money === undefined || seconds === undefined || seconds < 3600) return null;
  return Math.round((money / seconds) * 3600);
}
