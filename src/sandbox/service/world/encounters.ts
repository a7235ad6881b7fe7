import { addFigures, pay } from './account.ts';
import type { Database } from './database.ts';
import type { Random } from './random.ts';
import type { Session } from './servers.ts';
import { HOUR } from './time.ts';

function isFree({ leg }: Session): boolean {
  return leg.kind === 'driving' || leg.kind === 'parked';
}

/** A random free driver on the same server, if any. */
export function findFree(random: Random, { server }: Session, role: Session['role']): Session | null {
  const free = [...server.guests.values()].filter((guest) => guest.role === role && isFree(guest));
  return free.length === 0 ? null : (free[random.whole(0, free.length - 1)] ?? null);
}

/** Ends a chase: the robber escapes or pays. */
function endChase(db: Database, random: Random, cop: Session, robber: Session, now: number): void {
  if (random.chance(0.45)) {
    addFigures(db, cop.driver, { chases_lost_cop: 1 });
    addFigures(db, robber.driver, { chases_won_robber: 1, outran_cops: 1, robber_xp: 25 });
    return;
  }
  const fine = random.whole(5, 80) * 20;
  addFigures(db, cop.driver, { chases_won_cop: 1, received_fines: fine, cop_xp: 25 });
  addFigures(db, robber.driver, { chases_lost_robber: 1, paid_fines: fine });
  pay(db, cop.driver, fine);
  pay(db, robber.driver, -fine);
  if (random.chance(0.05)) {
    db.run(
      "UPDATE licence SET suspendedUntil = :until WHERE driver = :driver AND type = 'race' AND NOT revoked",
      {
        driver: robber.driver,
        until: now + random.whole(1, 24) * HOUR,
      },
    );
  }
}

/** Ends a rescue: the broken car drives again, and its driver pays. */
function endRescue(db: Database, random: Random, tow: Session, stranded: Session): void {
  const bill = random.whole(8, 40) * 10;
  const tool = random.chance(0.5) ? { winch_used: 1 } : { ramps_placed: 1 };
  addFigures(db, tow.driver, { sos_responded: 1, received_money: bill, ...tool });
  addFigures(db, stranded.driver, { sent_money: bill });
  pay(db, tow.driver, bill);
  pay(db, stranded.driver, -bill);
  if (stranded.car !== null)
    db.run('UPDATE car SET damage = damage / 2 WHERE id = :id', { id: stranded.car.id });
}

/** Records the outcome of a leg shared by two drivers; does nothing for other legs. */
export function endEncounter(db: Database, random: Random, session: Session, now: number): void {
  const { kind, other } = session.leg;
  if (other === null) return;
  if (kind === 'chasing') endChase(db, random, session, other, now);
  if (kind === 'rescuing') endRescue(db, random, session, other);
}
