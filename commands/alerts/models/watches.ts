import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { forEachInSlices } from '../../../src/base/for-each-yielding.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import { personalPlaces } from '../../../src/messages/outbox/kinds.ts';
import { changeDocuments, type Transaction } from '../../../src/store/change.ts';
import {
  declareCollection,
  deriveFromCollection,
  personalExport,
  readAll,
  readDocument,
  readNaming,
} from '../../../src/store/collection.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { escapeMarkdown } from '../../../src/text/names.ts';
import { reminderText, wantedText } from '../cards/alert-text.ts';
import { WatchState } from './observe.ts';
import { placeKey, Watch } from './watch.ts';

/** Watches that one person may have, and one channel; and as many reminders. */
const MAX_PER_PLACE = 20;
/** Watches in the channels of one guild, which must not take the room of all others. */
const MAX_PER_GUILD = 200;
/** Watches that one person may have made, wherever they alert, for the same reason. */
const MAX_PER_MAKER = 400;
/** Watches in all. Each takes less than a kilobyte, and what is remembered of it at most eight. */
const MAX_WATCHES = 10_000;

/** Places that are read one by one. */
const MAX_SINGLE_READS = 20;

/** Readings in one document: about 50 kB. */
const READINGS_A_PART = 250;

/** Places whose states are written at once: a few milliseconds, and one wait for the disk. */
const MAX_PLACES_AT_ONCE = 25;

/** A watch with what its rule remembers. */
export interface WatchRecord {
  readonly watch: Watch;
  readonly state: WatchState;
}

type Added = 'added' | 'person-full' | 'channel-full' | 'guild-full' | 'maker-full' | 'full';

/** A watch, by what never changes of it. */
type WatchKey = Pick<Watch, 'id' | 'person' | 'place'>;

/** By place, oldest first. One that cannot be read takes no other one with it. */
export const watchesByPlace = declareCollection({
  name: 'watches',
  schema: z
    .array(Watch.nullable().catch(null))
    .transform((watches): readonly Watch[] => watches.filter((watch) => watch !== null)),
  unreadable: 'none',
  person: {
    // A person's own alerts go; those of channels stay without their maker.
    forget: (watches, personId, key) =>
      personalPlaces(personId).includes(key)
        ? null
        : watches.map((watch) => (watch.person === personId ? { ...watch, person: '' } : watch)),
    export: [
      personalExport({
        name: 'watches',
        read: readOwnWatches,
        lines: (watches, t) =>
          watches.map(
            ({ condition, once, since }) =>
              reminderText({ condition, once }, t) ??
              t('watch.stored.watch', {
                what: wantedText(condition, t, escapeMarkdown),
                ago: formatMoment(since, 'relative', t),
              }),
          ),
        question: (t) => t('watch.stored.question'),
      }),
    ],
  },
});

/** By place, then by the watch's id: apart from the watches, which are read again when one of them changes. */
export const statesByPlace = declareCollection({
  name: 'watch-states',
  schema: z.record(z.string(), WatchState.nullable().catch(null)),
  unreadable: 'none',
  person: {
    forget: (states, personId, key) => (personalPlaces(personId).includes(key) ? null : states),
    export: { partOf: 'watches' },
  },
});

/**
 * The states of conditions that pass soon, over a restart: in as many documents as they need, by number, then by what they ask.
 * They are worth a write a minute together, and not one each.
 */
export const readingsByPart = declareCollection({
  name: 'watch-readings',
  schema: z.record(z.string(), WatchState.nullable().catch(null)),
  unreadable: 'none',
  person: 'nobody',
});

/** A watch with what its rule remembers; null: nothing yet. */
type OwnWatch = Watch & { readonly state: WatchState | null };

/** Reads the watches that a person has made, oldest first. */
async function readOwnWatches(documents: Documents, personId: string): Promise<readonly OwnWatch[]> {
  const places = [...(await readNaming(documents, watchesByPlace, personId)).values()];
  const watches = places.flat().filter(({ person }) => person === personId);
  const states = await createWatches(documents).statesAt(new Set(watches.map(placeKey)));
  return watches
    .map((watch) => ({ ...watch, state: states.get(watch.id) ?? null }))
    .toSorted((a, b) => a.since - b.since);
}

export type Watches = ReturnType<typeof createWatches>;

