import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Car, PreOwner } from '../../service/models/car.ts';
import { displayName } from '../../text/plain.ts';
import type { Section } from '../kit/embed.ts';
import { joined, named } from '../kit/lines.ts';

/**
 * Through whose hands a car went, the latest first, with the kilometres that each one drove: from the odometer
 * at their purchase to that at the next one's. What the car had run when the present owner bought it is not
 * told, so that the last of them shares the rest with the present owner, and the line says so.
 */
export function ownersTimeline(car: Car, t: Translator): Section {
  const name = t('car.previousOwners');
  const { preOwners, preOwnerCount } = car;
  if (preOwners === null || (preOwners.length === 0 && (preOwnerCount ?? 0) > 0)) {
    const missing =
      preOwnerCount === null ? t('car.ownersMissing') : t('car.ownersCount', { n: preOwnerCount });
    return { name, lines: [missing] };
  }
  if (preOwners.length === 0) return { name, lines: [t('car.noPreviousOwners')] };

  const owners = inOrder(preOwners);
  const lines = owners.map((owner, index) => {
    const next = owners[index + 1];
    const run = kilometres(owner.odometerKm, next === undefined ? car.odometerKm : next.odometerKm, t);
    const until = next === undefined ? 'car.sinceThen' : 'car.drove';
    return joined(
      `**${named(displayName(null, owner.buyer))}**`,
      purchase(owner, t),
      run === null ? null : t(until, { distance: run }),
    );
  });
  return { name: joined(name, t.number(owners.length)), lines: lines.toReversed() };
}

/** By purchase, where every purchase is reported; else as the service lists them, oldest first. */
function inOrder(owners: readonly PreOwner[]): readonly PreOwner[] {
  const dated = owners.flatMap((owner) =>
    owner.datePurchase === null ? [] : [{ owner, at: owner.datePurchase }],
  );
  if (dated.length < owners.length) return owners;
  return dated.toSorted((a, b) => a.at - b.at).map(({ owner }) => owner);
}

function purchase({ datePurchase, odometerKm }: PreOwner, t: Translator): string | null {
  const when = datePurchase === null ? null : timestamp(datePurchase, 'day');
  const at = odometerKm === null ? null : t.distance(odometerKm * 1000);
  if (when === null) return at === null ? null : t('car.boughtAt', { distance: at });
  if (at === null) return t('car.boughtOn', { when });
  return t('car.boughtOnAt', { when, distance: at });
}

/** Null where an end is not reported, or where the odometer would have run backwards. */
function kilometres(from: number | null, to: number | null, t: Translator): string | null {
  if (from === null || to === null || to < from) return null;
  return t.distance((to - from) * 1000);
}
