import type { ChatStatus, LiveServer, LiveStatus, Overview } from '../service/models.ts';
import type { Words } from '../words/words.ts';
import type { Card } from './card.ts';
import { embed, type Section } from './embed.ts';

/** The last good record of one source. */
export interface Known<T> {
  readonly record: T;
  /** Unix ms: the data's own clock. */
  readonly asOf: number;
}

/** What is known of everything that a board shows; null for what nobody has told yet. */
export interface BoardFacts {
  readonly overview: Known<Overview> | null;
  readonly live: Readonly<Record<LiveServer, Known<LiveStatus> | null>>;
  readonly chat: Known<ChatStatus> | null;
}

/** How a board stands, and its two times in unix milliseconds. */
export interface BoardLook {
  readonly mode: 'live' | 'stale' | 'no-data' | 'paused';
  /** When what is shown last became different. */
  readonly changed: number | null;
  /** The newest answer's own clock. */
  readonly checked: number | null;
}

export function boardCard(_facts: BoardFacts, look: BoardLook, words: Words): Card {
  return {
    embeds: [embed({ title: look.mode, lead: [], sections: [] as Section[] }, words)],
    components: [],
  };
}
