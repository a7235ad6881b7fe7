import { z } from 'zod';
import { Item } from './item.ts';
import { number, text } from './leaves.ts';
import { fields, list } from './lenient.ts';

/** A car inside a profile. `condition`, `wear` and `damage` are 0 to 100; `type` may carry a variant. */
export const GarageCar = z.object({
  vin: text,
  ...fields({
    type: text,
    odometerKm: number,
    condition: number,
    wear: number,
    damage: number,
    upgrades: list('upgrade', Item),
  }),
});
export type GarageCar = z.output<typeof GarageCar>;
