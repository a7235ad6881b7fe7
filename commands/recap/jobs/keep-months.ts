/** One reading of each kept driver on each side of the turn of a month, so that a recap has gains. */

import type { Clock } from '../../../src/base/clock.ts';
import { DAY, HOUR } from '../../../src/base/duration.ts';
import { forEachYielding } from '../../../src/base/for-each-yielding.ts';
import type { HiddenDrivers } from '../../../src/community/accounts/hidden-drivers.ts';
import type { History, ProfileReading, Stretch } from '../../../src/community/history/history.ts';
import type { Observation } from '../../../src/service/endpoints.ts';
import type { Subject } from '../../../src/service/look-ups.ts';
import { sameSpelling } from '../../../src/service/models/identifiers.ts';
import { MAX_OFF_TURN } from '../models/facts.ts';
import { monthAt, startOf } from '../models/period.ts';

/** Readings of today stay the only ones of a UTC day, so asking sooner than this would rarely help. */
const ASK_EVERY_MS = HOUR;
/** Further from the turn in UTC than this, no time zone has its turn near. */
const MAX_OFF_UTC_MS = MAX_OFF_TURN + DAY;
/** Readings before this are too old to order people by. */
const LOOK_BACK_MS = 400 * DAY;

interface Keeper {
  readonly personId: string;
  readonly driver: string;
}

export function createMonthKeeper(parts: {
  /** People whose months are kept. */
  readonly keepers: () => Promise<readonly Keeper[]>;
  /** The driver whose months are kept for the person; null: none. */
  readonly keptDriver: (personId: string) => Promise<string | null>;
  /** The zone that the person has chosen; null: none. */
  readonly zoneOf: (personId: string) => Promise<string | null>;
  readonly history: Pick<History, 'readings'>;
  readonly hidden: Pick<HiddenDrivers, 'isHidden' | 'isLinked'>;
  readonly clock: Pick<Clock, 'now'>;
}) {
  const { keepers, keptDriver, zoneOf, history, hidden, clock } = parts;
  /** By person. */
  const wanted = new Map<string, { readonly driver: string; readonly readAt: number }>();
  /** When a kept driver's profile was read near the turn, by `sameSpelling`: history keeps none that has no figures, and is asked less. */
  const observedTimes = new Map<string, number>();

  async function findWanted({ personId, driver }: Keeper, now: number) {
    const side = sideOf((await zoneOf(personId)) ?? 'UTC', now, MAX_OFF_TURN);
    if (side === null || isObserved(driver, side)) return null;
    const readings = await history.readings(driver, { from: now - LOOK_BACK_MS, to: now + 1 });
    const found = readings.find(({ at }) => isWithin(at, side));
    if (found !== undefined) observedTimes.set(sameSpelling(driver), found.at);
    // The last answer that is awaited: it may have been turned off, or read, meanwhile.
    const isKept = sameSpelling((await keptDriver(personId)) ?? '') === sameSpelling(driver);
    if (!isKept || isObserved(driver, side) || isReadToday(readings, now)) return null;
    return { driver, readAt: readings.at(-1)?.at ?? 0 };
  }

  function isObserved(driver: string, side: Stretch): boolean {
    const observedAt = observedTimes.get(sameSpelling(driver));
    return observedAt !== undefined && isWithin(observedAt, side);
  }

  return {
    /** Reads again whose profile is wanted. Rejects where the store fails for somebody, after all others. */
    async refresh(): Promise<void> {
      const now = clock.now();
      const isNearTurn = sideOf('UTC', now, MAX_OFF_UTC_MS) !== null;
      if (!isNearTurn) observedTimes.clear();
      const all = isNearTurn ? await keepers() : [];
      const kept = new Set(all.map(({ personId }) => personId));
      for (const personId of wanted.keys()) if (!kept.has(personId)) wanted.delete(personId);
      await forEachYielding(all, async (one) => {
        const found = await findWanted(one, now);
        if (found === null) wanted.delete(one.personId);
        else wanted.set(one.personId, found);
      });
    },
    /** Takes the person off the list at once. */
    drop: (personId: string): void => void wanted.delete(personId),
    /** Notes that a wanted profile was read: once on each side is enough, whatever is in it. */
    observed({ kind, record }: Observation, asOf: number): void {
      if (kind !== 'profile') return;
      const name = sameSpelling(record.username);
      const isOf = ([, { driver }]: readonly [string, { driver: string }]) => sameSpelling(driver) === name;
      const [personId] = [...wanted].find(isOf) ?? [];
      if (personId === undefined) return;
      observedTimes.set(name, asOf);
      wanted.delete(personId);
    },
    /**
     * Returns the drivers read longest ago first, without those who are hidden or linked by nobody by now. None counts as
     * overdue, so that overdue look-ups of others go first.
     */
    subjects: (): readonly Subject[] =>
      [...wanted.values()]
        .filter(({ driver }) => hidden.isLinked(driver) && !hidden.isHidden(driver))
        .toSorted((a, b) => a.readAt - b.readAt)
        .map(({ driver: name }) => ({
          kind: 'profile',
          name,
          every: ASK_EVERY_MS,
          isUrgent: false,
          knownAt: clock.now() - ASK_EVERY_MS,
        })),
  };
}

/** The side of the nearest turn of a month on which the moment is; null where that turn is further off. */
function sideOf(zone: string, now: number, off: number): Stretch | null {
  const month = monthAt(zone, now);
  const turn = [startOf(month, zone), startOf(month + 1, zone)].find((at) => Math.abs(now - at) < off);
  if (turn === undefined) return null;
  return now < turn ? { from: turn - off, to: turn } : { from: turn, to: turn + off };
}

const isWithin = (at: number, { from, to }: Stretch): boolean => at >= from && at < to;

/** A second reading of a UTC day would not be kept. */
function isReadToday(readings: readonly ProfileReading[], now: number): boolean {
  return readings.some(({ at }) => Math.floor(at / DAY) === Math.floor(now / DAY));
}
