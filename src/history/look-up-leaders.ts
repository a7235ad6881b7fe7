/** Reads the profiles of those who may lead a ranking: else nobody rises in one before somebody looks them up. */
import type { Clock } from '../base/clock.ts';
import { DAY, MINUTE } from '../base/duration.ts';
import { orFault } from '../base/errors.ts';
import { every, type Repetition } from '../base/every.ts';
import type { Service } from '../service/client.ts';
import { profile } from '../service/endpoints.ts';
import type { History } from '../service/models/history.ts';
import { sameSpelling } from '../service/models/identifiers.ts';

/** At most one request each time, at the background's priority: never more than {@link LEADERS} a day. */
const LOOK_EVERY = 20 * MINUTE;
/** Those with the most time online of a week: nobody drives far or earns much without being there. */
const LEADERS = 20;

export function lookUpLeaders({
  service,
  history,
  clock,
  holdsLease,
  failed,
}: {
  readonly service: Service;
  readonly history: Pick<History, 'top'>;
  readonly clock: Clock;
  readonly holdsLease: () => boolean;
  readonly failed: (error: unknown) => void;
}): Repetition {
  /** Names without their case, by the UTC day on which they were asked for. */
  let asked: { readonly day: number; readonly drivers: Set<string> } = { day: 0, drivers: new Set() };

  async function look(): Promise<void> {
    if (!holdsLease()) return;
    const day = Math.floor(clock.now() / DAY);
    if (asked.day !== day) asked = { day, drivers: new Set() };
    const { rows } = await history.top('playtime', 'week');
    const next = rows.slice(0, LEADERS).find(({ driver }) => !asked.drivers.has(sameSpelling(driver)));
    if (next === undefined) return;
    asked.drivers.add(sameSpelling(next.driver));
    // History listens to every answer.
    await orFault(service.get(profile, { username: next.driver }, { priority: 'background' }));
  }

  return every(clock, LOOK_EVERY, look, failed);
}
