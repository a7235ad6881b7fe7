import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Car, PreOwner } from '../../service/models/car.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { Section } from '../kit/card.ts';
import { driverInLine, type NicknameOf } from '../kit/driver.ts';
import { driven, fact, joined, named, present, said } from '../kit/lines.ts';
import { modelName } from './car-models.ts';

/**
 * A car's life, latest first: its owner, the previous ones, when it was built; with the kilometres that each one drove:
 * the odometer at their purchase subtracted from that at the next one. If the current owner's purchase is missing, the
 * last previous owner's distance includes the current owner's, and the line says so.
 */
export function life(car: Car, nicknameOf: NicknameOf, t: Translator): Section {
  const { previous, present: owned } = purchases(car);
  const count = car.preOwnerCount ?? (car.preOwners === null ? null : previous.length);
  const unlisted = unlistedOf(car);
  return {
    name: t('car.life'),
    lines: present(
      ownerLine(car, owned, t),
      ...(previous.length === 0
        ? [fact(t('car.previousOwners'), withoutRows(count, t))]
        : latest(previousLines(car, nicknameOf, t).toReversed(), t)),
      previous.length === 0 || unlisted === 0 ? null : t('car.ownersUnlisted', { n: unlisted }),
      joined(fact(t('car.built'), timestamp(car.built, 'date')), fact(t('car.code'), code(car, t))) || null,
    ),
  };
}

/** The model's code, unless its name already is the code. */
function code({ type }: Car, t: Translator): string | null {
  const shown = said(type ?? '');
  return shown === '' || shown === named(modelName(type, t)) ? null : shown;
}

/** Previous owners shown: as many as fit on a phone's screen. */
const SHOWN = 4;

function latest(owners: readonly string[], t: Translator): readonly string[] {
  const more = owners.length - SHOWN;
  return more > 0 ? [...owners.slice(0, SHOWN), t('card.more', { n: more })] : owners;
}

/** The owner, since when, and the kilometres since; null where neither is known. */
function ownerLine(car: Car, owned: PreOwner | null, t: Translator): string | null {
  const date = timestamp(car.purchased ?? owned?.datePurchase ?? null, 'date');
  const run = kilometres(owned?.odometerKm ?? null, car.odometerKm, t);
  if (car.owner === null || (date === null && run === null)) return fact(t('car.bought'), date);
  return joined(
    `🔑 **${driverInLine({ username: car.owner, nickname: car.nickname })}**`,
    date && t('car.boughtOn', { date }),
    run && t('car.drove', { distance: run }),
  );
}

/** Previous owners who are counted, but have no row. */
function unlistedOf(car: Car): number {
  return Math.max(0, (car.preOwnerCount ?? 0) - purchases(car).previous.length);
}

/** Oldest first. Where owners are missing, each of them may have come next. */
function previousLines(car: Car, nicknameOf: NicknameOf, t: Translator): readonly string[] {
  const { previous, present: owned } = purchases(car);
  const isWhole = unlistedOf(car) === 0;
  return previous.map((owner, index) => {
    const next = isWhole ? (previous[index + 1] ?? owned) : null;
    const run = kilometres(owner.odometerKm, next === null ? car.odometerKm : next.odometerKm, t);
    return joined(
      `**${owner.buyer === null ? '?' : driverInLine({ username: owner.buyer, nickname: nicknameOf(owner.buyer) })}**`,
      // The kilometres of each owner add up to the reading at the next purchase.
      purchase(run !== null && next !== null ? { ...owner, odometerKm: null } : owner, t),
      run && t(next === null ? 'car.sinceThen' : 'car.drove', { distance: run }),
    );
  });
}

function withoutRows(count: number | null, t: Translator): string {
  if (count === null) return t('car.ownersMissing');
  return count === 0 ? t('car.noPreviousOwners') : t('car.ownersCount', { n: count });
}

/**
 * Splits the purchases into the previous owners' and the current one's. A car with only one owner has been sent
 * with a row that names that owner, and `numPreowners` 0. If the count is that of the rows, the owner has bought the
 * car back, unless it is that very purchase; a higher count leaves rows out.
 */
function purchases({ owner, purchased, preOwners, preOwnerCount }: Car) {
  const rows = inOrder(preOwners ?? []);
  const last = rows.at(-1);
  const isPresent =
    last !== undefined &&
    owner !== null &&
    last.buyer !== null &&
    sameSpelling(last.buyer) === sameSpelling(owner) &&
    (preOwnerCount !== rows.length || (purchased !== null && purchased === last.datePurchase));
  return isPresent ? { previous: rows.slice(0, -1), present: last } : { previous: rows, present: null };
}

/** By purchase date if every row has one; else as the service lists them, oldest first. */
function inOrder(owners: readonly PreOwner[]): readonly PreOwner[] {
  const dated = owners.flatMap((owner) =>
    owner.datePurchase === null ? [] : [{ owner, at: owner.datePurchase }],
  );
  if (dated.length < owners.length) return owners;
  return dated.toSorted((a, b) => a.at - b.at).map(({ owner }) => owner);
}

function purchase({ datePurchase, odometerKm }: PreOwner, t: Translator): string | null {
  const [date, at] = [timestamp(datePurchase, 'date'), driven(odometerKm, t)];
  if (date === null) return at && t('car.boughtAt', { distance: at });
  if (at === null) return t('car.boughtOn', { date });
  return t('car.boughtOnAt', { date, distance: at });
}

/** Null where a reading is missing, or where the odometer would have run backwards. */
function kilometres(from: number | null, to: number | null, t: Translator): string | null {
  return from === null || to === null || to < from ? null : driven(to - from, t);
}

/** The last first. */
export function previousOwners(car: Car): readonly string[] {
  return purchases(car)
    .previous.flatMap(({ buyer }) => buyer ?? [])
    .toReversed();
}
