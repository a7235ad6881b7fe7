import type { Offer } from '../car/asking-price.ts';
import type { ProfilePast } from '../history/gains.ts';
import type { Button, Row } from '../kit/card.ts';
import type { Section } from '../kit/embed.ts';
import type { Lines } from '../kit/fit-lines.ts';

/** What the bot itself remembers and a view may show. */
export interface Remembered {
  /** What the first view compares the record with; null where nothing is known. */
  readonly past: ProfilePast | null;
  /** Of the models in the garage, the last seen first. */
  readonly offers: readonly Offer[];
}

/** What a view adds to the card shared by all views. */
export interface ViewContent {
  readonly lead: readonly string[];
  /** A table takes the whole width of a phone: no flag beside it, which would cost it columns. */
  readonly wide?: boolean;
  readonly list?: Lines;
  readonly sections?: readonly Section[];
  /** The current page, if the view has pages. */
  readonly page?: number;
  /** The view's own rows, and buttons beside *Refresh*; only called if buttons can name the driver. */
  readonly menus?: (username: string) => readonly Row[];
  readonly turns?: (username: string) => readonly Button[];
}
