import { accountLeg, pay } from './account.ts';
import { tracks } from './catalogue.ts';
import { type Database, figure, words } from './database.ts';
import { endEncounter, findFree } from './encounters.ts';
import { trade } from './market.ts';
import { people } from './names.ts';
import { createRandom } from './random.ts';
import { freePlid, hasRoom, type Leg, openServers, type Role, type Server, type Session } from './servers.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const places = [
  '^7Town Square',
  'Harbour',
  '^3Airport Road',
  'Police Station',
  'Hillside ^1North',
  'Ring Road',
] as const;

/** What goes on in the community: events in the order of their time. The past does not change. */
export interface Life {
  readonly servers: readonly Server[];
  /** By driver: nobody is on two servers. */
  readonly sessions: ReadonlyMap<number, Session>;
  /** Lets everything happen that is due by `until` (unix milliseconds of the world's time). */
  runTo(until: number): void;
  /** Leaves `span` milliseconds out: nothing happens in them. */
  skip(span: number): void;
}

/** Something that does one thing after another; it says itself when it is next. */
interface Actor {
  /** Whole seconds of unix time, in milliseconds. */
  at: number;
  act(now: number): void;
}

/** Draws come in the order of events alone, so it does not matter when or how often anybody looks. */
export function startLife(db: Database, seed: number, start: number): Life {
  const random = createRandom(seed, 'life');
  const servers = openServers();
  const sessions = new Map<number, Session>();
  const later = (now: number, from: number, to: number): number =>
    now + Math.round(random.between(from, to) / SECOND) * SECOND;

  /** The part of the mean that somebody waits or stays: few are much longer, most are shorter. */
  const spread = (): number => Math.min(4, -Math.log(1 - random.next()));

  const rolesOf = (driver: number, now: number): readonly [Role, ...Role[]] => {
    const rows = db.rows(
      `SELECT type FROM licence WHERE driver = :driver AND type IN ('cop', 'med', 'tow') AND NOT revoked
         AND suspendedUntil <= :now AND (validUntil = 0 OR validUntil > :now) ORDER BY id`,
      { driver, now },
    );
    const held = rows.map((row) => words(row, 'type'));
    return ['civil', ...(['cop', 'med', 'tow'] as const).filter((role) => held.includes(role))];
  };

  const takeCar = (driver: number): Session['car'] => {
    const usable = 'FROM car WHERE owner = :driver AND NOT wrecked AND NOT onMarket';
    const count = figure(db.row(`SELECT count(*) AS count ${usable}`, { driver }), 'count');
    if (count === 0) return null;
    const place = Math.floor(random.next() ** 2 * Math.min(count, 12));
    const row = db.row(`SELECT id, vin, damage ${usable} ORDER BY id LIMIT 1 OFFSET :place`, {
      driver,
      place,
    });
    const id = figure(row, 'id');
    const damage = figure(row, 'damage');
    if (damage > 20) {
      db.run('UPDATE car SET damage = 0 WHERE id = :id', { id });
      pay(db, driver, -damage * 12);
    }
    return { id, vin: words(row, 'vin') };
  };

  const isWrecked = (id: number): boolean =>
    figure(db.row('SELECT wrecked FROM car WHERE id = :id', { id }), 'wrecked') === 1;

  const chooseServer = (): Server | null => {
    const open = servers.filter(hasRoom);
    let mark = random.next() * open.reduce((sum, { appeal }) => sum + appeal, 0);
    for (const server of open) {
      mark -= server.appeal;
      if (mark < 0) return server;
    }
    return null;
  };

  const leg = (kind: Leg['kind'], now: number, until: number, other: Session | null = null): Leg => {
    const still = kind === 'joining' || kind === 'parked' || kind === 'broken';
    const fast = kind === 'chasing' || kind === 'chased';
    return {
      kind,
      from: now,
      until,
      speed: still ? 0 : random.between(fast ? 25 : 8, fast ? 55 : 32),
      hazard: kind === 'broken' || random.chance(0.04),
      other,
      place: random.pick(places),
    };
  };

  const join = (driver: number, server: Server, now: number): Session => {
    const session: Session = {
      driver,
      server,
      plid: freePlid(server),
      role: random.pick(rolesOf(driver, now)),
      car: takeCar(driver),
      leg: leg('joining', now, later(now, 8 * SECOND, 40 * SECOND)),
      leavesAt: now + spread() * 50 * MINUTE,
    };
    server.guests.set(session.plid, session);
    sessions.set(driver, session);
    return session;
  };

  const leave = ({ driver, server, plid }: Session, now: number): void => {
    server.guests.delete(plid);
    sessions.delete(driver);
    db.run('UPDATE driver SET lastSeen = :now WHERE id = :driver', { driver, now });
  };

  const drivers = new Map<number, Actor>();

  const begin = (session: Session, next: Leg): void => {
    session.leg = next;
    const actor = drivers.get(session.driver);
    if (actor !== undefined) actor.at = next.until;
  };

  /** Both are at it until the same moment; who started it is first to act then, and says how it came out. */
  const meet = (session: Session, kind: 'chasing' | 'rescuing', other: Session, now: number): void => {
    accountLeg(db, random, other, now);
    const until = later(now, 40 * SECOND, 4 * MINUTE);
    begin(session, leg(kind, now, until, other));
    begin(other, leg(kind === 'chasing' ? 'chased' : 'broken', now, until + SECOND));
  };

  const breakDown = (session: Session, now: number): void => {
    db.run('UPDATE stats SET sos_called = sos_called + 1 WHERE driver = :driver', { driver: session.driver });
    begin(session, leg('broken', now, later(now, MINUTE, 3 * MINUTE)));
    const tow = findFree(random, session, 'tow');
    if (tow === null) return;
    accountLeg(db, random, tow, now);
    meet(tow, 'rescuing', session, now);
  };

  const next = (session: Session, now: number): void => {
    const target = session.role === 'cop' && random.chance(0.2) ? findFree(random, session, 'civil') : null;
    if (target !== null) meet(session, 'chasing', target, now);
    else if (session.role === 'civil' && random.chance(0.03)) breakDown(session, now);
    else {
      const kind = random.chance(0.15) ? 'parked' : 'driving';
      begin(session, leg(kind, now, later(now, 20 * SECOND, 100 * SECOND)));
    }
  };

  people.forEach((_person, index) => {
    const driver = index + 1;
    const keenness = random.between(0.4, 2.5);
    const away = (now: number): number => {
      // Evenings (UTC) are busy and mornings are not.
      const hour = new Date(now).getUTCHours() + 24;
      const quiet = 1.3 - Math.cos(((hour - 19) / 12) * Math.PI) * 0.8;
      return later(now, MINUTE, MINUTE) + Math.round(((spread() * 1.5 * quiet) / keenness) * 3600) * SECOND;
    };
    const actor: Actor = {
      at: later(start, 0, 2 * HOUR),
      act(now) {
        const session = sessions.get(driver);
        if (session === undefined) {
          const server = chooseServer();
          actor.at = server === null ? later(now, MINUTE, 5 * MINUTE) : join(driver, server, now).leg.until;
          return;
        }
        const done = session.leg;
        accountLeg(db, random, session, now);
        endEncounter(db, random, session, done, now);
        if (session.car !== null && isWrecked(session.car.id)) session.car = takeCar(driver);
        if (now < session.leavesAt) next(session, now);
        else {
          leave(session, now);
          actor.at = away(now);
        }
      },
    };
    drivers.set(driver, actor);
  });

  const every = (from: number, to: number, what: (now: number) => void): Actor => {
    const actor: Actor = {
      at: later(start, from, to),
      act(now) {
        what(now);
        actor.at = later(now, from, to);
      },
    };
    return actor;
  };

  const driven = (): Set<number> => new Set([...sessions.values()].flatMap(({ car }) => car?.id ?? []));
  const actors: readonly Actor[] = [
    ...drivers.values(),
    every(4 * MINUTE, 20 * MINUTE, (now) => trade(db, random, driven(), now)),
    ...servers.map((server) =>
      every(90 * MINUTE, 6 * HOUR, () => {
        // An event lets people in for some hours, and is over when the last one has gone.
        if (server.name === 'events') server.open = !server.open;
        server.track = random.pick(tracks);
      }),
    ),
  ];

  return {
    servers,
    sessions,
    runTo(until) {
      let actor = earliest(actors);
      if (actor.at > until) return;
      db.together(() => {
        while (actor.at <= until) {
          actor.act(actor.at);
          actor = earliest(actors);
        }
      });
    },
    skip(span) {
      for (const actor of actors) actor.at += span;
      for (const session of sessions.values()) {
        session.leg = { ...session.leg, from: session.leg.from + span, until: session.leg.until + span };
        session.leavesAt += span;
      }
    },
  };
}

/** Of several at the same moment the first in the list. */
function earliest(actors: readonly Actor[]): Actor {
  return actors.reduce((first, actor) => (actor.at < first.at ? actor : first));
}
