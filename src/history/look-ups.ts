import type { Clock } from '../base/clock.ts';
import type { Observation } from '../service/endpoints.ts';
import type { ChunkChange, HistoryChunks } from '../store/history-chunks.ts';
import { createOffers } from './offers.ts';
import { createReadings, figuresOf } from './readings.ts';

/** What history takes from look-ups that happen anyway. */
export interface LookUps {
  /** Notes a record that was true at that time. Memory only. */
  observed(observation: Observation, asOf: number): void;
  /** The changes for what was noted since the last call. */
  changes(): Promise<readonly ChunkChange[]>;
  /** The chunks of drivers who are not linked any more, beyond what is kept of such. */
  expired(now: number): Promise<readonly ChunkChange[]>;
}

export function createLookUps(parts: {
  readonly chunks: HistoryChunks;
  readonly clock: Clock;
  readonly isLinked: (username: string) => boolean;
  readonly isHidden: (username: string) => boolean;
}): LookUps {
  const readings = createReadings(parts);
  const offers = createOffers(parts);
  return {
    observed({ kind, record }, asOf) {
      if (kind === 'profile') readings.note(record.username, asOf, () => figuresOf(record));
      else if (kind === 'car') offers.note(record, asOf);
    },
    changes: async () => [...(await readings.changes()), ...(await offers.changes())],
    expired: readings.expired,
  };
}
