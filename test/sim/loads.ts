import type { Load } from './simulation.ts';

/** Requests per hour against a key of 720 in an hour. */
export const loads = {
  /** A busy community: all of it can be had. */
  'people 500': { people: 500, pollers: 600, crowd: 0, others: 0 },
  /** Half as much again as the key allows, by people alone. */
  'people 1080': { people: 1080, pollers: 600, crowd: 0, others: 0 },
  /** A hundred in the same moment after every start. */
  'crowd of 100': { people: 200, pollers: 600, crowd: 100, others: 0 },
  /** Another program has left one request when the bot first starts. */
  'one left at the start': { people: 500, pollers: 600, crowd: 0, others: 0, othersBefore: 719 },
  /** Another program spends the same key. */
  'others 200': { people: 500, pollers: 600, crowd: 0, others: 200 },
} as const satisfies Readonly<Record<string, Load>>;

export type LoadName = keyof typeof loads;
