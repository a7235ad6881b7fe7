import { z } from 'zod';
import { Item } from './item.ts';
import { count, flag, loginName, measure, moment, number, percent, text } from './leaves.ts';
import { fieldsOrUnreadable, ifReadable, lenientFields, lenientList } from './lenient.ts';
import { UNREADABLE } from './read.ts';

/** A row without a name is a purchase too: without the row, one owner would get the kilometres of two. */
const PreOwner = z
  .object(lenientFields({ buyer: loginName, datePurchase: moment, odometerKm: measure }))
  .refine((row) => Object.values(row).some((value) => value !== null));
export type PreOwner = z.output<typeof PreOwner>;

/** `carinfo` sometimes arrives as an array of one. */
export const Car = z
  .preprocess(
    (body) => (Array.isArray(body) && body.length === 1 ? body[0] : body),
    z.object({
      vin: text.pipe(z.string().min(1)),
      ...lenientFields({
        owner: loginName,
        nickname: text,
        type: text,
        dateBuilt: moment,
        datePurchase: moment,
        odometerKm: measure,
        distanceKm: measure,
        numPreowners: count,
        numPreOwners: count,
        isWrecked: flag,
        condition: percent,
        wear: percent,
        damage: percent,
        preOwners: lenientList('pre-owner', PreOwner),
        upgrades: lenientList('upgrade', Item),
      }),
      ...fieldsOrUnreadable({ isOnMarket: flag, marketPrice: number }),
    }),
  )
  .transform((raw) => ({
    vin: raw.vin.toUpperCase(),
    owner: raw.owner,
    /** The owner's display name, with in-game colour codes. */
    nickname: raw.nickname,
    type: raw.type,
    built: raw.dateBuilt,
    purchased: raw.datePurchase,
    odometerKm: raw.odometerKm ?? raw.distanceKm,
    onMarket: ifReadable(raw.isOnMarket),
    /** Null when the car is not for sale or no price is reported. */
    marketPrice: aboveZero(ifReadable(raw.marketPrice)),
    /** One of these two was sent and cannot be read, so that its null says nothing. */
    hasUnclearMarket: [raw.isOnMarket, raw.marketPrice].includes(UNREADABLE),
    wrecked: raw.isWrecked,
    condition: raw.condition,
    wear: raw.wear,
    damage: raw.damage,
    /** Former owners, without the current one. */
    preOwnerCount: raw.numPreowners ?? raw.numPreOwners,
    /**
     * Purchases, oldest first as the service lists them; the last may be the current owner's. `odometerKm` is the
     * reading at the purchase.
     */
    preOwners: raw.preOwners,
    upgrades: raw.upgrades,
  }));
export type Car = z.output<typeof Car>;

function aboveZero(value: number | null): number | null {
  return value !== null && value > 0 ? value : null;
}
