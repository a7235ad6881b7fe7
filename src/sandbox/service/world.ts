import type { JsonObject } from './json.ts';
import { type ChatGuild, chatRecord, inventedGuild } from './world/chat.ts';
import { type Car, type Community, type Driver, driverNamed, driverOf } from './world/community.ts';
import { expireLicence } from './world/licences.ts';
import { startLife } from './world/life.ts';
import { overviewRecord, type Snapshot, snapshot } from './world/live.ts';
import { type Offer, offer } from './world/market.ts';
import { namesOf } from './world/names.ts';
import { type PassingTime, passTime } from './world/pass-time.ts';
import { seenPast, type Visit, type WorldPast } from './world/past.ts';
import { carRecord, type Moment, optionsRecord, type ProfileFlags, profileRecord } from './world/records.ts';
import type { Server, Session } from './world/servers.ts';
import { rename, settle } from './world/settle.ts';
import { HOUR, MINUTE, SECOND } from './world/time.ts';

export type LiveName = 'one' | 'two' | 'three' | 'four';
type OverviewName = 'one' | 'two' | 'three' | 'events' | 'training';

/** The sandbox's community. Its state depends only on the seed, the start and the time. */
export interface World extends Pick<PassingTime, 'runTo' | 'advance'> {
  /** Every slot taken for some minutes; null if too few people are left to fill a server. */
  fillServer(): { readonly server: string; readonly drivers: number; readonly minutes: number } | null;
  /** The first car of `vins` that is not wrecked, cheaper each time. */
  offerCar(): Offer | null;
  /**
   * A driver takes that in-game name and is on a server for some minutes at least; null for an unknown one, or if there
   * is no room.
   */
  driveAs(
    username: string,
    nickname: string,
  ): { readonly driver: string; readonly name: string; readonly server: string } | null;
  /** Ends a licence of the first driver of `drivers`; null once none is valid. */
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
  /** The past from `since`, a year ago at most, until now; nobody was seen later than their profile says. */
  past(since: number): WorldPast;
  /** Usernames and VINs, those with the most data first. */
  readonly drivers: readonly string[];
  readonly vins: readonly string[];
}

export interface CarOffer {
  readonly vin: string;
  readonly model: string;
  readonly price: number;
}

export interface DriverRecord {
  readonly username: string;
  readonly nickname: string;
  /** Unix milliseconds. */
  readonly joined: number;
  /** By the interface's names, with the money. */
  readonly figures: Readonly<Record<string, number>>;
}

/** How long a server that was filled stays full at least, in ms. */
const FULL_FOR = 10 * MINUTE;
/** How long a driver who was asked to drive stays at least, in ms: as long as a proof of a link may take. */
const DRIVES_FOR = 15 * MINUTE;
/** Simulated time before the start at least, in which cars change hands and people meet. */
const BEFORE = 3 * HOUR;
/** The year before that ends at a time that many starts have in common, in ms: most of a start goes into it. */
const SETTLED_EVERY = 15 * MINUTE;

/**
 * `now` in unix milliseconds; with hostile names unless they are refused. `guild`: the community's chat server, as long as
 * the names are not hostile; by default an invented one.
 */
