import { statNames } from '../../../service/models/stats.ts';
import type { JsonObject } from '../json.ts';
import {
  type Car,
  type Community,
  carsOf,
  type Driver,
  driverNamed,
  driverOf,
  FIRST_DEPARTED,
  type Licence,
  type Possession,
} from './community.ts';
import { departed } from './names.ts';

/** The moment for which a record is made. */
export interface Moment {
  /** The world's time in unix milliseconds. */
  readonly now: number;
  /** The clock's time of a moment of the world, in which records are shown. */
  clockAt(moment: number): number;
  isOnline(driver: Driver): boolean;
}

export interface ProfileFlags {
  readonly stats: boolean;
  readonly cars: boolean;
  readonly licenses: boolean;
  readonly upgrades: boolean;
  readonly properties: boolean;
}

/** Interface timestamps are integers; this service sends seconds, and 0 means never. */
const shown = (moment: number, { clockAt }: Moment): number =>
  moment === 0 ? 0 : Math.trunc(clockAt(moment) / 1000);

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** A driver's record; null for an unknown name. */
export function profileRecord(
  community: Community,
  at: Moment,
  username: string,
  flags: ProfileFlags,
): JsonObject | null {
  const driver = driverNamed(community, username);
  if (driver === null) return null;
  const isOnline = at.isOnline(driver);
  return {
    id: driver.id,
    username: driver.username,
    isOnline,
    nickname: driver.nickname,
    insimAdmin: driver.insimAdmin,
    adminLevel: driver.adminLevel,
    needsCopTraining: driver.needsCopTraining,
    money: driver.money,
    dateJoined: shown(driver.joined, at),
    dateLastSeen: shown(isOnline ? at.now : driver.lastSeen, at),
    countryCode: driver.country,
    flag: `//flags.sandbox.invalid/24/${driver.country}.png`,
    ...(flags.stats ? { stats: statsRecord(community, driver) } : {}),
    ...(flags.licenses ? { licenses: driver.licences.map((licence) => licenceRecord(licence, at)) } : {}),
    ...(flags.properties ? { properties: driver.properties.map(possessionRecord) } : {}),
    ...(flags.cars
      ? { cars: carsOf(community, driver.id).map((car) => ownCarRecord(car, flags.upgrades)) }
      : {}),
  };
}

function statsRecord(community: Community, driver: Driver): JsonObject {
  return Object.fromEntries(
    statNames.map((name) => {
      if (name === 'net_value') return [name, netValue(community, driver)];
      const figure = driver.figures[name];
      return [name, name.startsWith('driven_distance') ? rounded(figure, 1) : Math.round(figure)];
    }),
  );
}

function netValue(community: Community, { id, money, properties }: Driver): number {
  const worth = carsOf(community, id)
    .filter(({ wrecked }) => !wrecked)
    .reduce((sum, { listPrice, wear }) => sum + (listPrice * (100 - wear)) / 100, 0);
  return Math.round(money + worth + properties.reduce((sum, { value }) => sum + value, 0));
}

function licenceRecord(
  { type, name, issued, issuedBy, validUntil, suspendedUntil, revoked }: Licence,
  at: Moment,
): JsonObject {
  return {
    type,
    name,
    dateIssued: shown(issued, at),
    issuedBy,
    validUntil: shown(validUntil, at),
    suspendedUntil: shown(suspendedUntil, at),
    revoked,
    expired: validUntil !== 0 && validUntil <= at.now,
    suspended: suspendedUntil > at.now,
  };
}

function possessionRecord({ id, type, condition, value }: Possession): JsonObject {
  return { id, type, condition: rounded(condition, 3), value };
}

/** Condition and wear add up to 100, as in the interface's sample. */
function carState({ wear, damage }: Car) {
  const worn = rounded(wear, 2);
  return { condition: rounded(100 - worn, 2), wear: worn, damage: rounded(damage, 2) };
}

function ownCarRecord(car: Car, withUpgrades: boolean): JsonObject {
  const { vin, type, odometerKm, upgrades } = car;
  return {
    vin,
    type,
    odometerKm: rounded(odometerKm, 2),
    ...carState(car),
    ...(withUpgrades ? { upgrades: upgrades.map(possessionRecord) } : {}),
  };
}

/** A car; null for an unknown VIN. */
export function carRecord(
  community: Community,
  at: Moment,
  vin: string,
  flags: { readonly preowners: boolean; readonly upgrades: boolean },
): JsonObject | null {
  const car = community.cars.get(vin.toUpperCase());
  if (car === undefined) return null;
  const { username, nickname } = driverOf(community, car.owner);
  return {
    id: car.id,
    vin: car.vin,
    owner: username,
    nickname,
    idOwner: car.owner,
    type: car.type,
    dateBuilt: shown(car.built, at),
    datePurchase: shown(car.purchased, at),
    odometerKm: rounded(car.odometerKm, 2),
    isOnMarket: car.onMarket,
    numPreowners: car.preowners.length,
    isWrecked: car.wrecked,
    marketPrice: car.marketPrice,
    ...carState(car),
    ...(flags.preowners ? { preOwners: preownerRecords(community, at, car) } : {}),
    ...(flags.upgrades ? { upgrades: car.upgrades.map(possessionRecord) } : {}),
  };
}

function preownerRecords(community: Community, at: Moment, { preowners }: Car): JsonObject[] {
  return preowners.map(({ buyerId, purchased, odometerKm }) => ({
    buyer:
      buyerId < FIRST_DEPARTED
        ? driverOf(community, buyerId).username
        : (departed[buyerId - FIRST_DEPARTED] ?? departed[0]),
    buyerId: String(buyerId),
    datePurchase: shown(purchased, at),
    odometerKm: rounded(odometerKm, 2),
  }));
}

/** A driver's options that are not the default; null for an unknown name. */
export function optionsRecord(community: Community, username: string): JsonObject | null {
  const driver = driverNamed(community, username);
  return driver === null ? null : Object.fromEntries(driver.options);
}
