import { statNames } from '../../service/models/stats.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from './json.ts';
import { propertyKinds, upgradeKinds } from './world/catalogue.ts';
import type { Snapshot } from './world/live.ts';

/** The first generation's live file; time in seconds. `named`: with the names as the later generation has them. */
export function liveFile({ label, time, guests }: Snapshot, named: boolean): JsonObject {
  return {
    server: label,
    time: time / 1000,
    players: Object.fromEntries(
      guests.map(({ plid, flags, username, nickname }) => [
        String(plid),
        named ? { ...flags, un: username, nn: nickname } : flags,
      ]),
    ),
  };
}

const roleNumbers = { civil: 0, cop: 1, med: 2, tow: 3 } as const;

/**
 * The later generation's live file; time in milliseconds. Its map is keyed by connection (`u`), not by player
 * number (`p`); a joining player has no number yet.
 */
export function laterLiveFile({ label, track, time, guests }: Snapshot): JsonObject {
  const player = (guest: Snapshot['guests'][number]): readonly [string, JsonObject] => {
    const { plid, driver, username, nickname, place, speed, vin, role, flags } = guest;
    const number = flags.isJoining ? {} : { p: plid };
    return [
      String(driver),
      { u: driver, ...number, un: username, nn: nickname, r: roleNumbers[role], l: place, v: vin, s: speed },
    ];
  };
  const ms = Map.groupBy(guests.filter(isOnJob), ({ place }) => place);
  return {
    t: time,
    n: label,
    tk: track,
    ps: Object.fromEntries(guests.map(player)),
    ms: [...ms].map(([place, drivers], index) => ({
      s: index + 1,
      lt: `^3Barrier Fixing^8 - ${place}`,
      ps: drivers.map(({ driver }) => driver),
    })),
  };
}

/** Every third civilian on the track works for the town. */
function isOnJob({ role, driver, flags }: Snapshot['guests'][number]): boolean {
  return role === 'civil' && driver % 3 === 0 && !flags.isJoining;
}

const dates: ReadonlySet<string> = new Set([
  'dateJoined',
  'dateLastSeen',
  'dateIssued',
  'validUntil',
  'suspendedUntil',
  'dateBuilt',
  'datePurchase',
]);

const kindNames = new Map<Json, string>(
  [...upgradeKinds, ...propertyKinds].map(({ type, name }) => [type, name]),
);

const statNumbers = new Map<string, string>(statNames.map((name, index) => [name, String(index + 1)]));

/** A keyed answer of the later generation (2025): ISO dates, `licences`, numbered stats, names. */
export function laterGeneration(body: Json): Json {
  if (isJsonList(body)) return body.map(laterGeneration);
  if (!isJsonObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]): [string, Json] => {
      if (dates.has(name) && typeof value === 'number') return [name, isoDate(value)];
      if (name === 'licenses' && isJsonList(value)) return ['licences', value.map(laterLicence)];
      if (name === 'stats' && isJsonObject(value)) return [name, numbered(value)];
      if ((name === 'upgrades' || name === 'properties') && isJsonList(value))
        return [name, value.map(named)];
      return [name, laterGeneration(value)];
    }),
  );
}

function isoDate(seconds: number): string | null {
  return seconds === 0 ? null : new Date(seconds * 1000).toISOString();
}

function laterLicence(licence: Json): Json {
  if (!isJsonObject(licence)) return licence;
  const { type = null, issuedBy: _dropped, ...rest } = licence;
  return laterGeneration({ id: type, ...rest });
}

function numbered(stats: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(stats).map(([name, value]) => [statNumbers.get(name) ?? name, value]),
  );
}

function named(row: Json): Json {
  return isJsonObject(row) ? { ...row, name: kindNames.get(row['type'] ?? null) ?? null } : row;
}

/** As a loosely typed server sends it: empty objects are lists, numbers text, booleans 0 and 1. */
export function looseTypes(body: Json): Json {
  if (typeof body === 'number') return String(body);
  if (typeof body === 'boolean') return body ? 1 : 0;
  if (isJsonList(body)) return body.map(looseTypes);
  if (!isJsonObject(body)) return body;
  const entries = Object.entries(body);
  return entries.length === 0
    ? []
    : Object.fromEntries(entries.map(([name, value]) => [name, looseTypes(value)]));
}
