/** The ledger of messages: each is entered before it is sent, so that none is sent twice. */
import { z } from 'zod';
import { DAY } from '../../base/duration.ts';
import { changeDocuments, type Transaction } from '../../store/change.ts';
import { declareCollection, deriveFromCollection, readDocument } from '../../store/collection.ts';
import type { Documents } from '../../store/documents.ts';
import { personalPlaces } from './kinds.ts';

/** An alert, or another message that must be sent at most once. */
const Delivery = z.object({
  key: z.string(),
  /** The ids of the watches that it is about. */
  watches: z.array(z.string()).readonly(),
  /** Unix milliseconds. */
  at: z.number(),
  settled: z.boolean(),
});
export type Delivery = z.output<typeof Delivery>;

export interface DeliveryClaim extends Pick<Delivery, 'key' | 'at'> {
  /** Place whose messages are limited together; see `placeOf`. */
  readonly place: string;
  /** Ids of what the message speaks of. */
  readonly watches: readonly string[];
  /** How long after one message the same id stays silent, in ms. */
  readonly cooldown: number;
  /** Deliveries to this place within any 24 hours; null: as many as there are keys. */
  readonly most: number | null;
}

/**
 * The watches of a claim that may be spoken of, after what was sent to the place within 24 hours. A time in the future,
 * as after a clock was set back, counts as long as it is that near: it must not silence anything for as far as the clock
 * was ahead.
 */
export function mayClaim(
  { watches, at, cooldown, most }: Omit<DeliveryClaim, 'key' | 'place'>,
  earlier: readonly Pick<Delivery, 'watches' | 'at'>[],
): readonly string[] {
  if (most !== null && earlier.filter((delivery) => Math.abs(at - delivery.at) < DAY).length >= most)
    return [];
  const spoke = new Set(
    earlier
      .filter((delivery) => Math.abs(at - delivery.at) < cooldown)
      .flatMap((delivery) => delivery.watches),
  );
  return watches.filter((id) => !spoke.has(id));
}

/** Age up to which deliveries are kept: a week and a day, so that a weekly message knows the one before. */
const MAX_AGE_MS = 8 * DAY;

/** Deliveries by place, in the order of their claims. Without them, alerts would be sent twice. */
export const deliveriesByPlace = declareCollection({
  name: 'deliveries',
  schema: z.array(Delivery),
  unreadable: 'reject',
  person: {
    forget: (all, personId, place) => (personalPlaces(personId).includes(place) ? null : all),
    export: { partOf: 'unsent-notices' },
  },
});

export type Deliveries = ReturnType<typeof createDeliveries>;

/** Work that becomes part of a transaction, and may run again. */
export type InTransaction<Result> = (transaction: Transaction) => Promise<Result>;

/** Deliveries that are not too old to count. */
function keptAt(all: readonly Delivery[], now: number): readonly Delivery[] {
  return all.filter(({ at }) => at > now - MAX_AGE_MS);
}

function admittedOf(claim: DeliveryClaim, earlier: readonly Delivery[]): readonly string[] {
  return earlier.some(({ key }) => key === claim.key) ? [] : mayClaim(claim, earlier);
}

/**
 * Deliveries are written before they are sent and settled after. One that a killed process left unsettled may have
 * been sent, and is never sent again: every message is sent at most once.
 */
export function createDeliveries(documents: Documents) {
  const places = deriveFromCollection(documents, deliveriesByPlace, (all) => [...all]);

  /** Changes the deliveries of a place, and resolves with those before. `more` is part of the transaction. */
  const changePlace = (
    place: string,
    to: (all: readonly Delivery[]) => readonly Delivery[],
    more: InTransaction<void> = async () => {},
  ) =>
    changeDocuments(documents, async (transaction) => {
      const previous = (await transaction.read(deliveriesByPlace, place)) ?? [];
      const after = to(previous);
      transaction.write(deliveriesByPlace, place, after.length === 0 ? null : [...after]);
      await more(transaction);
      return previous;
    });

  return {
    /** The ids that a claim would get now; enters nothing. */
    async admitted(claim: DeliveryClaim): Promise<readonly string[]> {
      const all = (await readDocument(documents, deliveriesByPlace, claim.place)) ?? [];
      return admittedOf(claim, keptAt(all, claim.at));
    },
    /**
     * Enters a delivery and resolves with those of its ids that may be spoken of: none if its key has been taken, if the
     * place has had its messages, or if it is not wanted. Of several processes that claim the same at once, one gets it.
     * `isWanted` runs in the same transaction and may write to it: who is forgotten meanwhile gets no message and no entry.
     */
    claim: (claim: DeliveryClaim, isWanted: InTransaction<boolean> = async () => true) =>
      changeDocuments(documents, async (transaction) => {
        const { place, key, at } = claim;
        const earlier = keptAt((await transaction.read(deliveriesByPlace, place)) ?? [], at);
        const watches = admittedOf(claim, earlier);
        if (watches.length === 0 || !(await isWanted(transaction))) return [];
        transaction.write(deliveriesByPlace, place, [...earlier, { key, watches, at, settled: false }]);
        return watches;
      }),
    /** Notes the end of a message that was sent, may have been sent, or can never be sent. */
    settle: (place: string, key: string) =>
      changePlace(place, (all) =>
        all.map((delivery) =>
          delivery.key === key && !delivery.settled ? { ...delivery, settled: true } : delivery,
        ),
      ),
    /**
     * Takes back the claim of a message that was certainly not sent. `putBack` runs in the same transaction, and changes only
     * what is still stored: its recipient may have been forgotten meanwhile.
     */
    withdraw: (place: string, key: string, putBack?: InTransaction<void>) =>
      changePlace(place, (all) => all.filter((delivery) => delivery.key !== key), putBack),
    /** Deliveries to the place since then (unix milliseconds), oldest first, settled or not. */
    async since(place: string, from: number): Promise<readonly Delivery[]> {
      const all = (await readDocument(documents, deliveriesByPlace, place)) ?? [];
      return all.filter(({ at }) => at > from).toSorted((a, b) => a.at - b.at);
    },
    /** Settles unsettled claims from before the cutoff; resolves with their number. Deletes deliveries that have expired. */
    async giveUp(cutoff: number): Promise<number> {
      const isDoubtful = ({ settled, at }: Delivery): boolean => !settled && at < cutoff;
      const isExpired = ({ at }: Delivery): boolean => at <= cutoff - MAX_AGE_MS;
      let count = 0;
      for (const [place, stored] of await places()) {
        if (!stored.some((delivery) => isDoubtful(delivery) || isExpired(delivery))) continue;
        const previous = await changePlace(place, (all) =>
          all
            .filter((delivery) => !isExpired(delivery))
            .map((delivery) => (isDoubtful(delivery) ? { ...delivery, settled: true } : delivery)),
        );
        count += previous.filter(isDoubtful).length;
      }
      return count;
    },
  };
}
