import type { Section } from '../kit/embed.ts';
import type { Lines } from '../kit/fit-lines.ts';

/** What a view adds to the card shared by all views. */
export interface ViewContent {
  readonly lead: readonly string[];
  readonly list?: Lines;
  readonly sections?: readonly Section[];
}
