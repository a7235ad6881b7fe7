import { addFigures, pay } from './account.ts';
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
function endChase(random: Random, cop: Session, robber: Session, now: number): void {
  if (random.chance(0.45)) {
    addFigures(cop.driver, { chases_lost_cop: 1 });
    addFigures(robber.driver, { chases_won_robber: 1, outran_cops: 1, robber_xp: 25 });
    return;
  }
  const fine = random.whole(5, 80) * 20;
  addFigures(cop.driver, { chases_won_cop: 1, received_fines: fine, cop_xp: 25 });
  addFigures(robber.driver, { chases_lost_robber: 1, paid_fines: fine });
  pay(cop.driver, fine);
  pay(robber.driver, -fine);
  if (random.chance(0.05)) {
    const until = now + random.whole(1, 24) * HOUR;
    const race = robber.driver.licences.find(({ type, revoked }) => type === 'race' && !revoked);
    if (race !== undefined) race.suspendedUntil = until;
  }
}

/** Ends a rescue: the broken car drives again, and its driver pays. */
function endRescue(random: Random, tow: Session, stranded: Session): void {
  const bill = random.whole(8, 40) * 10;
  const tool = random.chance(0.5) ? { winch_used: 1 } : { ramps_placed: 1 };
  addFigures(tow.driver, { sos_responded: 1, received_money: bill, ...tool });
  addFigures(stranded.driver, { sent_money: bill });
  pay(tow.driver, bill);
  pay(stranded.driver, -bill);
  if (stranded.car !== null) stranded.car.damage /= 2;
}

/** Records the outcome of a leg shared by two drivers; does nothing for other legs. */
export function endEncounter(random: Random, session: Session, now: number): void {
  const { kind, other } = session.leg;
  if (other === null) return;
  if (kind === 'chasing') endChase(random, session, other, now);
  if (kind === 'rescuing') endRescue(random, session, other);
}
