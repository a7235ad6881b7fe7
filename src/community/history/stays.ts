/** Readings of one server's live file, folded into stays of drivers. Pure; all times in unix milliseconds. */
import { MINUTE } from '../../base/duration.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { Session } from './history.ts';

type Role = keyof NonNullable<Session['duty']>;

export interface SeenDriver {
  readonly driver: string;
  /** Null where the file does not say. */
  readonly roles: readonly Role[] | null;
}

/** A session under way. */
interface Stay {
  readonly driver: string;
  readonly from: number;
  /** When the driver was last in the file. */
  readonly seen: number;
  readonly played: number;
  readonly duty: Session['duty'];
  readonly startKnown: boolean;
  /** There has been a hole since the driver was last seen. */
  readonly holed: boolean;
}

/** One server, as of its last reading. */
export interface ServerStays {
  readonly at: number;
  /** Stays by the driver's name in lower case. */
  readonly stays: ReadonlyMap<string, Stay>;
}

/** A session that is over, and whose it was. */
interface Ended {
  readonly driver: string;
  readonly session: Omit<Session, 'server'>;
}

interface Step {
  readonly after: ServerStays;
  readonly ended: readonly Ended[];
  /** Time that drivers were seen to play since the last reading. */
  readonly played: readonly { readonly driver: string; readonly ms: number }[];
}

/** An absence of up to this long, for a lost connection or a change of car, does not end a session. */
const MAX_ABSENCE_MS = 3 * MINUTE;
/** Readings come every 10 seconds; without any for longer than this, it is not known who was there. */
const MIN_HOLE_MS = MINUTE;
/** A driver who is there before and after a longer hole may as well have been away. */
const MAX_BRIDGE_MS = 30 * MINUTE;

/** `previous`: null for the first reading ever. A reading older than that means that our clock was set back. */
export function foldReading(previous: ServerStays | null, at: number, drivers: readonly SeenDriver[]): Step {
  const gap = previous === null ? Number.POSITIVE_INFINITY : at - previous.at;
  const isHole = gap > MIN_HOLE_MS || gap < 0;
  const isBridged = gap >= 0 && gap <= MAX_BRIDGE_MS;
  const driversByKey = new Map(drivers.map((seen) => [sameSpelling(seen.driver), seen]));
  const stays = new Map<string, Stay>();
  const endedStays: Ended[] = [];
  const played: { driver: string; ms: number }[] = [];

  for (const [key, stay] of previous?.stays ?? []) {
    const driverSeen = driversByKey.get(key);
    const absent = at - stay.seen;
    if (!isBridged) endedStays.push({ driver: stay.driver, session: toSession({ ...stay, holed: true }) });
    else if (driverSeen !== undefined) {
      const ms = isHole || stay.seen !== previous?.at ? 0 : gap;
      stays.set(key, continueStay(stay, driverSeen, at, ms));
      if (ms > 0) played.push({ driver: driverSeen.driver, ms });
    } else if (absent > MAX_ABSENCE_MS)
      endedStays.push({ driver: stay.driver, session: toSession({ ...stay, holed: stay.holed || isHole }) });
    else stays.set(key, { ...stay, holed: stay.holed || isHole });
  }
  for (const [key, { driver, roles }] of driversByKey) {
    if (stays.has(key)) continue;
    const duty = roles === null ? null : { police: 0, medic: 0, tow: 0 };
    stays.set(key, { driver, from: at, seen: at, played: 0, duty, startKnown: !isHole, holed: false });
  }
  return { after: { at, stays }, ended: endedStays, played };
}

function continueStay(stay: Stay, { driver, roles }: SeenDriver, at: number, ms: number): Stay {
  const dutyTime = (role: Role): number =>
    (stay.duty?.[role] ?? 0) + (roles?.includes(role) === true ? ms : 0);
  const duty =
    roles === null
      ? stay.duty
      : { police: dutyTime('police'), medic: dutyTime('medic'), tow: dutyTime('tow') };
  return { ...stay, driver, duty, seen: at, played: stay.played + ms, holed: false };
}

/** The stay as a session up to when the driver was last seen. */
export function toSession({ from, seen, played, duty, startKnown, holed }: Stay): Omit<Session, 'server'> {
  return { from, to: seen, played, duty, startKnown, endKnown: !holed };
}
