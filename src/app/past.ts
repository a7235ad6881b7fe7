/** What history adds to a card; nothing where the store fails, since the card itself is worth showing. */
import { StoreError } from '../base/errors.ts';
import type { ProfilePast } from '../cards/history/gains.ts';
import type { History, Offer } from '../service/models/history.ts';

/** What a profile is compared with. */
export async function profilePast(username: string, history: History): Promise<ProfilePast | null> {
  return unlessStoreFails(async () => {
    const [earlier, online] = await Promise.all([
      history.earlierReading(username),
      history.top('playtime', 'week'),
    ]);
    return { earlier, online };
  }, null);
}

/** Which prices of these models were seen. */
export async function carOffers(models: readonly string[], history: History): Promise<readonly Offer[]> {
  return unlessStoreFails(() => history.offers(models), []);
}

/** The same for a garage. */
export async function garageOffers(
  cars: readonly { readonly type: string | null }[] | null,
  history: History,
): Promise<readonly Offer[]> {
  return carOffers([...new Set((cars ?? []).flatMap(({ type }) => type ?? []))], history);
}

/** The answer, or this where the store fails: an outage of it costs a card a part, and not the whole card. */
export async function unlessStoreFails<T>(ask: () => Promise<T>, nothing: T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof StoreError) return nothing;
    throw error;
  }
}
