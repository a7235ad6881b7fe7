import { z } from 'zod';
import { Item } from './item.ts';
import { count, flag, measure, moment, number, text } from './leaves.ts';
import { fields, list } from './lenient.ts';

const PreOwner = z.object({ buyer: text, ...fields({ datePurchase: moment, odometerKm: measure }) });
export type PreOwner = z.output<typeof PreOwner>;

/** `carinfo` has been seen as an array of one. */
export const Car = z
  .preprocess(
    (body) => (Array.isArray(body) && body.length === 1 ? body[0] : body),
    z.object({
      vin: text.pipe(z.string().min(1)),
      ...fields({
        owner: text,
        nickname: text,
        type: text,
        dateBuilt: moment,
        datePurchase: moment,
        odometerKm: measure,
        distanceKm: measure,
        isOnMarket: flag,
        numPreowners: count,
        numPreOwners: count,
        isWrecked: flag,
        marketPrice: number,
        condition: measure,
        wear: measure,
        damage: measure,
        preOwners: list('pre-owner', PreOwner),
        upgrades: list('upgrade', Item),
      }),
    }),
  )
  .transform((raw) => ({
    vin: raw.vin.toUpperCase(),
    /** Username of the owner. */
    owner: raw.owner === '' ? null : raw.owner,
    /** The owner's display name: in-game text. */
    nickname: raw.nickname,
    type: raw.type,
    built: raw.dateBuilt,
    purchased: raw.datePurchase,
    odometerKm: raw.odometerKm ?? raw.distanceKm,
    onMarket: raw.isOnMarket,
    /** Null when not for sale or when no price is reported. */
    marketPrice: raw.marketPrice === 0 ? null : raw.marketPrice,
    wrecked: raw.isWrecked,
    condition: raw.condition,
    wear: raw.wear,
    damage: raw.damage,
    /** Former owners, the present one not counted. */
    preOwnerCount: raw.numPreowners ?? raw.numPreOwners,
    /**
     * Purchases, oldest first as the service lists them; the last can be that of the present owner. `odometerKm` is
     * where the car stood at that moment.
     */
    preOwners: raw.preOwners,
    upgrades: raw.upgrades,
  }));
export type Car = z.output<typeof Car>;
