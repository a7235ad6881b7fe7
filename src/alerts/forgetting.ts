import { placeKey } from '../service/models/watch.ts';
import { readDocument } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { type Forgetting, forgetting } from '../store/forget.ts';
import { convoyPlace, reminderPlace } from './deliver.ts';
import { deliveriesByPlace } from './deliveries.ts';
import { pauseNotices } from './pause-notices.ts';
import { statesByPlace, watchesByPlace } from './watches.ts';

/** Keys of the places where a person gets direct messages. */
const directPlaces = (personId: string): readonly string[] => [
  placeKey({ person: personId, place: { kind: 'direct' } }),
  reminderPlace(personId),
  convoyPlace(personId),
];

const isDirectTo = (personId: string, key: string): boolean => directPlaces(personId).includes(key);

/** Reads what is stored of a person because of alerts and reminders, besides the alerts. */
export function createAlertData(documents: Documents) {
  return {
    /** Times of the direct messages to the person (unix milliseconds), oldest first. */
    async sentTo(personId: string): Promise<readonly { readonly at: number; readonly settled: boolean }[]> {
      const places = directPlaces(personId).map((place) => readDocument(documents, deliveriesByPlace, place));
      return (await Promise.all(places))
        .flatMap((all) => all ?? [])
        .map(({ at, settled }) => ({ at, settled }))
        .toSorted((a, b) => a.at - b.at);
    },
    /** Why an alert was paused, if the person is still to be told; else null. */
    pauseOf: (personId: string) => readDocument(documents, pauseNotices, personId),
  };
}

/** A person's own alerts go; those of channels stay without their maker. */
export const alertsForgetting: readonly Forgetting[] = [
  forgetting(watchesByPlace, (watches, personId, key) =>
    isDirectTo(personId, key)
      ? null
      : watches.map((watch) => (watch.person === personId ? { ...watch, person: '' } : watch)),
  ),
  forgetting(statesByPlace, (states, personId, key) => (isDirectTo(personId, key) ? null : states)),
  forgetting(deliveriesByPlace, (all, personId, key) => (isDirectTo(personId, key) ? null : all)),
  forgetting(pauseNotices, (why, personId, key) => (key === personId ? null : why)),
];
