import type { Figures } from './stats.ts';

/** Times are unix milliseconds of the world's time; 0 means never, as in the interface. */
export interface Driver {
  /** From 1, in the order of the list. */
  readonly id: number;
  username: string;
  /** The username as it is looked up. */
  folded: string;
  nickname: string;
  readonly country: string;
  readonly joined: number;
  /** How often the driver comes; 1 is the average. */
  readonly keenness: number;
  lastSeen: number;
  readonly insimAdmin: boolean;
  readonly adminLevel: number;
  readonly needsCopTraining: boolean;
  money: number;
  readonly figures: Required<Figures>;
  /** One of a type at most. */
  readonly licences: Licence[];
  readonly properties: readonly Possession[];
  readonly options: ReadonlyMap<string, string>;
}

export interface Licence {
  readonly type: string;
  readonly name: string;
  readonly issued: number;
  /** A driver; 0 is the system. */
  readonly issuedBy: number;
  validUntil: number;
  suspendedUntil: number;
  readonly revoked: boolean;
}

/** A property, or an upgrade of a car. */
export interface Possession {
  readonly id: number;
  readonly type: string;
  /** From 0 to 1. */
  readonly condition: number;
  readonly value: number;
}

export interface Car {
  /** From 1, in the order in which they were built. */
  readonly id: number;
  readonly vin: string;
  /** A driver. */
  owner: number;
  readonly type: string;
  readonly listPrice: number;
  readonly built: number;
  purchased: number;
  purchasedAtKm: number;
  odometerKm: number;
  /** Percent, as the damage. */
  wear: number;
  damage: number;
  onMarket: boolean;
  marketPrice: number;
  wrecked: boolean;
  readonly upgrades: readonly Possession[];
  /** Oldest first. */
  readonly preowners: Preowner[];
}

export interface Preowner {
  /** A driver, or one of those who have left: `FIRST_DEPARTED` and above. */
  readonly buyerId: number;
  readonly purchased: number;
  readonly odometerKm: number;
}

export const FIRST_DEPARTED = 1000;

/** The drivers and their cars, both in the order of their ids. */
export interface Community {
  readonly drivers: Driver[];
  /** By VIN. */
  readonly cars: Map<string, Car>;
}

export function driverOf({ drivers }: Community, id: number): Driver {
  const driver = drivers[id - 1];
  if (driver === undefined) throw new RangeError(`no driver ${id}`);
  return driver;
}

/** Usernames ignore case and Unicode composition. */
export function foldName(username: string): string {
  return username.normalize('NFC').toLowerCase();
}

/** Null for an unknown name. */
export function driverNamed({ drivers }: Community, username: string): Driver | null {
  const folded = foldName(username);
  return drivers.find((driver) => driver.folded === folded) ?? null;
}

/** In the order of their ids. */
export function carsOf({ cars }: Community, owner: number): readonly Car[] {
  return [...cars.values()].filter((car) => car.owner === owner);
}

/** Issued by then, and neither revoked nor suspended nor expired. */
export function isValid({ issued, revoked, suspendedUntil, validUntil }: Licence, now: number): boolean {
  return issued <= now && !revoked && suspendedUntil <= now && (validUntil === 0 || validUntil > now);
}
