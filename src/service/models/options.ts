import { z } from 'zod';
import { text } from './leaves.ts';
import { lenientEntries } from './lenient.ts';

const optionValue = z.union([text, z.boolean().transform((on) => (on ? '1' : '0'))]);

/** Only options the driver changed from the default; every value is a string. */
export const Options = lenientEntries('option', optionValue.nullable()).transform((options) =>
  options.flatMap(({ key, value }) => (value === null ? [] : [{ name: key, value }])),
);
export type Options = z.output<typeof Options>;
