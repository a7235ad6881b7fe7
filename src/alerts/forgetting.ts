import { deliveriesByPlace, directPlaces } from '../deliveries/ledger.ts';
import { readUnsentNotices } from '../deliveries/notices.ts';
import type { StoredData } from '../service/models/own-data.ts';
import { readDocument } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { pauseNotices } from './pause-notices.ts';

/** Reads what is stored of a person because of alerts and reminders, besides the alerts. */
export function createAlertData(documents: Documents) {
  return {
    /** Times of the direct messages to the person (unix milliseconds), oldest first. */
    async sentTo(personId: string): Promise<StoredData['sent']> {
      const places = directPlaces(personId).map((place) => readDocument(documents, deliveriesByPlace, place));
      const sent = (await Promise.all(places))
        .flatMap((all) => all ?? [])
        .map(({ at, settled }) => ({ at, settled }));
      const unsent = await readUnsentNotices(documents, personId);
      return [...sent, ...unsent].toSorted((a, b) => a.at - b.at);
    },
    /** Why an alert was paused, if the person is still to be told; else null. */
    pauseOf: (personId: string) => readDocument(documents, pauseNotices, personId),
  };
}