/** Rejects where the store fails; writes are atomic. Unreadable watches are left out. */
export function createWatches(documents: Documents) {
  const all = deriveFromCollection(documents, watchesByPlace, (places) =>
    [...places.values()].flat().toSorted((a, b) => a.since - b.since),
  );
  /** Documents of readings that there may be. */
  let storedParts = MAX_WATCHES / READINGS_A_PART;

  /** Applies `decide` to the watches of its place. False: it is gone. */
  function changePlaceOf(
    known: WatchKey,
    decide: (watch: Watch, there: readonly Watch[]) => readonly Watch[],
  ): Promise<boolean> {
    const place = placeKey(known);
    return changeDocuments(documents, async (transaction) => {
      const placeWatches = (await transaction.read(watchesByPlace, place)) ?? [];
      const watch = placeWatches.find(({ id }) => id === known.id);
      if (watch !== undefined) await writePlace(transaction, place, decide(watch, placeWatches));
      return watch !== undefined;
    });
  }

  return {
    /** Oldest first; the same list until one of them has changed. */
    all,
    /** Watches that alert this person directly; oldest first. */
    async directTo(person: string) {
      const place = placeKey({ person, place: { kind: 'direct' } });
      return (await readDocument(documents, watchesByPlace, place)) ?? [];
    },
    /** Watches that alert in one guild; oldest first. */
    in: async (guild: string) => inGuild(await all(), guild),
    /**
     * Replaces one of the same condition in the same place. `person-full`, `channel-full`: the place has its
     * {@link MAX_PER_PLACE}; `guild-full`: its guild has {@link MAX_PER_GUILD}; `maker-full`: the person has
     * {@link MAX_PER_MAKER}; `full`: there are {@link MAX_WATCHES}.
     */
    async add({ watch, state }: WatchRecord): Promise<Added> {
      const valid = Watch.parse(watch);
      const otherWatches = (await all()).filter((one) => !isReplaced(one, valid));
      if (valid.place.kind === 'channel' && inGuild(otherWatches, valid.place.guild).length >= MAX_PER_GUILD)
        return 'guild-full';
      if (otherWatches.filter(({ person }) => person === valid.person).length >= MAX_PER_MAKER)
        return 'maker-full';
      if (otherWatches.length >= MAX_WATCHES) return 'full';
      return changeDocuments(documents, (transaction) => add(transaction, valid, state));
    },
    /** Applies a change to the watch as it is now. False: it is gone. `to` may be called again. */
    update: (known: WatchKey, to: (watch: Watch) => Watch) =>
      changePlaceOf(known, (watch, there) => {
        const next = Watch.parse(to(watch));
        return there.map((one) => (one === watch ? next : one));
      }),
    /** Pauses the alerts of a place that are not paused yet, without reminders; resolves with these as they were. */
    pause: (place: string, paused: NonNullable<Watch['paused']>) =>
      changeDocuments(documents, async (transaction) => {
        const placeWatches = (await transaction.read(watchesByPlace, place)) ?? [];
        const watchesToPause = placeWatches.filter((watch) => watch.once === null && watch.paused === null);
        const after = placeWatches.map((watch) =>
          watchesToPause.includes(watch) ? { ...watch, paused } : watch,
        );
        if (watchesToPause.length > 0) transaction.write(watchesByPlace, place, after);
        return watchesToPause;
      }),
    /** As part of a transaction: all of these exist, which are of one place. */
    async areAll(transaction: Transaction, watches: readonly WatchKey[]): Promise<boolean> {
      const [first] = watches;
      if (first === undefined) return false;
      const placeWatches = (await transaction.read(watchesByPlace, placeKey(first))) ?? [];
      return watches.every(({ id }) => placeWatches.some((one) => one.id === id));
    },
    /** With what was remembered of it. False: there was none. */
    remove: (known: WatchKey) => changePlaceOf(known, (watch, there) => there.filter((one) => one !== watch)),
    /** The guilds in which they alert. */
    guilds: async () => (await all()).flatMap(({ place }) => (place.kind === 'channel' ? [place.guild] : [])),
    /** Removes those that alert in a guild and were made before then (unix milliseconds). Resolves with their number. */
    async removeIn(guild: string, before: number) {
      const places = new Set(inGuild(await all(), guild).map(placeKey));
      return changeDocuments(documents, async (transaction) => {
        let count = 0;
        for (const place of places) {
          const placeWatches = (await transaction.read(watchesByPlace, place)) ?? [];
          const remainingWatches = placeWatches.filter(({ since }) => since >= before);
          count += placeWatches.length - remainingWatches.length;
          await writePlace(transaction, place, remainingWatches);
        }
        return count;
      });
    },
    /** The states at these places, by the watch's id. Only of watches that exist. */
    async statesAt(places: ReadonlySet<string>) {
      // One by one, a start would wait for as many answers of the store as there are places.
      const all = places.size > MAX_SINGLE_READS ? await readAll(documents, statesByPlace) : null;
      const statesOfPlaces = await Promise.all(
        [...places].map(async (place) =>
          all === null ? readDocument(documents, statesByPlace, place) : all.get(place),
        ),
      );
      return new Map(statesOfPlaces.flatMap((states) => readable(states ?? {})));
    },
    /** By what they ask. */
    async lastReadings(): Promise<ReadonlyMap<string, WatchState>> {
      return new Map([...(await readAll(documents, readingsByPart)).values()].flatMap(readable));
    },
    /** In place of those that were saved before. In parts, as {@link saveStates}. */
    async saveReadings(readings: ReadonlyMap<string, WatchState>): Promise<void> {
      const all = [...readings];
      const parts = Math.ceil(all.length / READINGS_A_PART);
      const written = Array.from({ length: Math.max(parts, storedParts) }, (_, part) => part);
      await forEachInSlices(written, (part) =>
        changeDocuments(documents, async (transaction) => {
          const inPart = all.slice(part * READINGS_A_PART, (part + 1) * READINGS_A_PART);
          const value = inPart.length === 0 ? null : Object.fromEntries(inPart);
          transaction.write(readingsByPart, String(part), value);
        }),
      );
      storedParts = parts;
    },
    /** In parts, each of them atomic: where it rejects, some may have been saved. */
    async saveStates(watching: readonly WatchRecord[]) {
      const places = [...Map.groupBy(watching, ({ watch }) => placeKey(watch))];
      const groups = Map.groupBy(places.entries(), ([index]) => Math.floor(index / MAX_PLACES_AT_ONCE));
      await forEachInSlices(groups.values(), (group) =>
        changeDocuments(documents, async (transaction) => {
          await Promise.all(
            group.map(async ([, [place, here]]) => {
              const placeWatches = (await transaction.read(watchesByPlace, place)) ?? [];
              const states = here.map(({ watch, state }) => [watch.id, state] as const);
              await writeStates(transaction, place, placeWatches, states);
            }),
          );
        }),
      );
    },
  };
}

