/**
 * The JSON of the data service as we use it: zod schemas, each turning one endpoint's answer, of either
 * generation, into one record. Records are JSON themselves.
 *
 * Rules (field notes §2): a field that we do not show is not read; one that is missing or broken becomes
 * `null` and costs its own line only; a broken row of a list is left out. Moments are unix milliseconds or
 * `null` (0, null and "" all mean never). What is keyed by strangers' strings becomes a list of entries.
 */
import { z } from 'zod';

// ── Leaves ──────────────────────────────────────────────────────────────────────────────────────────

const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^\s*[+-]?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/)
    .transform(Number)
    .pipe(z.number()),
]);

const flag = z.union([
  z.boolean(),
  z.literal([0, '0', 'false', '']).transform(() => false),
  z.literal([1, '1', 'true']).transform(() => true),
]);

const text = z.union([z.string(), z.number().transform(String)]);

/** Below this a number is seconds since 1970, from it on milliseconds: the border lies in 1973 and in 5138. */
const MILLISECONDS_FROM = 1e11;

const moment = z.union([
  z.literal([0, '0', '']).transform(() => null),
  number.transform((value) => (Math.abs(value) < MILLISECONDS_FROM ? value * 1000 : value)),
  z
    .string()
    .transform((iso) => Date.parse(iso))
    .pipe(z.number()),
]);

/** A field that may be absent, null or broken: all three are `null` to us. */
function optional<T extends z.ZodType>(leaf: T) {
  return leaf
    .nullish()
    .transform((value) => value ?? null)
    .catch(null);
}

/** A list of which only the readable rows count; PHP may send an empty one as `{}`. */
function list<Row extends object>(row: z.ZodType<Row>) {
  const readable = z
    .array(row.nullable().catch(null))
    .transform((rows) => rows.flatMap((entry) => entry ?? []));
  return z.union([readable, z.strictObject({}).transform((): Row[] => [])]);
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(Array.isArray(value) && value.length > 0);
}

/** An object keyed by strangers' strings as its own entries, `__proto__` included; PHP's empty one is `[]`. */
const entries = z.custom<object>(isMap).transform((map) => Object.entries<unknown>({ ...map }));

// ── What may be asked ───────────────────────────────────────────────────────────────────────────────

/** A user's name in the game: 1 to 64 printable characters, spaces inside included. */
export const Username = z
  .string()
  .trim()
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u);

/** A vehicle identifier (VIN): five letters or digits; either case is accepted, upper case is what we keep. */
export const Vin = z
  .string()
  .trim()
  .regex(/^[a-z0-9]{5}$/i)
  .toUpperCase();

export const LiveServer = z.enum(['one', 'two', 'three', 'four']);
export type LiveServer = z.output<typeof LiveServer>;

export const OverviewServer = z.enum(['all', 'one', 'two', 'three', 'events', 'training']);
export type OverviewServer = z.output<typeof OverviewServer>;

// ── Profile: interface §2.2 ─────────────────────────────────────────────────────────────────────────

/** Ramp, winch, radar warner, …: in a car or a vehicle record. `condition` is 0 to 1. */
const Upgrade = z.object({
  type: text,
  name: optional(text),
  condition: optional(number),
  value: optional(number),
});
export type Upgrade = z.output<typeof Upgrade>;

/** A car inside a profile. `condition`, `wear` and `damage` are 0 to 100; `type` may carry a variant. */
const GarageCar = z.object({
  vin: text,
  type: optional(text),
  odometerKm: optional(number),
  condition: optional(number),
  wear: optional(number),
  damage: optional(number),
  upgrades: optional(list(Upgrade)),
});
export type GarageCar = z.output<typeof GarageCar>;

const Property = z.object({
  type: text,
  name: optional(text),
  condition: optional(number),
  value: optional(number),
});
/** `condition` is 0 to 1. */
export type Property = z.output<typeof Property>;

/** The later generation names the type `id` (field notes §2). */
const Licence = z
  .object({
    type: optional(text),
    id: optional(text),
    name: optional(text),
    dateIssued: optional(moment),
    issuedBy: optional(number),
    validUntil: optional(moment),
    suspendedUntil: optional(moment),
    revoked: optional(flag),
    expired: optional(flag),
    suspended: optional(flag),
  })
  .transform(({ id, type, issuedBy, dateIssued, ...rest }) => ({
    ...rest,
    type: type ?? id,
    issued: dateIssued,
    /** User id of the issuer; null for the system. */
    issuedBy: issuedBy === 0 ? null : issuedBy,
  }));
