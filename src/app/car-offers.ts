import { StoreError } from '../base/errors.ts';
import type { History, Offer } from '../history/history.ts';

/** What prices of these models were seen; none where the store fails, since the cars themselves are worth showing. */
export async function carOffers(models: readonly string[], history: History): Promise<readonly Offer[]> {
  try {
    return await history.offers(models);
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  }
}

/** The same for a garage. */
export async function garageOffers(
  cars: readonly { readonly type: string | null }[] | null,
  history: History,
): Promise<readonly Offer[]> {
  return carOffers([...new Set((cars ?? []).flatMap(({ type }) => type ?? []))], history);
}
