import type { JsonObject } from './json.ts';
import { chatRecord } from './world/chat.ts';
import { type Database, figure, openDatabase, words } from './world/database.ts';
import { expireLicence } from './world/licences.ts';
import { type Life, startLife } from './world/life.ts';
import { overviewRecord, type Snapshot, snapshot } from './world/live.ts';
import { type Offer, offer } from './world/market.ts';
import { namesOf } from './world/names.ts';
import { type Left, pastOf, type WorldPast } from './world/past.ts';
import { carRecord, type Moment, optionsRecord, type ProfileFlags, profileRecord } from './world/records.ts';
import type { Server } from './world/servers.ts';
import { rename, settle } from './world/settle.ts';
import { statNames } from './world/stats.ts';
import { DAY, HOUR, MINUTE, SECOND } from './world/time.ts';

export type LiveName = 'one' | 'two' | 'three' | 'four';
export type OverviewName = 'one' | 'two' | 'three' | 'events' | 'training';

/** The sandbox's community. Its state depends only on the seed, the start and the time. */
export interface World {
  /** Advances to the second of `now` (unix milliseconds). A step back changes nothing. */
  runTo(now: number): void;
  /** Advances by `seconds` at once; times shown stay in the clock's time. */
  advance(seconds: number): void;
  /** Every slot taken for some minutes; null if too few people are left to fill a server. */
  fillServer(): { readonly server: string; readonly drivers: number; readonly minutes: number } | null;
  /** The first car of `vins` that is not wrecked, cheaper each time. */
  offerCar(): Offer | null;
  /** Of the first driver of `drivers`; null once none is valid. */
  expireLicence(): { readonly driver: string; readonly licence: string } | null;
  /** A driver's record; null for an unknown name; case is ignored. */
  profile(username: string, flags: ProfileFlags): JsonObject | null;
  /** A driver's options that are not the default; null for an unknown name. */
  options(username: string): JsonObject | null;
  /** A car; null for an unknown VIN; case is ignored. */
  car(vin: string, flags: { readonly preowners: boolean; readonly upgrades: boolean }): JsonObject | null;
  /** Whether the names that try everything stand in for ordinary ones. */
  useHostileNames(on: boolean): void;
  live(server: LiveName): Snapshot;
  /** The overview of the servers. */
  overview(server: OverviewName): JsonObject;
  /** The status of the chat server. */
  chat(): JsonObject;
  online(): JsonObject;
  /** Everybody's money and figures as they are now. */
  records(): readonly DriverRecord[];
  /** The cars that are for sale now. */
  offers(): readonly CarOffer[];
  /** What happened in the time before the world began; nobody was seen later than their profile says. */
  past(since: number): WorldPast;
  /** Usernames and VINs, those with the most data first. */
  readonly drivers: readonly string[];
  readonly vins: readonly string[];
  close(): void;
}

export interface CarOffer {
  readonly vin: string;
  readonly model: string;
  readonly price: number;
}

export interface DriverRecord {
  readonly username: string;
  /** By the interface's names, with the money. */
  readonly figures: Readonly<Record<string, number>>;
}

/** How long a server that was filled stays full at least, in ms. */
const FULL_FOR = 10 * MINUTE;
/** Simulated time before the start, so that the servers are not empty at first. */
const BEFORE = 3 * HOUR;
/** Maximum gap to simulate, for instance after a suspend. */
const LONGEST_GAP = DAY;

