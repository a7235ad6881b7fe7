import type { Belongings } from '../../src/features/feature.ts';
import type { Documents } from '../../src/store/documents.ts';
import { featureParts } from './feature-parts.ts';

/** Stored data that a feature has of guilds. */
export interface GuildData {
  readonly belongings: Belongings;
  /** Stores something of each kind, made at that time by the clock of this machine. `id`: six digits of its own. */
  make(made: {
    readonly guild: string;
    readonly channel: string;
    readonly id: string;
    readonly at: number;
  }): Promise<unknown>;
  /** Counts what the guild has, as its removal does. */
  count(guild: string): Promise<number>;
}

/** By feature. */
export const guildDataOfFeatures = await featureParts<(documents: Documents) => GuildData>(
  'guild-data',
  'createGuildData',
);
