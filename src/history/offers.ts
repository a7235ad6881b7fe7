/** Prices of cars for sale, taken from look-ups that happen anyway: the last one of each car. */
import { z } from 'zod';
import { DAY, SECOND } from '../base/duration.ts';
import { jsonText } from '../base/json.ts';
import type { Car } from '../service/models/car.ts';
import type { Offer } from '../service/models/history.ts';
import { Vin } from '../service/models/identifiers.ts';
import type { Chunk, ChunkChange, HistoryChunks } from '../store/history-chunks.ts';
import { addedTo, nothing } from './added-to.ts';
import { blockStart, kinds } from './kinds.ts';

/** A row: VIN, seconds since 1970 when it was for sale and (or null) when no more, price (or null). */
const Row = z.tuple([z.string(), z.number(), z.number().nullable(), z.number().nullable()]);
const Text = jsonText(z.array(Row));

/** Cars kept of one model in one block, the last seen: at most 3 KB of text. */
const MAX_OFFERS = 60;
/** Maximum characters of a model. */
const MAX_MODEL_LENGTH = 32;
/** Models asked for at once; more than the game has. */
const MAX_MODELS = 60;
/** More cars than are looked up within a minute. */
const MAX_NOTED = 1000;

type Noted = Omit<Offer, 'gone'> & { readonly isOffered: boolean };

export function createOffers({
  chunks,
  isHidden,
}: {
  readonly chunks: Pick<HistoryChunks, 'read'>;
  readonly isHidden: (username: string) => boolean;
}) {
  const noted = new Map<string, Noted>();
  return {
    /** A car was read. Memory only. */
    note({ vin: rawVin, type, owner, onMarket, marketPrice, hasUnclearMarket }: Car, at: number): void {
      const vin = Vin.safeParse(rawVin).data;
      // A price means "for sale" unless the service says otherwise, as on the card.
      const isOffered = onMarket ?? marketPrice !== null;
      if (vin === undefined || type === null || (owner !== null && isHidden(owner))) return;
      // The car may be for sale, or not.
      if (!isOffered && onMarket === null && hasUnclearMarket) return;
      if (noted.size < MAX_NOTED || noted.has(vin))
        noted.set(vin, { vin, model: modelKey(type), at, price: marketPrice, isOffered });
    },
    /** The changes for what was noted since the last call. */
    async changes(): Promise<readonly ChunkChange[]> {
      const byModel = Map.groupBy(noted.values(), ({ model }) => model);
      noted.clear();
      const changes = [...byModel].map(([model, sightings]) => changesOf(model, sightings, chunks));
      return (await Promise.all(changes)).flat();
    },
  };
}

/** Returns the kept offers of these models, each car once, the last seen first. */
export async function findOffers(
  models: readonly string[],
  now: number,
  chunks: Pick<HistoryChunks, 'read'>,
): Promise<readonly Offer[]> {
  const from = now - kinds.offers.keep;
  const keys = [...new Set(models.map(modelKey))].slice(0, MAX_MODELS);
  const chunkOffers = await Promise.all(
    keys.map(async (key) =>
      (await chunks.read({ kind: 'offers', key }, blockStart('offers', from), now)).flatMap(readOffers),
    ),
  );
  const byVin = new Map(
    chunkOffers
      .flat()
      .toSorted((a, b) => a.at - b.at)
      .map((offer) => [offer.vin, offer]),
  );
  return [...byVin.values()].filter(({ at }) => at >= from).toReversed();
}

/** Returns the chunks as if the offers had been written one by one. */
export async function offerChunks(offers: readonly Offer[]): Promise<readonly ChunkChange[]> {
  const chunks = [...Map.groupBy(offers, ({ model }) => modelKey(model))].map(([key, all]) =>
    addedTo(
      { kind: 'offers', key },
      all,
      ({ at }) => at,
      (_chunk, inside) => writeOffers(inside),
      nothing,
    ),
  );
  return (await Promise.all(chunks)).flat();
}

/** Variants are models of their own. */
function modelKey(type: string): string {
  return type.trim().toUpperCase().slice(0, MAX_MODEL_LENGTH);
}

function readOffers({ key, text }: Chunk): readonly Offer[] {
  const rows = Text.safeParse(text).data ?? [];
  return rows.map(([vin, at, gone, price]) => ({
    vin,
    model: key,
    at: at * SECOND,
    price,
    gone: gone === null ? null : gone * SECOND,
  }));
}

function writeOffers(offers: readonly Offer[]): string {
  const last = offers.toSorted((a, b) => b.at - a.at).slice(0, MAX_OFFERS);
  return JSON.stringify(
    last.map(({ vin, at, gone, price }) => [
      vin,
      Math.floor(at / SECOND),
      gone === null ? null : Math.floor(gone / SECOND),
      price,
    ]),
  );
}

async function changesOf(
  model: string,
  sightings: readonly Noted[],
  chunks: Pick<HistoryChunks, 'read'>,
): Promise<readonly ChunkChange[]> {
  const times = sightings.map(({ at }) => at);
  const [from, to] = [Math.min(...times) - kinds.offers.keep, Math.max(...times)];
  const existingChunks = await chunks.read({ kind: 'offers', key: model }, blockStart('offers', from), to);
  const blocks = new Map(existingChunks.map((chunk) => [chunk.start, readOffers(chunk)]));
  const changed = new Set<number>();
  const put = (start: number, offer: Offer): void => {
    const otherOffers = (blocks.get(start) ?? []).filter(({ vin }) => vin !== offer.vin);
    blocks.set(start, [...otherOffers, offer]);
    changed.add(start);
  };
  for (const { isOffered, ...car } of sightings) {
    const [start, previousOffer] = [...blocks]
      .toReversed()
      .map(([at, offers]) => [at, offers.find(({ vin }) => vin === car.vin)] as const)
      .find(([, offer]) => offer !== undefined) ?? [0, undefined];
    if (isOffered) {
      if (previousOffer === undefined || isNews(previousOffer, car))
        put(blockStart('offers', car.at), { ...car, gone: null });
    } else if (previousOffer !== undefined && previousOffer.gone === null && previousOffer.at <= car.at)
      put(start, { ...previousOffer, gone: car.at });
  }
  return [...changed].map((start) => ({
    kind: 'offers',
    key: model,
    start,
    text: writeOffers(blocks.get(start) ?? []),
  }));
}

/** Writes an unchanged price once a day: a watched car is read every ten minutes. */
function isNews(previous: Offer, { at, price }: Pick<Offer, 'at' | 'price'>): boolean {
  return at > previous.at && (previous.gone !== null || previous.price !== price || at - previous.at >= DAY);
}
