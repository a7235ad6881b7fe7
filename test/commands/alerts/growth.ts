import { SECOND } from '../../../src/base/duration.ts';
import { costOf } from '../../bench/cost.ts';
import type { Costs, Growing } from '../../bench/growth/growing.ts';
import { each } from '../../bench/growth/in-process.ts';
import { oneOfEachKind, openAlerts } from './sim/alerts-at-work.ts';

/** Alerts of every kind, by the rounds of which there are four a minute. */
async function alerts(count: number): Promise<Costs> {
  const { pass, round, end } = await openAlerts(count, oneOfEachKind);
  const first = await costOf(round);
  const later = await each(() => {
    pass(15 * SECOND);
    return round();
  });
  await end();
  return { 'CPU ms, first round': first.cpu, 'CPU ms a round': later };
}

/** An alert for each of so many drivers, while 1600 others drive. */
async function watchedDrivers(count: number): Promise<Costs> {
  const conditionOf = (index: number) => ({ kind: 'driver', player: `someone ${index}` }) as const;
  const { pass, round, end } = await openAlerts(count, conditionOf);
  pass(15 * SECOND, 400);
  await round();
  const later = await each(() => {
    pass(15 * SECOND);
    return round();
  });
  await end();
  return { 'CPU ms a round': later };
}

const sizes = [100, 1000, 10_000];

export const growing: Readonly<Record<string, Growing>> = {
  alerts: { sizes, measure: alerts, here: true },
  'watched drivers': { sizes, measure: watchedDrivers, here: true },
};
