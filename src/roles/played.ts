import type { Clock } from '../base/clock.ts';
import type { History } from '../service/models/history.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import type { Played } from './evaluate.ts';

/** Time online within 30 days, of everyone; null where the live files name no drivers. */
export function playedWithinMonth(
  history: Pick<History, 'top' | 'namesDrivers'>,
  clock: Pick<Clock, 'now'>,
): () => Promise<Played | null> {
  return async () => {
    if ((await history.namesDrivers()) !== true) return null;
    const { from, since, until, holes, rows } = await history.top('playtime', 'month');
    if (since === null || until === null) return null;
    const missed =
      since - from + holes.reduce((sum, hole) => sum + hole.to - hole.from, 0) + clock.now() - until;
    const played = new Map(rows.map(({ driver, value }) => [sameSpelling(driver), value]));
    return (username) => {
      const least = played.get(sameSpelling(username)) ?? 0;
      return { least, most: least + missed };
    };
  };
}
