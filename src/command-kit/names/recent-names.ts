import type { Keyv } from 'keyv';
import { z } from 'zod';
import { MINUTE } from '../../base/duration.ts';
import { forEachInSlices } from '../../base/for-each-yielding.ts';
import { createJob, startJobs } from '../../base/job.ts';
import { createMutex } from '../../base/mutex.ts';
import type { Runtime } from '../../base/runtime.ts';
import type { DiscoveredNames } from '../../service/endpoints.ts';
import { LicenceType } from '../../service/models/identifiers.ts';
import { createNameIndex, type NameLimits, type SeenName } from './name-index.ts';
import { type CalledPlayer, createNicknames } from './nicknames.ts';

/** Names and VINs seen in recent answers: what autocomplete offers, from memory, without a request. */
export interface RecentNames {
  /** Usernames that match the text (ignoring case and colour codes), most likely first, at most 25. */
  players(input: string): readonly string[];
  vins(input: string): DiscoveredNames['vins'];
  /** Similar usernames, closest first, at most 3; empty if this one itself was seen. */
  playersNear(input: string): readonly string[];
  vinsNear(input: string): DiscoveredNames['vins'];
  /** Types of licences, as profiles name them. */
  licences(input: string): readonly string[];
  /** Drivers whose in-game name is, or contains, the text (ignoring case and colour codes), best first, at most 25. */
  playersCalled(input: string): readonly CalledPlayer[];
  /** The driver's in-game name with its colour codes, where one was seen. */
  nicknameOf(username: string): string | null;
  /** The driver with that id of the service, whose profile was read since the start. */
  playerWithId(id: string): string | null;
}

/** Returns the names without those of hidden drivers. */
export function withoutHidden(names: RecentNames, isHidden: (username: string) => boolean): RecentNames {
  const visibleNames = (candidates: readonly string[]): readonly string[] =>
    candidates.filter((name) => !isHidden(name));
  return {
    ...names,
    players: (input) => visibleNames(names.players(input)),
    playersNear: (input) => visibleNames(names.playersNear(input)),
    // An in-game name is judged to be one driver's only among all of them: hiding makes no guess right.
    playersCalled: (input) => names.playersCalled(input).filter(({ username }) => !isHidden(username)),
    nicknameOf: (username) => (isHidden(username) ? null : names.nicknameOf(username)),
    playerWithId(id) {
      const player = names.playerWithId(id);
      return player === null || isHidden(player) ? null : player;
    },
  };
}

/** Recent names with write access. */
export interface RecentNamesMemory extends RecentNames {
  /** `asOf`: when the answer was true, in unix milliseconds. */
  learn(discoveredNames: DiscoveredNames, asOf: number): void;
  /** Forgets the driver's in-game name; one seen later is learned again. Never rejects. */
  forgetNickname(username: string): Promise<void>;
  /** Saves new names to the store. Never rejects: suggestions are not worth a failure. */
  save(): Promise<void>;
}

/**
 * For each of the three kinds; more names than a large community has. Together at most 6 MB of memory and 9 MB of the
 * store, usually a tenth of that.
 */
const LIMITS: NameLimits = { names: 50_000, characters: 1_000_000 };

/** Names of each kind in one value of the store: it is read and written in a few milliseconds. */
const PART_SIZE = 5000;

/** Discord accepts choices of up to 100 characters; a username has at most 64. */
const MAX_NAME_LENGTH = 100;
/** A type is a three-letter code, perhaps with a variant; anything longer is not a car. */
const MAX_TYPE_LENGTH = 64;
/** Types of licences; a service has about ten. */
const MAX_LICENCES = 100;

const SavedNames = z.object({
  players: z.array(z.string()),
  vins: z.array(z.tuple([z.string(), z.string().nullable()])),
  nicknames: z.array(z.tuple([z.string(), z.string(), z.number()])).catch([]),
  licences: z.array(z.string()).catch([]),
});

type SavedNames = z.output<typeof SavedNames>;

/**
 * Restores the names of the last run. All of them are written at once, a few megabytes in parts, so `save` is for
 * occasional use, not for every name.
 */
