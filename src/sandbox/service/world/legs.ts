/** Chooses a driver's next leg: drives, parks, chases, breaks down, rescues. Some legs need two drivers. */
import { accountLeg, addFigures } from './account.ts';
import type { Driver } from './community.ts';
import { findFree } from './encounters.ts';
import type { Random } from './random.ts';
import type { Leg, Session } from './servers.ts';
import { later, MINUTE, SECOND } from './time.ts';

const places = [
  '^7Town Square',
  'Harbour',
  '^3Airport Road',
  'Police Station',
  'Hillside ^1North',
  'Ring Road',
] as const;

interface Legs {
  /** First leg of a driver who joins at `now`. */
  joining(now: number): Leg;
  begin(session: Session, next: Leg): void;
  /** Begins one that fits the driver's role. */
  choose(session: Session, now: number): void;
}

/** `wake` is called with the end of a driver's new leg, even if another driver started it. */
export function createLegs(random: Random, wake: (driver: Driver, at: number) => void): Legs {
  const leg = (kind: Leg['kind'], now: number, until: number, other: Session | null = null): Leg =>
    newLeg(random, { kind, from: now, until, other });

  const begin = (session: Session, next: Leg): void => {
    session.leg = next;
    wake(session.driver, next.until);
  };

  /** The driver who started it acts first when it ends, and decides the outcome. */
  const meet = (session: Session, kind: 'chasing' | 'rescuing', other: Session, now: number): void => {
    accountLeg(random, other, now);
    const until = later(random, now, 40 * SECOND, 4 * MINUTE);
    begin(session, leg(kind, now, until, other));
    begin(other, leg(kind === 'chasing' ? 'chased' : 'broken', now, until + SECOND));
  };

  const breakDown = (session: Session, now: number): void => {
    addFigures(session.driver, { sos_called: 1 });
    begin(session, leg('broken', now, later(random, now, MINUTE, 3 * MINUTE)));
    const tow = findFree(random, session, 'tow');
    if (tow === null) return;
    accountLeg(random, tow, now);
    meet(tow, 'rescuing', session, now);
  };

  return {
    joining: (now) => leg('joining', now, later(random, now, 8 * SECOND, 40 * SECOND)),
    begin,
    choose(session, now) {
      const { role } = session;
      const target = role === 'cop' && random.chance(0.2) ? findFree(random, session, 'civil') : null;
      if (target !== null) meet(session, 'chasing', target, now);
      else if (role === 'civil' && random.chance(0.03)) breakDown(session, now);
      else {
        const kind = random.chance(0.15) ? 'parked' : 'driving';
        begin(session, leg(kind, now, later(random, now, 20 * SECOND, 100 * SECOND)));
      }
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
    kind,
    from,
    until,
    other,
    speed: still ? 0 : random.between(fast ? 25 : 8, fast ? 55 : 32),
    hazard: kind === 'broken' || random.chance(0.04),
    place: random.pick(places),
  };
}