export type Licence = z.output<typeof Licence>;

/** The figures of a driver's record, by the interface's names. Distances in metres, times in seconds. */
const statNames = [
  'sent_money',
  'received_money',
  'earned_refunds',
  'paid_for_renting',
  'received_fines',
  'paid_fines',
  'paid_radar_fines',
  'driven_distance',
  'driving_money_plus',
  'driving_money_minus',
  'paid_donation',
  'received_donation',
  'paid_compensation',
  'received_compensation',
  'crashes',
  'chases_won_robber',
  'chases_lost_robber',
  'chases_won_cop',
  'chases_lost_cop',
  'outran_cops',
  'net_value',
  'gaming_time_total',
  'gaming_time_cop',
  'gaming_time_civil',
  'gaming_time_tow',
  'gaming_time_chasing',
  'gaming_time_chased',
  'driven_distance_cop',
  'driven_distance_civil',
  'driven_distance_tow',
  'driven_distance_offroad',
  'driven_distance_chasing',
  'driven_distance_chased',
  'driven_distance_sos',
  'cop_xp',
  'robber_xp',
  'rp_xp',
  'gumball_distance',
  'gumball_time',
  'winch_used',
  'ramps_placed',
  'sos_called',
  'sos_responded',
] as const;
export type StatName = (typeof statNames)[number];

const knownStats: ReadonlySet<string> = new Set(statNames);
function isStatName(name: string): name is StatName {
  return knownStats.has(name);
}

/** The later generation keys them by number; only the first seven are known (field notes §2). */
const numberedStats: Readonly<Record<string, StatName>> = {
  1: 'sent_money',
  2: 'received_money',
  3: 'earned_refunds',
  4: 'paid_for_renting',
  5: 'received_fines',
  6: 'paid_fines',
  7: 'paid_radar_fines',
};

const Stats = entries.transform((pairs) => {
  const known: Partial<Record<StatName, number>> = {};
  const other: { name: string; value: number }[] = [];
  for (const [key, raw] of pairs) {
    const value = number.safeParse(raw);
    if (!value.success) continue;
    const name = numberedStats[key] ?? key;
    if (isStatName(name)) known[name] = value.data;
    else other.push({ name: key, value: value.data });
  }
  return { known, other };
});
export type Stats = z.output<typeof Stats>;

const countryCode = text.pipe(
  z
    .string()
    .regex(/^[a-z]{2}$/i)
    .toLowerCase(),
);

/** Protocol-relative in the interface; chat accepts only an address with its protocol. */
const imageUrl = z
  .string()
  .transform((url) => (url.startsWith('//') ? `https:${url}` : url))
  .pipe(z.url({ protocol: /^https$/ }));

export const Profile = z
  .object({
    username: text.pipe(z.string().min(1)),
    nickname: optional(text),
    isOnline: optional(flag),
    insimAdmin: optional(flag),
    adminLevel: optional(number),
    needsCopTraining: optional(flag),
    money: optional(number),
    dateJoined: optional(moment),
    dateLastSeen: optional(moment),
    countryCode: optional(countryCode),
    countrycode: optional(countryCode),
    flag: optional(imageUrl),
    stats: optional(Stats),
    licenses: optional(list(Licence)),
    licences: optional(list(Licence)),
    properties: optional(list(Property)),
    cars: optional(list(GarageCar)),
  })
  .transform((raw) => ({
    username: raw.username,
    /** In-game text, colour codes and all. */
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
    /** An https address of an image. */
    flag: raw.flag,
    stats: raw.stats,
    licences: raw.licenses ?? raw.licences,
    properties: raw.properties,
    cars: raw.cars,
  }));
export type Profile = z.output<typeof Profile>;

// ── Options: interface §2.3 ─────────────────────────────────────────────────────────────────────────

/** Only what the driver changed from the default; every value is a string. */
export const Options = entries.transform((pairs) =>
  pairs.flatMap(([name, raw]) => {
    const value = text.safeParse(raw);
    return value.success ? [{ name, value: value.data }] : [];
  }),
);
export type Options = z.output<typeof Options>;

// ── Server overview: interface §2.4 ─────────────────────────────────────────────────────────────────

const Server = z.object({
  online: flag,
  track: optional(text),
  trackName: optional(text),
  guests: optional(number),
  maxGuests: optional(number),
});

function isBareServer(value: object): boolean {
  return 'online' in value && typeof value.online !== 'object';
}

