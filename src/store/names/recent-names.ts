import type { Keyv } from 'keyv';
import { z } from 'zod';
import type { DiscoveredNames } from '../../service/endpoints.ts';
import { createNameIndex } from './name-index.ts';

export interface RecentVin {
  readonly vin: string;
  /** The model's code, where it is known. */
  readonly type: string | null;
}

/** Names and VINs seen in answers lately: what autocomplete offers, from memory, without a request. */
export interface RecentNames {
  /** Usernames that match what was typed (case and colour codes ignored), most likely first, at most 25. */
  players(typed: string): readonly string[];
  /** VINs that match what was typed. */
  vins(typed: string): readonly RecentVin[];
  /** Usernames written nearly like this one, nearest first, at most 3; empty where this one was seen itself. */
  playersNear(typed: string): readonly string[];
  vinsNear(typed: string): readonly RecentVin[];
}

/** The memory behind it, for whoever fills and keeps it. */
export interface RecentNamesMemory extends RecentNames {
  learn(discoveredNames: DiscoveredNames): void;
  /** Writes what is new to the store. Never rejects: suggestions are not worth a failure. */
  save(): Promise<void>;
}

/** Of each kind: more than a large community has, and little memory. */
const LIMIT = 50_000;

/** Names longer than chat's choices are no use in them (field notes §3). */
const NAME_LIMIT = 100;

const Saved = z.object({
  players: z.array(z.string()),
  vins: z.array(z.tuple([z.string(), z.string().nullable()])),
});

/**
 * Restores what was seen before the last stop. All of it is one value in the store, written as a whole: about a
 * megabyte at the limit, so `save` is for once in a while, not for every name.
 */
export async function openRecentNames(
  store: Keyv,
  options: {
    readonly failed: (error: unknown) => void;
    readonly limit?: number;
    /** Other processes save there, too: each learns at its own save what the others have seen. */
    readonly shared?: boolean;
  },
): Promise<RecentNamesMemory> {
  const limit = options.limit ?? LIMIT;
  const players = createNameIndex(limit);
  const vins = createNameIndex(limit);
  const types = new Map<string, string>();
  let changed = false;

  function sawVin(vin: string, type: string | null): void {
    vins.add(vin);
    if (type !== null) types.set(vin, type);
    // The index forgets on its own; what it forgot goes here once in a while.
    if (types.size > limit * 2) {
      const known = new Set(vins.names());
      for (const old of types.keys()) if (!known.has(old)) types.delete(old);
    }
  }

  const withType = (vin: string): RecentVin => ({ vin, type: types.get(vin) ?? null });

  async function learnSaved(): Promise<void> {
    const saved = Saved.safeParse(await store.get('all')).data;
    const knownPlayers = new Set(players.names());
    const knownVins = new Set(vins.names());
    for (const name of saved?.players ?? []) if (!knownPlayers.has(name)) players.add(name);
    for (const [vin, type] of saved?.vins ?? []) if (!knownVins.has(vin)) sawVin(vin, type);
  }

  try {
    await learnSaved();
  } catch (error) {
    options.failed(error);
  }

  return {
    players: (typed) => players.search(typed),
    vins: (typed) => vins.search(typed).map(withType),
    playersNear: (typed) => players.near(typed),
    vinsNear: (typed) => vins.near(typed).map(withType),
    learn(discoveredNames) {
      for (const name of discoveredNames.players) {
        if (name.length > NAME_LIMIT) continue;
        players.add(name);
        changed ||= discoveredNames.fleeting !== true;
      }
      for (const { vin, type } of discoveredNames.vins) {
        if (vin.length > NAME_LIMIT) continue;
        sawVin(vin, type);
        changed ||= discoveredNames.fleeting !== true;
      }
    },
    async save() {
      if (!changed) return;
      changed = false;
      try {
        if (options.shared) await learnSaved();
        await store.set('all', {
          players: players.names(),
          vins: vins.names().map((vin) => [vin, types.get(vin) ?? null]),
        });
      } catch (error) {
        changed = true;
        options.failed(error);
      }
    },
  };
}
