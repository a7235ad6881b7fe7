/** Reads recorded outages for an alert on them. Pure. */
import { HOUR, MINUTE } from '../base/duration.ts';
import type { News } from '../cards/watch/alert-text.ts';
import type { Outage } from '../service/models/history.ts';
import type { Condition } from '../service/models/watch.ts';
import type { ConditionReading } from './observe.ts';

interface OutageReading extends ConditionReading {
  readonly news: ReadonlyMap<string, News>;
}

/** How long after its end an outage is still worth saying, in ms. */
const BACK = 30 * MINUTE;
/** As long as the last reading of an outage may be old, in ms: the recorder writes once a minute. */
const CURRENT = 3 * MINUTE;
/** So many outages within an hour are one: the server is unstable. */
const MANY = 3;

/** Null while it is not known whether an outage goes on. */
export function outageReading(
  { server, goes, after }: Extract<Condition, { kind: 'outage' }>,
  outages: readonly Outage[],
  now: number,
): OutageReading | null {
  const isLong = ({ from, until, to }: Outage): boolean =>
    (to === null ? now : until) - from >= after * MINUTE;
  const long = outages.filter(isLong);
  const last = long.at(-1);
  const reading = (...met: readonly (readonly [string, News])[]): OutageReading => {
    const news = new Map(met);
    return { at: now, scope: 'outages', met: [...news.keys()], news };
  };
  if (last === undefined) return reading();
  const { from, until, to } = last;
  if (to === null && now - until > CURRENT) return null;
  const since = unstableSince(long);
  if (since !== null && (to === null || now - to < HOUR))
    return reading([`unstable ${since}`, { kind: 'unstable', server, since }]);
  if (to === null)
    return goes === 'back' ? reading() : reading([`down ${from}`, { kind: 'down', server, since: from }]);
  // One that ended at nobody knows when is long over, or is told with the longest time that it can have lasted.
  const isTold = goes !== 'down' && now - to < BACK && to - until < BACK;
  const back = { kind: 'back', server, since: to, lasted: to - from, isAtMost: to > until } as const;
  return isTold ? reading([`back ${from}`, back]) : reading();
}

/** When the first of many outages began that each came within an hour of the one two before; null: the last one did not. */
function unstableSince(outages: readonly Outage[]): number | null {
  let since: number | null = null;
  for (const [index, { from }] of outages.entries()) {
    const before = outages[index - MANY + 1];
    if (before === undefined || from - before.from > HOUR) since = null;
    else since ??= before.from;
  }
  return since;
}
