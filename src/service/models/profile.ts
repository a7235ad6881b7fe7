import { z } from 'zod';
import { Username, Vin } from './identifiers.ts';
import { Item } from './item.ts';
import { flag, measure, moment, number, percent, text } from './leaves.ts';
import { lenientFields, lenientList, partialList } from './lenient.ts';
import { Licence } from './licence.ts';
import { Stats } from './stats.ts';

const countryCode = text.pipe(
  z
    .string()
    .regex(/^[a-z]{2}$/i)
    .toLowerCase(),
);

/** A car inside a profile. `condition`, `wear` and `damage` are 0 to 100; `type` may carry a variant. */
const GarageCar = z.object({
  vin: text,
  ...lenientFields({
    type: text,
    odometerKm: measure,
    condition: percent,
    wear: percent,
    damage: percent,
    upgrades: lenientList('upgrade', Item),
  }),
});
export type GarageCar = z.output<typeof GarageCar>;

export const Profile = z
  .object({
    // A name that cannot be asked for cannot be the driver who was asked for.
    username: text.pipe(Username),
    ...lenientFields({
      id: text,
      nickname: text,
      isOnline: flag,
      insimAdmin: flag,
      adminLevel: number,
      needsCopTraining: flag,
      money: number,
      dateJoined: moment,
      dateLastSeen: moment,
      countryCode,
      countrycode: countryCode,
      stats: Stats,
      licenses: partialList('licence', Licence),
      licences: partialList('licence', Licence),
      properties: lenientList('property', Item),
      cars: lenientList('car', GarageCar),
    }),
  })
  .transform((raw) => ({
    username: raw.username,
    /** By which licences name their issuers. */
    id: raw.id,
    /** In-game text with its colour codes. */
    nickname: raw.nickname,
    online: raw.isOnline,
    insimAdmin: raw.insimAdmin,
    adminLevel: raw.adminLevel,
    needsCopTraining: raw.needsCopTraining,
    money: raw.money,
    joined: raw.dateJoined,
    lastSeen: raw.dateLastSeen,
    /** Two lower-case letters. */
    country: raw.countryCode ?? raw.countrycode,
    stats: raw.stats,
    licences: (raw.licenses ?? raw.licences)?.rows ?? null,
    /** False: the driver may hold a licence that is not among them; null where the licences are not known. */
    licencesAreWhole: (raw.licenses ?? raw.licences)?.isWhole ?? null,
    properties: raw.properties,
    cars: raw.cars && eachOnce(raw.cars),
  }));
export type Profile = z.output<typeof Profile>;

/** Each car once: a row that is repeated, perhaps spelled otherwise, would count its upgrades again. */
function eachOnce(cars: readonly GarageCar[]): GarageCar[] {
  const knownVins = new Set<string>();
  return cars.filter(({ vin: rawVin }) => {
    const vin = Vin.safeParse(rawVin).data;
    if (vin === undefined) return true;
    const isNew = !knownVins.has(vin);
    knownVins.add(vin);
    return isNew;
  });
}
