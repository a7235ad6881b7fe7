import { z } from 'zod';
import { measure, number, text } from './leaves.ts';
import { fields } from './lenient.ts';

/** An upgrade built into a car (ramp, winch, radar warner, …) or a property. `condition` is 0 to 1. */
export const Item = z.object({ type: text, ...fields({ name: text, condition: measure, value: number }) });
export type Item = z.output<typeof Item>;
