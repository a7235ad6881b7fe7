import { expect, test } from 'vitest';
import { simulateWatches } from './watches-simulation.ts';

/** Virtual hours; `SIM_HOURS=168` makes it a week. */
const hours = Number(process.env['SIM_HOURS'] ?? 5);

test.each([true, false])(
  'alerts of a whole community keep to their requests (live files name drivers: %s)',
  async (named) => {
    const outcome = await simulateWatches({
      hours,
      drivers: 300,
      watches: 200,
      lookUps: 60,
      daily: 100,
      named,
      seed: 7,
    });
    expect(outcome.failures).toEqual([]);
    expect(outcome.mostCars).toBeLessThanOrEqual(72);
    expect(outcome.mostProfiles).toBeLessThanOrEqual(60);
    expect(outcome.mostInAll).toBeLessThanOrEqual(140);
    expect(outcome.mostADay).toBeLessThanOrEqual(6);
    expect(outcome.alerts).toBeGreaterThan(10);
  },
  120_000,
);
