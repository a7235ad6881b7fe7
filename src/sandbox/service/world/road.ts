import { accountLeg } from './account.ts';
import type { Community, Driver } from './community.ts';
import { endEncounter } from './encounters.ts';
import { stayLength } from './habits.ts';
import { createLegs } from './legs.ts';
import { rolesOf, takeCar } from './means.ts';
import type { Random } from './random.ts';
import { byAppeal, freePlid, hasRoom, type Server, type Session } from './servers.ts';

/** Drivers between joining a server and leaving it: one leg after another, some of them shared. */
export interface Road {
  /** By driver; nobody is on two servers. */
  readonly sessions: ReadonlyMap<Driver, Session>;
  /** Puts the driver on that server, by default any with room; false if there is none. */
  join(driver: Driver, now: number, as?: Joining): boolean;
  /** Ends the current leg and begins the next one; false when the driver has left instead. */
  goOn(session: Session, now: number): boolean;
}

/** Fixed facts of a session that begins; the rest is left to chance. */
interface Joining {
  readonly server?: Server;
  /** A session that began earlier. */
  readonly underWay?: Pick<Session, 'role' | 'joinedAt' | 'leavesAt'>;
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
    join(driver, now, { server: wanted, underWay } = {}) {
      const server = wanted ?? byAppeal(random, servers.filter(hasRoom));
      if (server === null) return false;
      const session: Session = {
        driver,
        server,
        plid: freePlid(server),
        role: random.pick(rolesOf(driver, now)),
        joinedAt: now,
        car: takeCar(community, random, driver),
        leg: legs.joining(now),
        leavesAt: now + stayLength(random),
        ...underWay,
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
      // A driver who has lost the licence goes off duty.
      if (now >= session.leavesAt || !rolesOf(driver, now).includes(session.role)) {
        leave(session, now);
        return false;
      }
      if (session.car?.wrecked === true) session.car = takeCar(community, random, driver);
      legs.choose(session, now);
      return true;
    },
  };
}
