import { accountLeg } from './account.ts';
import type { Community, Driver } from './community.ts';
import { endEncounter } from './encounters.ts';
import { createLegs } from './legs.ts';
import { rolesOf, takeCar } from './means.ts';
import type { Random } from './random.ts';
import { freePlid, hasRoom, type Server, type Session } from './servers.ts';
import { MINUTE, spread } from './time.ts';

/** What drivers do between joining a server and leaving it: one leg after another, some of them shared. */
export interface Road {
  /** By driver; nobody is on two servers. */
  readonly sessions: ReadonlyMap<Driver, Session>;
  /** Puts the driver on that server, by default any with room; false if there is none. */
  join(driver: Driver, now: number, server?: Server): boolean;
  /** Ends the current leg and begins the next one; false when the driver has left instead. */
  goOn(session: Session, now: number): boolean;
}

export interface RoadEvents {
  /** Called with the end of a driver's new leg, even if another driver started it. */
  wake(driver: Driver, at: number): void;
  left(session: Session, at: number): void;
}

export function openRoad(
  community: Community,
  random: Random,
  servers: readonly Server[],
  { wake, left }: RoadEvents,
): Road {
  const sessions = new Map<Driver, Session>();

  const legs = createLegs(random, wake);

  const leave = (session: Session, now: number): void => {
    const { driver, server, plid } = session;
    server.guests.delete(plid);
    sessions.delete(driver);
    driver.lastSeen = now;
    left(session, now);
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
        role: random.pick(rolesOf(driver, now)),
        joinedAt: now,
        car: takeCar(community, random, driver),
        leg: legs.joining(now),
        leavesAt: now + spread(random) * 50 * MINUTE,
      };
      server.guests.set(session.plid, session);
      sessions.set(driver, session);
      legs.begin(session, session.leg);
      return true;
    },
    goOn(session, now) {
      const { driver } = session;
      accountLeg(random, session, now);
      endEncounter(random, session, now);
      if (now >= session.leavesAt) {
        leave(session, now);
        return false;
      }
      if (session.car?.wrecked === true) session.car = takeCar(community, random, driver);
      legs.choose(session, now);
      return true;
    },
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
