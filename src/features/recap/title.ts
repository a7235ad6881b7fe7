import { DAY, HOUR } from '../../base/duration.ts';
import { type RecapFacts, sum } from './facts.ts';

/** Ordered: the first whose rule holds is the title. */
const rules = {
  police: ({ duty, time }) => duty?.role === 'police' && duty.time >= time / 3,
  medic: ({ duty, time }) => duty?.role === 'medic' && duty.time >= time / 3,
  tow: ({ duty, time }) => duty?.role === 'tow' && duty.time >= time / 3,
  night: ({ hours, time }) => sum([22, 23, 0, 1, 2, 3], (hour) => hours[hour] ?? 0) >= time / 2,
  morning: ({ hours, time }) => sum([5, 6, 7, 8, 9], (hour) => hours[hour] ?? 0) >= time / 2,
  weekend: ({ weekdays, time }) => sum(weekdays.slice(5), Number) >= (2 * time) / 3,
  daily: ({ days, elapsed }) => days >= 10 && days >= (2 * elapsed) / (3 * DAY),
  marathon: ({ busiest }) => busiest !== null && busiest.time >= 6 * HOUR,
  everywhere: ({ servers, time }) => servers.filter((ms) => ms >= time / 10).length >= 3,
  loyal: ({ server }) => server !== null && server.share >= 0.9,
  regular: () => true,
} as const satisfies Record<string, (facts: RecapFacts) => boolean>;
type Title = keyof typeof rules;

/** Time online below which nobody gets a title, in ms. */
const LEAST_TIME_MS = 2 * HOUR;

/** Returns the title of a period; null where too little is known, or where there was too little time. */
export function titleOf(facts: RecapFacts): Title | null {
  if (facts.isThin || facts.time < LEAST_TIME_MS) return null;
  const order = Object.keys(rules) as readonly Title[];
  return order.find((title) => rules[title](facts)) ?? null;
}
