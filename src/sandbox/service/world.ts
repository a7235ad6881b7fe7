import type { JsonObject } from './json.ts';
import { openDatabase, words } from './world/database.ts';
import { carRecord, type Moment, optionsRecord, type ProfileFlags, profileRecord } from './world/records.ts';
import { settle } from './world/settle.ts';
import { statNames } from './world/stats.ts';

/** The sandbox's community. What it is at a moment follows from the seed, the start and that moment alone. */
export interface World {
  /** Lets life go on up to `now` (unix milliseconds). A step back changes nothing. */
  runTo(now: number): void;
  /** Lets `seconds` of life pass at once; what is shown stays in the clock's time. */
  advance(seconds: number): void;
  /** Null for a name that nobody has; the case of names does not matter. */
  profile(username: string, flags: ProfileFlags): JsonObject | null;
  options(username: string): JsonObject | null;
  /** Null for a VIN that no car has; either case is accepted. */
  car(vin: string, flags: { readonly preowners: boolean; readonly upgrades: boolean }): JsonObject | null;
  /** Usernames and VINs, those with the most to show first. */
  readonly drivers: readonly string[];
  readonly vins: readonly string[];
  close(): void;
}

const SECOND = 1000;

/** `now` in unix milliseconds. */
export function createWorld(seed: number, now: number): World {
  const db = openDatabase(statNames.filter((name) => name !== 'net_value'));
  let clock = Math.floor(now / SECOND) * SECOND;
  let ahead = 0;
  settle(db, seed, clock);

  const moment = (): Moment => ({ now: clock + ahead, ahead, isOnline: () => false });
  return {
    runTo(until) {
      clock = Math.max(clock, Math.floor(until / SECOND) * SECOND);
    },
    advance(seconds) {
      ahead += seconds * SECOND;
    },
    profile: (username, flags) => profileRecord(db, moment(), username, flags),
    options: (username) => optionsRecord(db, username),
    car: (vin, flags) => carRecord(db, moment(), vin, flags),
    drivers: db
      .rows(
        `SELECT username FROM driver ORDER BY
           (SELECT count(*) FROM licence WHERE driver = driver.id) + (SELECT count(*) FROM property WHERE driver = driver.id)
           + (SELECT count(*) FROM option WHERE driver = driver.id)
           + min(40, (SELECT count(*) FROM car WHERE owner = driver.id)) DESC, id`,
      )
      .map((row) => words(row, 'username')),
    vins: db
      .rows(
        `SELECT vin FROM car WHERE NOT wrecked ORDER BY
           (SELECT count(*) > 0 FROM upgrade WHERE car = car.id)
             + (SELECT min(2, count(*)) FROM preowner WHERE car = car.id) DESC, owner, id LIMIT 100`,
      )
      .map((row) => words(row, 'vin')),
    close: () => db.close(),
  };
}