export async function openRecentNames(
  store: Keyv,
  options: {
    /** In unix milliseconds. */
    readonly now: () => number;
    readonly failed: (error: unknown) => void;
    readonly limits?: NameLimits;
    /** Other processes save there too: each merges their names when it saves. */
    readonly shared?: boolean;
  },
): Promise<RecentNamesMemory> {
  const { now, failed, limits = LIMITS, shared = false } = options;
  const names = createNames(limits, now);
  const { players, vins, nicknames, licences } = names;
  const mutex = createMutex();
  let changed = false;

  async function addSaved(): Promise<void> {
    for (let part = 0; ; part += 1) {
      const saved = SavedNames.safeParse(await store.get(keyOf(part))).data;
      if (saved === undefined) return;
      await names.add(saved);
    }
  }

  async function write(): Promise<void> {
    if (!changed) return;
    changed = false;
    try {
      if (shared) await addSaved();
      let count = 0;
      await forEachInSlices(names.parts(), async (part) => {
        await store.set(keyOf(count), part);
        count += 1;
      });
      // Readers stop at the first missing part, which drops the rest of an earlier, longer list.
      await store.delete(keyOf(count));
    } catch (error) {
      changed = true;
      failed(error);
    }
  }

  const save = (): Promise<void> => mutex('save', write);

  try {
    await addSaved();
  } catch (error) {
    failed(error);
  }

  return {
    players: (input) => players.search(input).map(({ name }) => name),
    vins: (input) => vins.search(input).map(asVin),
    playersNear: (input) => players.near(input).map(({ name }) => name),
    vinsNear: (input) => vins.near(input).map(asVin),
    licences: (input) => licences.search(input).map(({ name }) => name),
    playersCalled: nicknames.search,
    nicknameOf: nicknames.of,
    playerWithId: (id) => players.all().find(({ detail }) => detail === id)?.name ?? null,
    learn(discovered, asOf) {
      for (const name of discovered.players) names.learnPlayer(name, discovered);
      for (const { vin, type } of discovered.vins) names.learnVin(vin, type);
      for (const type of discovered.licences ?? []) names.learnLicence(type);
      const isNews = discovered.players.length + discovered.vins.length > 0 && discovered.fleeting !== true;
      changed ||= isNews;
      for (const { username, nickname } of discovered.nicknames ?? [])
        if (names.learnNickname(username, nickname, asOf)) changed = true;
    },
    async forgetNickname(username) {
      // Kept as a name of no letters, so that no other process that knew it brings it back.
      if (names.learnNickname(username, '', now())) changed = true;
      await save();
    },
    save,
  };
}

/** How often new names are saved, in ms: a crash loses those of this time. */
const SAVE_INTERVAL_MS = MINUTE;
/** Limits of the names in the store, in parts of some thousand. */
const STORE_LIMITS = { maxRows: 20, maxBytes: 16 * 1024 * 1024 };

/** The names that were seen before the last stop, and all since. */
export async function keepRecentNames(
  store: {
    readonly hasPeers: boolean;
    readonly namespace: (name: string, limits: typeof STORE_LIMITS) => Keyv;
  },
  { clock, log, resources }: Runtime,
): Promise<RecentNamesMemory> {
  const { hasPeers, namespace } = store;
  const failed = (error: unknown): void => log.warn({ err: error }, 'recent names not saved');
  const recentNames = await openRecentNames(namespace('seen', STORE_LIMITS), {
    shared: hasPeers,
    now: clock.now,
    failed,
  });
  resources.defer(recentNames.save);
  startJobs(resources, [createJob(clock, SAVE_INTERVAL_MS, recentNames.save, failed)], SAVE_INTERVAL_MS);
  return recentNames;
}

function keyOf(part: number): string {
  return part === 0 ? 'all' : `all ${part}`;
}

/** A VIN's detail is its model's code. */
const asVin = ({ name, detail }: SeenName) => ({ vin: name, type: detail });

/** The names in memory, and which of them are worth keeping. */
function createNames(limits: NameLimits, now: () => number) {
  const players = createNameIndex(limits);
  const vins = createNameIndex(limits);
  const nicknames = createNicknames(limits, now);
  const licences = createNameIndex({ ...limits, names: MAX_LICENCES });

  /** Of a player, the detail is the id. */
  function learnPlayer(name: string, { asTyped, playerId }: Partial<DiscoveredNames> = {}): void {
    if (name.length <= MAX_NAME_LENGTH && !(asTyped && players.has(name))) players.add(name, playerId);
  }

  function learnVin(vin: string, type: string | null): void {
    if (vin.length > MAX_NAME_LENGTH) return;
    vins.add(vin, type !== null && type.length <= MAX_TYPE_LENGTH ? type : null);
  }

  function learnLicence(type: string): void {
    if (LicenceType.safeParse(type).success) licences.add(type);
  }

  /** False: not worth a write. */
  function learnNickname(username: string, nickname: string, at: number): boolean {
    const fits = username.length <= MAX_NAME_LENGTH && nickname.length <= MAX_NAME_LENGTH;
    return fits && nicknames.learn(username, nickname, at);
  }

  return {
    players,
    vins,
    nicknames,
    licences,
    learnPlayer,
    learnVin,
    learnNickname,
    learnLicence,
    /** Adds the saved names that are not known yet. */
    async add(saved: SavedNames): Promise<void> {
      await forEachInSlices(saved.players, (name) => {
        if (!players.has(name)) learnPlayer(name);
      });
      await forEachInSlices(saved.vins, ([vin, type]) => {
        if (!vins.has(vin)) learnVin(vin, type);
      });
      await forEachInSlices(saved.nicknames, (nicknamed) => void learnNickname(...nicknamed));
      for (const type of saved.licences) learnLicence(type);
    },
    /** The names to save; at least one part. */
    *parts(): Iterable<SavedNames> {
      const all = { players: players.all(), vins: vins.all(), nicknames: nicknames.all() };
      const length = Math.max(1, all.players.length, all.vins.length, all.nicknames.length);
      for (let from = 0; from < length; from += PART_SIZE)
        yield {
          players: all.players.slice(from, from + PART_SIZE).map(({ name }) => name),
          vins: all.vins.slice(from, from + PART_SIZE).map(({ name, detail }) => [name, detail]),
          nicknames: all.nicknames.slice(from, from + PART_SIZE).map((nicknamed) => [...nicknamed]),
          licences: from === 0 ? licences.all().map(({ name }) => name) : [],
        };
    },
  };
}