/**
 * Whatever servers the service names, in its order (field notes §2: keys come and go). A question for one
 * server may be answered by the bare record; its name is then null.
 */
export const Overview = z.custom<object>(isMap).transform((body) => {
  const named: [string | null, unknown][] = isBareServer(body)
    ? [[null, body]]
    : Object.entries<unknown>({ ...body });
  return named.flatMap(([name, raw]) => {
    const server = Server.safeParse(raw);
    return server.success ? [{ name, ...server.data }] : [];
  });
});
export type Overview = z.output<typeof Overview>;

// ── Vehicle: interface §2.5 ─────────────────────────────────────────────────────────────────────────

const PreOwner = z.object({
  buyer: text,
  datePurchase: optional(moment),
  odometerKm: optional(number),
});
export type PreOwner = z.output<typeof PreOwner>;

/** `carinfo` has been an array of one (field notes §2). */
export const Car = z
  .preprocess(
    (body) => (Array.isArray(body) && body.length === 1 ? body[0] : body),
    z.object({
      vin: text,
      owner: optional(text),
      nickname: optional(text),
      type: optional(text),
      dateBuilt: optional(moment),
      datePurchase: optional(moment),
      odometerKm: optional(number),
      isOnMarket: optional(flag),
      numPreowners: optional(number),
      isWrecked: optional(flag),
      marketPrice: optional(number),
      condition: optional(number),
      wear: optional(number),
      damage: optional(number),
      preOwners: optional(list(PreOwner)),
      upgrades: optional(list(Upgrade)),
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
    odometerKm: raw.odometerKm,
    onMarket: raw.isOnMarket,
    /** Null when not for sale or when no price is told. */
    marketPrice: raw.marketPrice === 0 ? null : raw.marketPrice,
    wrecked: raw.isWrecked,
    condition: raw.condition,
    wear: raw.wear,
    damage: raw.damage,
    preOwnerCount: raw.numPreowners,
    /** `odometerKm` is where the car stood when this owner bought it; oldest first as the service lists them. */
    preOwners: raw.preOwners,
    upgrades: raw.upgrades,
  }));
export type Car = z.output<typeof Car>;

// ── Live status file: interface §2.1 ────────────────────────────────────────────────────────────────

const duties = {
  siren: optional(flag),
  med: optional(flag),
  caution: optional(flag),
  tow: optional(flag),
  cop: optional(flag),
  isChased: optional(flag),
  isJoining: optional(flag),
  hazard: optional(flag),
};

const LivePlayer = z
  .object({ ...duties, un: optional(text), nn: optional(text), l: optional(text), v: optional(text) })
  .transform(({ un, nn, l, v, ...flags }) => ({ ...flags, username: un, nickname: nn, place: l, vin: v }));

const livePlayers = entries.transform((pairs) =>
  pairs.flatMap(([plid, raw]) => {
    const player = LivePlayer.safeParse(raw);
    return player.success ? [{ plid, ...player.data }] : [];
  }),
);

/** Without a readable map of players it is a broken file, never an empty server. */
export const LiveStatus = z.union([
  z
    .object({ server: optional(text), time: optional(moment), players: livePlayers })
    .transform((raw) => ({ server: raw.server, track: null, time: raw.time, players: raw.players })),
  z
    .object({ n: optional(text), t: optional(moment), tk: optional(text), ps: livePlayers })
    .transform((raw) => ({ server: raw.n, track: raw.tk, time: raw.t, players: raw.ps })),
]);
/** Duty flags are null where the service does not tell them (the later generation); the names where it does. */
export type LiveStatus = z.output<typeof LiveStatus>;

// ── Chat-server status: interface §2.6 ──────────────────────────────────────────────────────────────

export const ChatStatus = z
  .object({
    name: optional(text),
    instant_invite: optional(z.string()),
    presence_count: optional(number),
    channels: optional(list(z.object({ id: text, name: text, position: optional(number) }))),
    members: list(z.object({ id: text, username: text, status: optional(text), channel_id: optional(text) })),
  })
  .transform((raw) => ({
    name: raw.name,
    invite: raw.instant_invite,
    /** The true count of members that are not offline; null where the service does not tell it. */
    presenceCount: raw.presence_count,
    channels: (raw.channels ?? []).toSorted((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity)),
    /** At most 100 rows whatever the true number is (field notes §2). */
    members: raw.members,
  }));
export type ChatStatus = z.output<typeof ChatStatus>;