/** `now` in unix milliseconds; with hostile names unless they are refused. */
export function createWorld(seed: number, now: number, hostileNames = true): World {
  const db = openDatabase(statNames.filter((name) => name !== 'net_value'));
  const began = Math.floor(now / SECOND) * SECOND;
  let names = namesOf(hostileNames ? 'hostile' : 'own');
  const settled = began - BEFORE;
  settle(db, seed, settled, names);
  const lately: Left[] = [];
  const life = startLife(db, seed, settled, (session, at) => {
    if (at <= began) lately.push({ session, at });
  });
  const time = passTime(life, began);

  const server = (name: Server['name']): Server => {
    const known = life.servers.find((one) => one.name === name);
    if (known === undefined) throw new RangeError(`no server ${name}`);
    return known;
  };
  const moment = (): Moment => ({
    now: time.now,
    ahead: time.ahead,
    isOnline: (driver) => life.sessions.has(driver),
  });
  const shown = mostToShow(db);
  const drivers = (): readonly string[] => shown.drivers.map((index) => names[index]?.username ?? '');
  return {
    runTo: time.runTo,
    advance: time.advance,
    fillServer() {
      const filled = life.fillServer(time.now, time.now + FULL_FOR);
      return filled && { server: filled.label, drivers: filled.guests.size, minutes: FULL_FOR / MINUTE };
    },
    offerCar: () => firstOffer(db, shown.vins),
    expireLicence() {
      const [driver = ''] = drivers();
      const licence = expireLicence(db, driver, time.now);
      return licence === null ? null : { driver, licence };
    },
    profile: (username, flags) => profileRecord(db, moment(), username, flags),
    options: (username) => optionsRecord(db, username),
    car: (vin, flags) => carRecord(db, moment(), vin, flags),
    useHostileNames(on) {
      names = namesOf(on ? 'hostile' : 'own');
      rename(db, names);
    },
    live: (name) => snapshot(server(name), names, time.clock),
    overview: (name) => overviewRecord(server(name)),
    chat: () => chatRecord(seed, time.now, names),
    online: () => ({ online: life.sessions.size, registered: names.length }),
    records: () => recordsOf(db),
    offers: () => offersOf(db),
    past: (since) => pastOf(db, names, { seed, since, settled, lately }),
    get drivers() {
      return drivers();
    },
    vins: shown.vins,
    close: () => db.close(),
  };
}

interface PassingTime extends Pick<World, 'runTo' | 'advance'> {
  /** Unix milliseconds. */
  readonly clock: number;
  /** How far the world's time is ahead of the clock, in ms. */
  readonly ahead: number;
  /** The world's time, in unix milliseconds. */
  readonly now: number;
}

function passTime(life: Life, began: number): PassingTime {
  let clock = began;
  let ahead = 0;
  life.runTo(clock);
  return {
    get clock() {
      return clock;
    },
    get ahead() {
      return ahead;
    },
    get now() {
      return clock + ahead;
    },
    runTo(until) {
      const second = Math.max(clock, Math.floor(until / SECOND) * SECOND);
      if (second - clock > LONGEST_GAP) life.skip(second - clock - LONGEST_GAP);
      clock = second;
      life.runTo(clock + ahead);
    },
    advance(seconds) {
      ahead += Math.round(seconds) * SECOND;
      life.runTo(clock + ahead);
    },
  };
}

/** Only as far as the first: an offer changes the car. */
function firstOffer(db: Database, vins: readonly string[]): Offer | null {
  for (const vin of vins) {
    const offered = offer(db, vin);
    if (offered !== null) return offered;
  }
  return null;
}

/** Those with the most data first: drivers as indices of the names, and cars. */
function mostToShow(db: Database): { readonly drivers: readonly number[]; readonly vins: readonly string[] } {
  const drivers = db.rows(
    `SELECT id FROM driver ORDER BY
       (SELECT count(*) FROM licence WHERE driver = driver.id) + (SELECT count(*) FROM property WHERE driver = driver.id)
       + (SELECT count(*) FROM option WHERE driver = driver.id)
       + min(40, (SELECT count(*) FROM car WHERE owner = driver.id)) DESC, id`,
  );
  const cars = db.rows(
    `SELECT vin FROM car WHERE NOT wrecked ORDER BY
       (SELECT count(*) > 0 FROM upgrade WHERE car = car.id)
         + (SELECT min(2, count(*)) FROM preowner WHERE car = car.id) DESC, owner, id LIMIT 100`,
  );
  return { drivers: drivers.map((row) => figure(row, 'id') - 1), vins: cars.map((row) => words(row, 'vin')) };
}

function recordsOf(db: Database): readonly DriverRecord[] {
  return db
    .rows('SELECT username, money, stats.* FROM driver JOIN stats ON stats.driver = driver.id')
    .map((row) => ({
      username: words(row, 'username'),
      figures: Object.fromEntries(
        Object.entries(row).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
      ),
    }));
}

function offersOf(db: Database): readonly CarOffer[] {
  return db.rows('SELECT vin, type, marketPrice FROM car WHERE onMarket ORDER BY id').map((row) => ({
    vin: words(row, 'vin'),
    model: words(row, 'type'),
    price: figure(row, 'marketPrice'),
  }));
}
