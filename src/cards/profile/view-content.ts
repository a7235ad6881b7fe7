import type { Button, Row } from '../kit/card.ts';
import type { Section } from '../kit/embed.ts';
import type { Lines } from '../kit/fit-lines.ts';

/** What one view of a driver adds to the card that all views share. */
export interface ViewContent {
  readonly lead: readonly string[];
  readonly list?: Lines;
  readonly sections?: readonly Section[];
  /** Where the reader is when the view has pages. */
  readonly page?: number;
  /** Rows of its own, and buttons beside *Refresh*; asked for only where buttons can name the driver. */
  readonly menus?: (username: string) => readonly Row[];
  readonly turns?: (username: string) => readonly Button[];
}