/** As part of a transaction: the watch has the same maker, who may have been forgotten. */
export async function isMadeBy(transaction: Transaction, { id, person, place }: WatchKey): Promise<boolean> {
  const placeWatches = (await transaction.read(watchesByPlace, placeKey({ person, place }))) ?? [];
  return placeWatches.some((one) => one.id === id && one.person === person);
}

function inGuild(watches: readonly Watch[], guild: string): readonly Watch[] {
  return watches.filter(({ place }) => place.kind === 'channel' && place.guild === guild);
}

/** True if both have one condition and one place, so that the newer replaces the older. */
function isReplaced(one: Watch, by: Watch): boolean {
  const isAlike = placeKey(one) === placeKey(by) && (one.once === null) === (by.once === null);
  return isAlike && isDeepStrictEqual(one.condition, by.condition);
}

async function add(transaction: Transaction, watch: Watch, state: WatchState): Promise<Added> {
  const place = placeKey(watch);
  const placeWatches = (await transaction.read(watchesByPlace, place)) ?? [];
  const otherWatches = placeWatches.filter((one) => !isReplaced(one, watch));
  const alike = otherWatches.filter(({ once }) => (once === null) === (watch.once === null));
  if (alike.length >= MAX_PER_PLACE) return watch.place.kind === 'direct' ? 'person-full' : 'channel-full';
  await writePlace(transaction, place, [...otherWatches, watch], [[watch.id, state]]);
  return 'added';
}

type StoredStates = readonly (readonly [id: string, state: WatchState])[];

async function writePlace(
  transaction: Transaction,
  place: string,
  watches: readonly Watch[],
  states: StoredStates = [],
): Promise<void> {
  transaction.write(watchesByPlace, place, watches.length === 0 ? null : watches);
  await writeStates(transaction, place, watches, states);
}

/** Adds these to what is remembered of the place's watches, and drops what is remembered of others. */
async function writeStates(
  transaction: Transaction,
  place: string,
  watches: readonly Watch[],
  states: StoredStates,
): Promise<void> {
  const ids = new Set(watches.map(({ id }) => id));
  const storedStates = (await transaction.read(statesByPlace, place)) ?? {};
  const after = [...readable(storedStates), ...states].filter(([id]) => ids.has(id));
  transaction.write(statesByPlace, place, after.length === 0 ? null : Object.fromEntries(after));
}

function readable(states: Readonly<Record<string, WatchState | null>>): StoredStates {
  return Object.entries(states).flatMap(([id, state]) => (state === null ? [] : [[id, state] as const]));
}
