import type { Json, JsonObject } from '../json.ts';
import { type Database, figure, type Row } from './database.ts';
import { foldName } from './settle.ts';
import { statNames } from './stats.ts';

/** The moment for which a record is made. */
export interface Moment {
  /** The world's time in unix milliseconds. */
  readonly now: number;
  /** How far the world's time is ahead of the clock; records are shown in the clock's time. */
  readonly ahead: number;
  isOnline(driver: number): boolean;
}

export interface ProfileFlags {
  readonly stats: boolean;
  readonly cars: boolean;
  readonly licenses: boolean;
  readonly upgrades: boolean;
  readonly properties: boolean;
}

/** Interface timestamps are integers; this service sends seconds, and 0 means never. */
const moment = (column: string): string =>
  `CAST(iif(${column} = 0, 0, (${column} - :ahead) / 1000) AS INTEGER)`;

/**
 * Columns are selected under the interface's names and in its order, so that a row is the record except for
 * booleans.
 */
function toJson(row: Row, booleans: readonly string[] = []): JsonObject {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]): [string, Json] => {
      if (booleans.includes(name)) return [name, value === 1];
      if (typeof value === 'number' || typeof value === 'string') return [name, value];
      throw new TypeError(`column ${name} holds what JSON cannot`);
    }),
  );
}

/** A driver's record; null for an unknown name. */
export function profileRecord(
  db: Database,
  at: Moment,
  username: string,
  flags: ProfileFlags,
): JsonObject | null {
  const row = db.row(
    `SELECT id, username, 0 AS isOnline, nickname, insimAdmin, adminLevel, needsCopTraining, money,
       ${moment('joined')} AS dateJoined, ${moment('lastSeen')} AS dateLastSeen, country AS countryCode,
       '//flags.sandbox.invalid/24/' || country || '.png' AS flag
     FROM driver WHERE folded = :folded`,
    { ahead: at.ahead, folded: foldName(username) },
  );
  if (row === null) return null;
  const driver = figure(row, 'id');
  const isOnline = at.isOnline(driver);
  return {
    ...toJson(row, ['insimAdmin', 'needsCopTraining']),
    isOnline,
    ...(isOnline ? { dateLastSeen: Math.floor((at.now - at.ahead) / 1000) } : {}),
    ...(flags.stats ? { stats: statsRecord(db, driver) } : {}),
    ...(flags.licenses ? { licenses: licenceRecords(db, at, driver) } : {}),
    ...(flags.properties ? { properties: propertyRecords(db, driver) } : {}),
    ...(flags.cars ? { cars: carRecords(db, driver, flags.upgrades) } : {}),
  };
}

const statColumns = statNames
  .map((name) => {
    if (name === 'net_value')
      return 'CAST(round(money + coalesce(worth, 0) + coalesce(estate, 0)) AS INTEGER) AS net_value';
    return name.startsWith('driven_distance')
      ? `round(${name}, 1) AS ${name}`
      : `CAST(round(${name}) AS INTEGER) AS ${name}`;
  })
  .join(', ');

function statsRecord(db: Database, driver: number): JsonObject {
  const row = db.row(
    `SELECT ${statColumns} FROM stats
       JOIN driver ON driver.id = stats.driver
       LEFT JOIN (SELECT owner, sum(listPrice * (100 - wear) / 100) AS worth FROM car WHERE NOT wrecked GROUP BY owner)
         ON owner = stats.driver
       LEFT JOIN (SELECT driver AS holder, sum(value) AS estate FROM property GROUP BY driver)
         ON holder = stats.driver
     WHERE stats.driver = :driver`,
    { driver },
  );
  return row === null ? {} : toJson(row);
}

