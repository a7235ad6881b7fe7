/** Readings of what is up, folded into runs. */
import type { Clock } from '../../base/clock.ts';
import { MINUTE, SECOND } from '../../base/duration.ts';
import type { Facts } from '../../service/models/facts.ts';
import { judgeAvailability } from './availability.ts';
import type { Run } from './history.ts';
import type { NamedRun } from './runs.ts';

/** After a longer time without a reading, it is not known what was up. In ms. */
const MAX_GAP_MS = 2 * MINUTE;
/**
 * How long anything has to look down before it counts, in ms: a failing file is read again within twelve seconds, and where
 * the clock is set on, all files look old until then.
 */
const CONFIRM_MS = 30 * SECOND;
/** Servers that are followed; a community has six. */
const MAX_SERVERS = 24;
/** Characters of a name, which is a series' key. */
const MAX_NAME_LENGTH = 64;

/** Goes on with the runs that were under way, by name; each is known from its beginning to `to`. */
export function createRunLog(runsUnderWay: ReadonlyMap<string, Run>, clock: Pick<Clock, 'now'>) {
  const open = new Map(runsUnderWay);
  /** Servers that were down when last seen, even if a gap lies between. */
  const downServers = new Set([...runsUnderWay].filter(([, { isUp }]) => !isUp).map(([name]) => name));
  /** First sighting of each server that looks down. */
  const suspects = new Map<string, number>();
  let endedRuns: NamedRun[] = [];
  let hasTurned = false;

  function end(name: string, to: number): void {
    const run = open.get(name);
    if (run !== undefined && to > run.from) endedRuns.push({ name, isUp: run.isUp, from: run.from, to });
    open.delete(name);
    hasTurned = true;
  }

  function begin(name: string, run: Run): void {
    end(name, run.from);
    open.set(name, run);
    if (run.isUp) downServers.delete(name);
    else downServers.add(name);
  }

  function step(
    name: string,
    observed: { readonly isUp: boolean; readonly since: number },
    now: number,
  ): void {
    const run = open.get(name);
    if (run?.isUp === observed.isUp) {
      open.set(name, { ...run, to: now });
      return;
    }
    if (observed.isUp) {
      begin(name, { isUp: true, from: now, to: now });
      return;
    }
    const suspected = Math.min(suspects.get(name) ?? now, now);
    suspects.set(name, suspected);
    if (now - suspected < CONFIRM_MS) return;
    // The server counts as up until it went down, as far as that is known.
    const from = run === undefined ? suspected : Math.max(run.from, Math.min(observed.since, suspected));
    begin(name, { isUp: false, from, to: now });
  }

  return {
    read(facts: Facts): void {
      const now = Math.floor(clock.now() / SECOND) * SECOND;
      for (const [name, { to }] of open) if (now - to > MAX_GAP_MS || now < to) end(name, to);
      const observations = judgeAvailability(facts, (name) => downServers.has(name), now);
      for (const name of suspects.keys()) if (observations.get(name)?.isUp !== false) suspects.delete(name);
      for (const [name, { isUp, since }] of observations)
        if (name.length <= MAX_NAME_LENGTH && (open.has(name) || open.size < MAX_SERVERS))
          step(name, { isUp, since: Math.floor(since / SECOND) * SECOND }, now);
    },
    /** Something went down or came back since the last {@link take}. */
    hasTurned: () => hasTurned,
    open: (): ReadonlyMap<string, Run> => new Map(open),
    /** Returns and removes the runs that have ended since the last call. */
    take(): readonly NamedRun[] {
      const runs = endedRuns;
      endedRuns = [];
      hasTurned = false;
      return runs;
    },
  };
}