export function createWorld(
  seed: number,
  now: number,
  hostileNames = true,
  guild: (() => ChatGuild) | null = null,
): World {
  const began = Math.floor(now / SECOND) * SECOND;
  let isHostile = hostileNames;
  let names = namesOf(isHostile ? 'hostile' : 'own');
  const settled = Math.floor((began - BEFORE) / SETTLED_EVERY) * SETTLED_EVERY;
  const { community, past } = settle(seed, settled, names);
  const lately: Left[] = [];
  const life = startLife(community, past, {
    seed,
    start: settled,
    left: (session, at) => void lately.push({ session, at }),
  });
  const time = passTime(life, began);

  const server = (name: Server['name']): Server => {
    const known = life.servers.find((one) => one.name === name);
    if (known === undefined) throw new RangeError(`no server ${name}`);
    return known;
  };
  const moment = (): Moment => ({
    now: time.now,
    clockAt: time.clockAt,
    isOnline: (driver) => life.sessions.has(driver),
  });
  const shown = mostToShow(community);
  const drivers = (): readonly string[] => shown.drivers.map((id) => driverOf(community, id).username);
  return {
    runTo: time.runTo,
    advance: time.advance,
    fillServer() {
      const filled = life.fillServer(time.now, time.now + FULL_FOR);
      return filled && { server: filled.label, drivers: filled.guests.size, minutes: FULL_FOR / MINUTE };
    },
    offerCar: () => firstOffer(community, shown.vins),
    driveAs(username, nickname) {
      const driver = driverNamed(community, username);
      const joined = driver && life.join(driver, time.now, time.now + DRIVES_FOR);
      if (driver === null || joined === null) return null;
      driver.nickname = nickname;
      return { driver: driver.username, name: nickname, server: joined.label };
    },
    expireLicence() {
      const driver = driverOf(community, shown.drivers[0] ?? 1);
      const licence = expireLicence(driver, time.now);
      return licence === null ? null : { driver: driver.username, licence };
    },
    profile: (username, flags) => profileRecord(community, moment(), username, flags),
    options: (username) => optionsRecord(community, username),
    car: (vin, flags) => carRecord(community, moment(), vin, flags),
    useHostileNames(on) {
      isHostile = on;
      names = namesOf(on ? 'hostile' : 'own');
      rename(community, names);
    },
    live: (name) => snapshot(server(name), time.clock),
    overview: (name) => overviewRecord(server(name)),
    chat: () =>
      chatRecord(seed, guild === null || isHostile ? inventedGuild(seed, time.now, names) : guild()),
    online: () => ({ online: life.sessions.size, registered: names.length }),
    records: () => recordsOf(community),
    offers: () => offersOf(community),
    past(since) {
      const visits = [
        ...past.visits.filter(({ to }) => to <= settled),
        ...lately.map(({ session, at }) => visitOf(session, time.clockAt(at), time)),
        ...[...life.sessions.values()].map((session) => visitOf(session, Number.POSITIVE_INFINITY, time)),
      ].toSorted((a, b) => a.from - b.from);
      const usernames = community.drivers.map(({ username }) => username);
      return seenPast(visits, usernames, { seed, since, until: time.clock });
    },
    get drivers() {
      return drivers();
    },
    vins: shown.vins,
  };
}

/** A session that is over. */
interface Left {
  readonly session: Session;
  /** Unix milliseconds of the world's time. */
  readonly at: number;
}

/** A session as a visit, in the clock's time. */
function visitOf({ driver, server, role, joinedAt }: Session, to: number, time: PassingTime): Visit {
  return { driver: driver.id - 1, server: server.name, role, from: time.clockAt(joinedAt), to };
}

/** Only as far as the first: an offer changes the car. */
function firstOffer(community: Community, vins: readonly string[]): Offer | null {
  for (const vin of vins) {
    const offered = offer(community, vin);
    if (offered !== null) return offered;
  }
  return null;
}

/** Orders drivers, by their ids, and cars: those with the most data first. */
function mostToShow({ drivers, cars }: Community): {
  readonly drivers: readonly number[];
  readonly vins: readonly string[];
} {
  const owned = Map.groupBy(cars.values(), ({ owner }) => owner);
  const toShow = ({ id, licences, properties, options }: Driver): number =>
    licences.length + properties.length + options.size + Math.min(40, owned.get(id)?.length ?? 0);
  const history = ({ upgrades, preowners }: Car): number =>
    Number(upgrades.length > 0) + Math.min(2, preowners.length);
  return {
    drivers: drivers.toSorted((one, other) => toShow(other) - toShow(one)).map(({ id }) => id),
    vins: [...cars.values()]
      .filter(({ wrecked }) => !wrecked)
      .sort((one, other) => history(other) - history(one) || one.owner - other.owner)
      .slice(0, 100)
      .map(({ vin }) => vin),
  };
}

function recordsOf({ drivers }: Community): readonly DriverRecord[] {
  return drivers.map(({ username, nickname, joined, money, figures }) => ({
    username,
    nickname,
    joined,
    figures: { money, ...figures },
  }));
}

function offersOf({ cars }: Community): readonly CarOffer[] {
  return [...cars.values()]
    .filter(({ onMarket }) => onMarket)
    .map(({ vin, type, marketPrice }) => ({ vin, model: type, price: marketPrice }));
}
