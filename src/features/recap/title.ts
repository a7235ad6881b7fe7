import { DAY, HOUR } from '../../base/duration.ts';
import { sumBy } from '../../base/sum-by.ts';
import type { RecapFacts } from './facts.ts';

/** Hours of the day of two titles; the last one is not in it. */
export const titleHours = { night: { from: 22, to: 4 }, morning: { from: 5, to: 10 } } as const;

/** Share of the time on each of three servers, and on one server. */
export const titleShares = { everywhere: 0.1, loyal: 0.9 } as const;

/** The role had a third of the time. */
const onDuty =
  (role: NonNullable<RecapFacts['duty']>['role']) =>
  ({ duty, time }: RecapFacts): boolean =>
    duty?.role === role && duty.time >= time / 3;

/** Ordered: the first whose rule holds is the title. */
const rules = {
  police: onDuty('police'),
  medic: onDuty('medic'),
  tow: onDuty('tow'),
  night: ({ hours, time }) => timeWithin(titleHours.night, hours) >= time / 2,
  morning: ({ hours, time }) => timeWithin(titleHours.morning, hours) >= time / 2,
  weekend: ({ weekdays, time }) => sumBy(weekdays.slice(5), Number) >= (2 * time) / 3,
  daily: ({ days, elapsed }) => days >= 10 && days >= (0.9 * elapsed) / DAY,
  marathon: ({ busiest }) => busiest !== null && busiest.time >= 6 * HOUR,
  everywhere: ({ servers, time }) => servers.filter((ms) => ms >= titleShares.everywhere * time).length >= 3,
  loyal: ({ server }) => server !== null && server.share >= titleShares.loyal,
  regular: () => true,
} as const satisfies Record<string, (facts: RecapFacts) => boolean>;
export type Title = keyof typeof rules;

/** Time online below which nobody gets a title, in ms. */
const LEAST_TIME_MS = 2 * HOUR;

/** Returns the title of a period; null where too little is known, or where there was too little time. */
export function titleOf(facts: RecapFacts): Title | null {
  if (facts.isThin || facts.time < LEAST_TIME_MS) return null;
  const order = Object.keys(rules) as readonly Title[];
  return order.find((title) => rules[title](facts)) ?? null;
}

function timeWithin(
  { from, to }: { readonly from: number; readonly to: number },
  hours: readonly number[],
): number {
  const isWithin = (hour: number): boolean =>
    from < to ? hour >= from && hour < to : hour >= from || hour < to;
  return sumBy([...hours.entries()], ([hour, ms]) => (isWithin(hour) ? ms : 0));
}
