import type { JsonObject } from '../json.ts';
import type { Server, Session } from './servers.ts';

/** One connected client, for both generations of the live file. */
interface LiveGuest {
  readonly plid: number;
  readonly driver: number;
  readonly username: string;
  readonly nickname: string;
  readonly place: string;
  /** Kilometres per hour. */
  readonly speed: number;
  /** Empty in a rented car. */
  readonly vin: string;
  readonly role: Session['role'];
  /** The eight flags of a driver in a live file. */
  readonly flags: {
    readonly siren: boolean;
    readonly med: boolean;
    readonly caution: boolean;
    readonly tow: boolean;
    readonly cop: boolean;
    readonly isChased: boolean;
    readonly isJoining: boolean;
    readonly hazard: boolean;
  };
}

/** A server as it was at one second. */
export interface Snapshot {
  /** As in the live file: "One". */
  readonly label: string;
  readonly track: string;
  /** Unix milliseconds of the clock. */
  readonly time: number;
  readonly guests: readonly LiveGuest[];
}

export function snapshot({ label, track, guests }: Server, time: number): Snapshot {
  return { label, track: track.code, time, guests: [...guests.values()].map(liveGuest) };
}

function liveGuest({ driver, plid, role, car, leg }: Session): LiveGuest {
  const { username, nickname } = driver;
  return {
    plid,
    driver: driver.id,
    username,
    nickname,
    place: leg.place,
    speed: Math.round(leg.speed * 3.6),
    vin: car?.vin ?? '',
    role,
    flags: {
      siren: leg.kind === 'chasing' || (role === 'med' && leg.speed > 20),
      med: role === 'med',
      caution: leg.kind === 'rescuing',
      tow: role === 'tow',
      cop: role === 'cop',
      isChased: leg.kind === 'chased',
      isJoining: leg.kind === 'joining',
      hazard: leg.hazard,
    },
  };
}

/** The overview of the servers. */
export function overviewRecord({ open, track, guests, maxGuests }: Server): JsonObject {
  return {
    online: open || guests.size > 0,
    track: track.code,
    guests: guests.size,
    maxGuests,
    trackName: track.name,
  };
}
