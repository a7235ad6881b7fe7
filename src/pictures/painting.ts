/** What the drawing process answers for one chart. */
import { z } from 'zod';

export const Painting = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('drawn'), png: z.custom<Uint8Array>((value) => value instanceof Uint8Array) }),
  /** The drawing library or the font is not installed. */
  z.object({ kind: z.literal('missing'), why: z.string() }),
  /** A text of the chart has a letter that the font does not. */
  z.object({ kind: z.literal('letters'), why: z.string() }),
  z.object({ kind: z.literal('failed'), why: z.string() }),
]);
export type Painting = z.output<typeof Painting>;