function licenceRecords(db: Database, at: Moment, driver: number): JsonObject[] {
  return db
    .rows(
      `SELECT type, name, ${moment('issued')} AS dateIssued, issuedBy, ${moment('validUntil')} AS validUntil,
         ${moment('suspendedUntil')} AS suspendedUntil, revoked,
         validUntil <> 0 AND validUntil <= :now AS expired, suspendedUntil > :now AS suspended
       FROM licence WHERE driver = :driver ORDER BY id`,
      { driver, now: at.now, ahead: at.ahead },
    )
    .map((row) => toJson(row, ['revoked', 'expired', 'suspended']));
}

function propertyRecords(db: Database, driver: number): JsonObject[] {
  return db
    .rows(
      'SELECT id, type, round(condition, 3) AS condition, value FROM property WHERE driver = :driver ORDER BY id',
      { driver },
    )
    .map((row) => toJson(row));
}

/** Condition and wear add up to 100, as in the interface's sample. */
const carState = `round(odometerKm, 2) AS odometerKm, round(100 - round(wear, 2), 2) AS condition,
  round(wear, 2) AS wear, round(damage, 2) AS damage`;

function carRecords(db: Database, driver: number, withUpgrades: boolean): JsonObject[] {
  return db
    .rows(`SELECT id AS car, vin, type, ${carState} FROM car WHERE owner = :driver ORDER BY id`, { driver })
    .map((row) => {
      const { car: _car, ...record } = toJson(row);
      return withUpgrades ? { ...record, upgrades: upgradeRecords(db, figure(row, 'car')) } : record;
    });
}

function upgradeRecords(db: Database, car: number): JsonObject[] {
  return db
    .rows(
      'SELECT id, type, round(condition, 3) AS condition, value FROM upgrade WHERE car = :car ORDER BY id',
      { car },
    )
    .map((row) => toJson(row));
}

/** A car; null for an unknown VIN. */
export function carRecord(
  db: Database,
  at: Moment,
  vin: string,
  flags: { readonly preowners: boolean; readonly upgrades: boolean },
): JsonObject | null {
  const row = db.row(
    `SELECT car.id, vin, username AS owner, nickname, owner AS idOwner, type, ${moment('built')} AS dateBuilt,
       ${moment('purchased')} AS datePurchase, round(odometerKm, 2) AS odometerKm, onMarket AS isOnMarket,
       (SELECT count(*) FROM preowner WHERE car = car.id) AS numPreowners, wrecked AS isWrecked, marketPrice,
       round(100 - round(wear, 2), 2) AS condition, round(wear, 2) AS wear, round(damage, 2) AS damage
     FROM car JOIN driver ON driver.id = car.owner WHERE vin = :vin`,
    { vin: vin.toUpperCase(), ahead: at.ahead },
  );
  if (row === null) return null;
  const car = figure(row, 'id');
  return {
    ...toJson(row, ['isOnMarket', 'isWrecked']),
    ...(flags.preowners ? { preOwners: preownerRecords(db, at, car) } : {}),
    ...(flags.upgrades ? { upgrades: upgradeRecords(db, car) } : {}),
  };
}

function preownerRecords(db: Database, at: Moment, car: number): JsonObject[] {
  return db
    .rows(
      `SELECT buyer, CAST(buyerId AS TEXT) AS buyerId, ${moment('purchased')} AS datePurchase,
         round(odometerKm, 2) AS odometerKm FROM preowner WHERE car = :car ORDER BY id`,
      { car, ahead: at.ahead },
    )
    .map((row) => toJson(row));
}

/** A driver's options: only non-default options; null for an unknown name. */
export function optionsRecord(db: Database, username: string): JsonObject | null {
  const driver = db.row('SELECT id FROM driver WHERE folded = :folded', { folded: foldName(username) });
  if (driver === null) return null;
  return Object.fromEntries(
    db
      .rows('SELECT name, value FROM option WHERE driver = :driver ORDER BY name', {
        driver: figure(driver, 'id'),
      })
      .flatMap(({ name, value }) =>
        typeof name === 'string' && typeof value === 'string' ? [[name, value]] : [],
      ),
  );
}
