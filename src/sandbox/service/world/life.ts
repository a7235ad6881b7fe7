import { tracks } from './catalogue.ts';
import type { Community, Driver } from './community.ts';
import { awayLength, eventsAreOpen } from './habits.ts';
import { trade } from './market.ts';
import type { Past } from './past.ts';
import { createRandom, type Random } from './random.ts';
import { openRoad, type Road, type RoadEvents } from './road.ts';
import { hasRoom, openServers, type Server, type Session } from './servers.ts';
import { HOUR, later, MINUTE } from './time.ts';

/** The community's events in chronological order. The past does not change. */
export interface Life {
  readonly servers: readonly Server[];
  /** By driver; nobody is on two servers. */
  readonly sessions: ReadonlyMap<Driver, Session>;
  /** Runs everything due by `until` (unix milliseconds of the world's time). */
  runTo(until: number): void;
  /**
   * Fills the server that has the fewest free slots with people who are at home; nobody leaves it before `until`. Null if
   * too few are at home, or every server is full. Both times in unix milliseconds of the world's time.
   */
  fillServer(now: number, until: number): Server | null;
  /**
   * On a server with a live file, already there or by joining one, and there until `until`; null if there is no room.
   * Both times in unix milliseconds of the world's time.
   */
  join(driver: Driver, now: number, until: number): Server | null;
  /** Skips `span` milliseconds: nothing happens in them. */
  skip(span: number): void;
}

/** Performs one action after another and says when the next one is due. */
interface Actor {
  /** Unix milliseconds of the world's time, at a whole second. */
  at: number;
  act(now: number): void;
}

/** Runs everything due by `until`, by time; ties in list order. */
function play(actors: readonly Actor[], until: number): void {
  for (;;) {
    const next = earliest(actors);
    if (next.at > until) return;
    next.act(next.at);
  }
}

function earliest(actors: readonly Actor[]): Actor {
  return actors.reduce((first, actor) => (actor.at < first.at ? actor : first));
}

/** The servers for which the interface gives both slots and drivers. */
const fillable: readonly Server['name'][] = ['one', 'two', 'three'];

/** Servers whose drivers everybody can see. */
const watched: readonly Server['name'][] = [...fillable, 'four'];

const freeSlots = ({ maxGuests, guests }: Server): number => maxGuests - guests.size;

/** Returns the server with the fewest free slots that `people` can fill. */
function serverToFill(servers: readonly Server[], people: number): Server | undefined {
  return servers
    .filter((one) => fillable.includes(one.name) && freeSlots(one) > 0 && freeSlots(one) <= people)
    .toSorted((one, other) => freeSlots(one) - freeSlots(other))[0];
}

/** Does it again and again, each time `from` to `to` ms later. */
function repeating(
  { from, to, what }: { readonly from: number; readonly to: number; what(now: number): void },
  random: Random,
  start: number,
): Actor {
  const actor: Actor = {
    at: later(random, start, from, to),
    act(now) {
      what(now);
      actor.at = later(random, now, from, to);
    },
  };
  return actor;
}

/** Joins a server, drives leg after leg, leaves, and stays away for some time. */
function createActor(driver: Driver, road: Road, random: Random, comes: number): Actor {
  const actor: Actor = {
    at: comes,
    act(now) {
      const session = road.sessions.get(driver);
      if (session === undefined) {
        if (!road.join(driver, now)) actor.at = later(random, now, MINUTE, 5 * MINUTE);
      } else if (!road.goOn(session, now)) {
        actor.at = now + awayLength(random, now, driver.keenness);
      }
    },
  };
  return actor;
}

/**
 * Goes on where the past ends. Random draws follow the order of events, so it does not matter when or how often anyone
 * looks. `left` is called when a driver has left a server.
 */
export function startLife(
  community: Community,
  { visits, next }: Past,
  { seed, start, left }: { readonly seed: number; readonly start: number; left: RoadEvents['left'] },
): Life {
  const random = createRandom(seed, 'life');
  const servers = openServers();
  for (const server of servers) if (server.name === 'events') server.open = eventsAreOpen(start);
  const drivers = new Map<Driver, Actor>();
  const wake: RoadEvents['wake'] = (driver, at) => {
    const actor = drivers.get(driver);
    if (actor !== undefined) actor.at = at;
  };
  const road = openRoad(community, random, servers, { wake, left });

  community.drivers.forEach((driver, index) => {
    drivers.set(driver, createActor(driver, road, random, next[index] ?? start));
  });
  for (const { driver: index, server: name, role, from, to } of visits) {
    if (to <= start) continue;
    const [driver, server] = [community.drivers[index], servers.find((one) => one.name === name)];
    const underWay = { role, joinedAt: from, leavesAt: to };
    if (driver !== undefined && server !== undefined) road.join(driver, start, { server, underWay });
  }

  const every = (from: number, to: number, what: (now: number) => void): Actor =>
    repeating({ from, to, what }, random, start);
  const actors: readonly Actor[] = [
    ...drivers.values(),
    every(4 * MINUTE, 20 * MINUTE, (now) => {
      const driven = [...road.sessions.values()].flatMap(({ car }) => car ?? []);
      trade(community, random, new Set(driven), now);
    }),
    ...servers.map((server) =>
      every(90 * MINUTE, 6 * HOUR, (now) => {
        // An event is open for some hours, and over when the last driver leaves.
        if (server.name === 'events') server.open = eventsAreOpen(now);
        server.track = random.pick(tracks);
      }),
    ),
  ];

  return {
    servers,
    sessions: road.sessions,
    runTo: (until) => play(actors, until),
    fillServer(now, until) {
      const atHome = [...drivers.keys()].filter((driver) => !road.sessions.has(driver));
      const server = serverToFill(servers, atHome.length);
      if (server === undefined) return null;
      for (const driver of random.shuffled(atHome).slice(0, freeSlots(server)))
        road.join(driver, now, { server });
      for (const session of server.guests.values()) session.leavesAt = Math.max(session.leavesAt, until);
      return server;
    },
    join(driver, now, until) {
      const isWatched = ({ name }: Server): boolean => watched.includes(name);
      const before = road.sessions.get(driver);
      const server =
        before !== undefined && isWatched(before.server)
          ? before.server
          : servers.find((one) => isWatched(one) && hasRoom(one));
      if (server === undefined) return null;
      if (before !== undefined && before.server !== server) {
        before.leavesAt = now;
        road.goOn(before, now);
      }
      if (!road.sessions.has(driver)) road.join(driver, now, { server });
      const session = road.sessions.get(driver);
      if (session !== undefined) session.leavesAt = Math.max(session.leavesAt, until);
      return server;
    },
    skip(span) {
      for (const actor of actors) actor.at += span;
      for (const session of road.sessions.values()) {
        session.leg = { ...session.leg, from: session.leg.from + span, until: session.leg.until + span };
        session.leavesAt += span;
      }
    },
  };
}
