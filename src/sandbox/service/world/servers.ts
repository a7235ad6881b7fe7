import { type Track, tracks } from './catalogue.ts';
import type { Car, Driver } from './community.ts';
import type { Random } from './random.ts';

export type Role = 'civil' | 'cop' | 'med' | 'tow';

/** One activity of a driver for a stretch of time, at one speed. */
export interface Leg {
  readonly kind: 'joining' | 'driving' | 'parked' | 'chasing' | 'chased' | 'broken' | 'rescuing';
  /** Unix milliseconds of the world's time, both. */
  readonly from: number;
  readonly until: number;
  /** Metres per second. */
  readonly speed: number;
  readonly hazard: boolean;
  /** The driver being chased or rescued. */
  readonly other: Session | null;
  readonly place: string;
}

/** One driver on one server, from joining to leaving. */
export interface Session {
  readonly driver: Driver;
  readonly server: Server;
  /** The in-game protocol's player id: the lowest free one on the server. */
  readonly plid: number;
  readonly role: Role;
  /** Unix milliseconds of the world's time. */
  readonly joinedAt: number;
  /** Null in a rented car. */
  car: Car | null;
  leg: Leg;
  /** Unix milliseconds of the world's time. */
  leavesAt: number;
}

export interface Server {
  /** As in the URLs. */
  readonly name: 'one' | 'two' | 'three' | 'four' | 'events' | 'training';
  /** As in the live file. */
  readonly label: string;
  readonly maxGuests: number;
  /** Relative likelihood of joining it. */
  readonly appeal: number;
  /** Whether it accepts drivers; a closed one stays online until the last one has left. */
  open: boolean;
  track: Track;
  readonly guests: Map<number, Session>;
}

function server(
  name: Server['name'],
  label: string,
  maxGuests: number,
  appeal: number,
  place: number,
): Server {
  const open = name !== 'events';
  return { name, label, maxGuests, appeal, open, track: tracks[place] ?? tracks[0], guests: new Map() };
}

export function openServers(): readonly Server[] {
  return [
    server('one', 'One', 12, 6, 0),
    server('two', 'Two', 24, 3, 2),
    server('three', 'Three', 24, 2.5, 4),
    server('four', 'Four', 16, 1, 6),
    server('events', 'Events', 40, 4, 3),
    server('training', 'Training', 8, 0.3, 5),
  ];
}

export function hasRoom({ open, guests, maxGuests }: Server): boolean {
  return open && guests.size < maxGuests;
}

/** One by chance, the likelier the more it appeals. */
export function byAppeal<Place extends Pick<Server, 'appeal'>>(
  random: Random,
  places: readonly Place[],
): Place | null {
  let mark = random.next() * places.reduce((sum, { appeal }) => sum + appeal, 0);
  for (const place of places) {
    mark -= place.appeal;
    if (mark < 0) return place;
  }
  return null;
}

export function freePlid({ guests }: Server): number {
  let plid = 1;
  while (guests.has(plid)) plid += 1;
  return plid;
}
