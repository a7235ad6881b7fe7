/** Prices of cars for sale, taken from look-ups that happen anyway: the last one of each car. */
import { DAY, SECOND } from '../../base/duration.ts';
import { listSql, numberIn, numberOrNullIn, type Steps, sql, textIn } from '../../base/sql.ts';
import type { Car } from '../../service/models/car.ts';
import { Vin } from '../../service/models/identifiers.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import type { Offer } from './history.ts';
import { OFFERS_MS } from './kept.ts';

/** Cars kept of one model that were seen within the same 30 days, the last ones. */
const MAX_OFFERS = 60;
const BLOCK_S = (30 * DAY) / SECOND;
/** Maximum characters of a model. */
const MAX_MODEL_LENGTH = 32;
/** Models asked for at once; more than the game has. */
const MAX_MODELS = 60;
/** More cars than are looked up within a minute. */
const MAX_NOTED = 1000;

type SeenCar = Omit<Offer, 'gone'> & { readonly isOffered: boolean };

export function createOffers({ isHidden }: { readonly isHidden: (username: string) => boolean }) {
  const noted = new Map<string, SeenCar>();
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
    /** Cars that were noted since the last call. */
    take(): readonly SeenCar[] {
      const cars = [...noted.values()];
      noted.clear();
      return cars;
    },
  };
}

export function* addOffers(cars: readonly SeenCar[]): Steps<void> {
  for (const { model, vin, at, price, isOffered } of cars) {
    const seconds = Math.floor(at / SECOND);
    // An unchanged price is written once a day: a watched car is read every ten minutes.
    if (isOffered)
      yield sql`INSERT INTO offers (model, vin, at, gone, price) VALUES (${modelKey(model)}, ${vin}, ${seconds}, NULL, ${price})
        ON CONFLICT (model, vin) DO UPDATE SET at = excluded.at, gone = NULL, price = excluded.price
        WHERE excluded.at > offers.at AND (offers.gone IS NOT NULL
          OR offers.price IS DISTINCT FROM excluded.price OR excluded.at - offers.at >= ${DAY / SECOND})`;
    else
      yield sql`UPDATE offers SET gone = ${seconds}
        WHERE model = ${modelKey(model)} AND vin = ${vin} AND gone IS NULL AND at <= ${seconds}`;
  }
  const blocks = new Map(
    cars.map(({ model, at }) => {
      const block = Math.floor(at / SECOND / BLOCK_S) * BLOCK_S;
      return [`${block} ${modelKey(model)}`, { model: modelKey(model), block }];
    }),
  );
  for (const { model, block } of blocks.values()) {
    const inBlock = sql`model = ${model} AND at >= ${block} AND at < ${block + BLOCK_S}`;
    yield sql`DELETE FROM offers WHERE ${inBlock} AND vin NOT IN
      (SELECT vin FROM offers WHERE ${inBlock} ORDER BY at DESC LIMIT ${MAX_OFFERS})`;
  }
}

/** Returns the kept offers of these models, each car once, the last seen first. */
export async function findOffers(
  models: readonly string[],
  now: number,
  store: Pick<HistoryStore, 'read'>,
): Promise<readonly Offer[]> {
  const keys = [...new Set(models.map(modelKey))].slice(0, MAX_MODELS);
  if (keys.length === 0) return [];
  const rows = await store.read(sql`SELECT model, vin, at, gone, price FROM offers
    WHERE model IN (${listSql(keys.map((key) => sql`${key}`))})
      AND at BETWEEN ${Math.ceil((now - OFFERS_MS) / SECOND)} AND ${Math.floor(now / SECOND)}
    ORDER BY at DESC, vin`);
  const offers = rows.map((row) => {
    const gone = numberOrNullIn(row, 'gone');
    return {
      vin: textIn(row, 'vin'),
      model: textIn(row, 'model'),
      at: numberIn(row, 'at') * SECOND,
      gone: gone === null ? null : gone * SECOND,
      price: numberOrNullIn(row, 'price'),
    };
  });
  const lastSeen = new Map(offers.toReversed().map((offer) => [offer.vin, offer]));
  return offers.filter((offer) => lastSeen.get(offer.vin) === offer);
}

/** Variants are models of their own. */
function modelKey(type: string): string {
  return type.trim().toUpperCase().slice(0, MAX_MODEL_LENGTH);
}
