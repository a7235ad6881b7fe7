import { moment } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Car } from '../../service/models/car.ts';
import type { Offer } from '../../service/models/history.ts';
import { plain } from '../../text/plain.ts';
import { joined, present, written } from '../kit/lines.ts';

type Priced = Offer & { readonly price: number };

/** "For sale at 56,000", and how that compares with others of the model that somebody looked up; empty if it is not. */
export function askingPrice(car: Car, offers: readonly Offer[], t: Translator): readonly string[] {
  const { onMarket, marketPrice: price } = car;
  // A price means "for sale" unless the service says otherwise (it sends 0 for a car not on the market).
  if (!(onMarket ?? price !== null)) return [];
  if (price === null) return [`**${t('car.forSale')}**`];
  const others = offers.filter(
    (offer): offer is Priced => (offer.price ?? 0) > 0 && offer.vin !== plain(car.vin),
  );
  const middle = others.length < 2 ? null : median(others.map((other) => other.price));
  const compared = written(middle, (known) => difference(price, known, t));
  return present(joined(`**${t('car.forSaleAt', { amount: price })}**`, compared), seen(others, middle, t));
}

/** Those that were seen: there may be others. */
function seen(others: readonly Priced[], middle: number | null, t: Translator): string | null {
  const [last] = others;
  if (last === undefined) return null;
  const ago = moment(last.at, 'relative', t);
  if (middle === null) return t('car.marketOne', { price: last.price, ago });
  const prices = others.map(({ price }) => price);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  return t('car.market', { count: others.length, low, high, middle, ago });
}

function difference(price: number, middle: number, t: Translator): string | null {
  if (middle <= 0 || price === middle) return null;
  const share = t.percent(Math.abs(price - middle) / middle);
  return price < middle ? t('car.below', { share }) : t('car.above', { share });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [lower = 0, upper = 0] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.floor(sorted.length / 2)],
  ];
  return Math.round((lower + upper) / 2);
}
