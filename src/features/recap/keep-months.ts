/** *Keep my months*: one reading of a person's driver on each side of the turn of a month, so that a recap has gains. */
import type { HiddenDrivers } from '../../accounts/hidden-drivers.ts';
import type { Links } from '../../accounts/links.ts';
import type { Clock } from '../../base/clock.ts';
import { DAY, HOUR } from '../../base/duration.ts';
import { forEachYielding } from '../../base/for-each-yielding.ts';
import type { Subject } from '../../service/look-ups.ts';
import type { History, ProfileReading, Stretch } from '../../service/models/history.ts';
import { MAX_OFF_TURN } from './facts.ts';
import { monthAt, startOf } from './period.ts';

/** Readings of today stay the only ones of a UTC day, so asking sooner than this would rarely help. */
const ASK_EVERY_MS = HOUR;
/** Further from the turn in UTC than this, no time zone has its turn near. */
const MAX_OFF_UTC_MS = MAX_OFF_TURN + DAY;
/** Readings before this are too old to order people by. */
const LOOK_BACK_MS = 400 * DAY;

export function createMonthKeeper(parts: {
  readonly keepers: () => Promise<readonly string[]>;
  readonly links: Pick<Links, 'of'>;
  /** The zone that the person has chosen; null: none. */
  readonly zoneOf: (personId: string) => Promise<string | null>;
  readonly history: Pick<History, 'readings'>;
  readonly hidden: Pick<HiddenDrivers, 'isHidden'>;
  readonly clock: Pick<Clock, 'now'>;
}) {
  const { keepers, links, zoneOf, history, hidden, clock } = parts;
  let drivers: readonly string[] = [];

  return {
    /** Reads again whose profile is wanted. Rejects where the store fails. */
    async refresh(): Promise<void> {
      const now = clock.now();
      const wanted: { readonly driver: string; readonly readAt: number }[] = [];
      if (sideOf('UTC', now, MAX_OFF_UTC_MS) !== null)
        await forEachYielding(await keepers(), async (personId) => {
          const driver = (await links.of(personId))?.username ?? null;
          const side = sideOf((await zoneOf(personId)) ?? 'UTC', now, MAX_OFF_TURN);
          if (driver === null || side === null || hidden.isHidden(driver)) return;
          const readings = await history.readings(driver, { from: now - LOOK_BACK_MS, to: now + 1 });
          if (isWanted(readings, side, now)) wanted.push({ driver, readAt: readings.at(-1)?.at ?? 0 });
        });
      drivers = wanted.toSorted((a, b) => a.readAt - b.readAt).map(({ driver }) => driver);
    },
    /** Returns the drivers read longest ago first. None counts as overdue, so that overdue look-ups of others go first. */
    subjects: (): readonly Subject[] =>
      drivers.map((name) => ({
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

/** There is no reading on that side yet, and none of this UTC day, of which a second one would not be kept. */
function isWanted(readings: readonly ProfileReading[], side: Stretch, now: number): boolean {
  const today = Math.floor(now / DAY);
  return !readings.some(({ at }) => (at >= side.from && at < side.to) || Math.floor(at / DAY) === today);
}
