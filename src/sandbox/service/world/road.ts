import { accountLeg } from './account.ts';
import type { Database } from './database.ts';
import { endEncounter, findFree } from './encounters.ts';
import { isWrecked, rolesOf, takeCar } from './means.ts';
import type { Random } from './random.ts';
import { freePlid, hasRoom, type Leg, type Server, type Session } from './servers.ts';
import { later, MINUTE, SECOND, spread } from './time.ts';

const places = [
  '^7Town Square',
  'Harbour',
  '^3Airport Road',
  'Police Station',
  'Hillside ^1North',
  'Ring Road',
] as const;

/** What drivers do between joining a server and leaving it: one leg after another, some of them shared. */
export interface Road {
  /** By driver; nobody is on two servers. */
  readonly sessions: ReadonlyMap<number, Session>;
  /** Puts the driver on that server, by default any with room; false if there is none. */
  join(driver: number, now: number, server?: Server): boolean;
  /** Ends the current leg and begins the next one; false when the driver has left instead. */
  goOn(session: Session, now: number): boolean;
}

export interface RoadEvents {
  /** Called with the end of a driver's new leg, even if another driver started it. */
  wake(driver: number, at: number): void;
  left(session: Session, at: number): void;
}

export function openRoad(
  db: Database,
  random: Random,
  servers: readonly Server[],
  { wake, left }: RoadEvents,
): Road {
  const sessions = new Map<number, Session>();

  const leg = (kind: Leg['kind'], now: number, until: number, other: Session | null = null): Leg =>
    newLeg(random, { kind, from: now, until, other });

  const begin = (session: Session, next: Leg): void => {
    session.leg = next;
    wake(session.driver, next.until);
  };

  /** The driver who started it acts first when it ends, and decides the outcome. */
  const meet = (session: Session, kind: 'chasing' | 'rescuing', other: Session, now: number): void => {
    accountLeg(db, random, other, now);
    const until = later(random, now, 40 * SECOND, 4 * MINUTE);
    begin(session, leg(kind, now, until, other));
    begin(other, leg(kind === 'chasing' ? 'chased' : 'broken', now, until + SECOND));
  };

  const breakDown = (session: Session, now: number): void => {
    db.run('UPDATE stats SET sos_called = sos_called + 1 WHERE driver = :driver', { driver: session.driver });
    begin(session, leg('broken', now, later(random, now, MINUTE, 3 * MINUTE)));
    const tow = findFree(random, session, 'tow');
    if (tow === null) return;
    accountLeg(db, random, tow, now);
    meet(tow, 'rescuing', session, now);
  };

  const leave = (session: Session, now: number): void => {
    const { driver, server, plid } = session;
    server.guests.delete(plid);
    sessions.delete(driver);
    db.run('UPDATE driver SET lastSeen = :now WHERE id = :driver', { driver, now });
    left(session, now);
  };

  const chooseLeg = (session: Session, now: number): void => {
    const { role } = session;
    const target = role === 'cop' && random.chance(0.2) ? findFree(random, session, 'civil') : null;
    if (target !== null) meet(session, 'chasing', target, now);
    else if (role === 'civil' && random.chance(0.03)) breakDown(session, now);
    else {
      const kind = random.chance(0.15) ? 'parked' : 'driving';
      begin(session, leg(kind, now, later(random, now, 20 * SECOND, 100 * SECOND)));
    }
  };

  return {
    sessions,
    join(driver, now, wanted) {
      const server = wanted ?? chooseServer(random, servers);
      if (server === null) return false;
      const session: Session = {
        driver,
        server,
        plid: freePlid(server),
        role: random.pick(rolesOf(db, driver, now)),
        joinedAt: now,
        car: takeCar(db, random, driver),
        leg: leg('joining', now, later(random, now, 8 * SECOND, 40 * SECOND)),
        leavesAt: now + spread(random) * 50 * MINUTE,
      };
      server.guests.set(session.plid, session);
      sessions.set(driver, session);
      begin(session, session.leg);
      return true;
    },
    goOn(session, now) {
      const { driver } = session;
      accountLeg(db, random, session, now);
      endEncounter(db, random, session, now);
      if (now >= session.leavesAt) {
        leave(session, now);
        return false;
      }
      if (session.car !== null && isWrecked(db, session.car.id)) session.car = takeCar(db, random, driver);
      chooseLeg(session, now);
      return true;
    },
  };
}

function newLeg(
  random: Random,
  { kind, from, until, other }: Pick<Leg, 'kind' | 'from' | 'until' | 'other'>,
): Leg {
  const still = kind === 'joining' || kind === 'parked' || kind === 'broken';
  const fast = kind === 'chasing' || kind === 'chased';
  return {
    ...{ kind, from, until, other },
    speed: still ? 0 : random.between(fast ? 25 : 8, fast ? 55 : 32),
    hazard: kind === 'broken' || random.chance(0.04),
    place: random.pick(places),
  };
}

/** One with room, by its appeal. */
function chooseServer(random: Random, servers: readonly Server[]): Server | null {
  const open = servers.filter(hasRoom);
  let mark = random.next() * open.reduce((sum, { appeal }) => sum + appeal, 0);
  for (const server of open) {
    mark -= server.appeal;
    if (mark < 0) return server;
  }
  return null;
}
