import { z } from 'zod';
import { Item } from './item.ts';
import { measure, percent, text } from './leaves.ts';
import { fields, list } from './lenient.ts';

/** A car inside a profile. `condition`, `wear` and `damage` are 0 to 100; `type` may carry a variant. */
export const GarageCar = z.object({
  vin: text,
  ...fields({
    type: text,
    odometerKm: measure,
    condition: percent,
    wear: percent,
    damage: percent,
    upgrades: list('upgrade', Item),
  }),
});
export type GarageCar = z.output<typeof GarageCar>;
