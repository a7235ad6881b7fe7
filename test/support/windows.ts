import type { TextKey } from '../../src/i18n/translator.ts';
import type { peopleInMemory } from './people.ts';

/** What a feature adds to the test of every window. */
export interface WindowParts {
  /** Names of its windows, as custom ids have them. */
  readonly names: readonly string[];
  /** Values of its `kept` fields, one for each state in which a window shows other fields. */
  readonly keptIds?: Readonly<Record<string, readonly string[]>>;
  /** Refusals of the longest values, by window. */
  readonly refusals?: Readonly<Record<string, TextKey>>;
  /** Stores what a window with these kept values is about. */
  prepare?(
    kept: Readonly<Record<string, string>>,
    people: ReturnType<typeof peopleInMemory>,
    place: { readonly person: string; readonly guild: string; readonly channel: string },
  ): Promise<void>;
}
