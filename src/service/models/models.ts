/**
 * The JSON of the data service as we use it: zod schemas, each turning one endpoint's answer, of either
 * generation, into one record. Records are JSON themselves.
 *
 * Rules (field notes §2): a field that we do not show is not read; one that is missing or broken becomes
 * `null` and costs its own line only; a broken row of a list is left out. Moments are unix milliseconds or
 * `null` (0, null and "" all mean never). What is keyed by strangers' strings becomes a list of entries.
 */
import { z } from 'zod';
import { Stats } from './figures.ts';
import { entries, fields, flag, imageUrl, list, moment, number, text } from './lenient.ts';

export type { StatName, Stats } from './figures.ts';

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

const item = fields({ name: text, condition: number, value: number });

/** Ramp, winch, radar warner, …: in a car or a vehicle record. `condition` is 0 to 1. */
const Upgrade = z.object({ type: text, ...item });
export type Upgrade = z.output<typeof Upgrade>;

/** `condition` is 0 to 1. */
const Property = z.object({ type: text, ...item });
export type Property = z.output<typeof Property>;

/** A car inside a profile. `condition`, `wear` and `damage` are 0 to 100; `type` may carry a variant. */
const GarageCar = z.object({
  vin: text,
  ...fields({
    type: text,
    odometerKm: number,
    condition: number,
    wear: number,
    damage: number,
    upgrades: list('upgrade', Upgrade),
  }),
});
export type GarageCar = z.output<typeof GarageCar>;

/** The later generation names the type `id` (field notes §2). */
const Licence = z
  .object(
    fields({
      type: text,
      id: text,
      name: text,
      dateIssued: moment,
      issuedBy: number,
      validUntil: moment,
      suspendedUntil: moment,
      revoked: flag,
      expired: flag,
      suspended: flag,
    }),
  )
  // Without either there is nothing to call it by.
  .refine(({ type, id, name }) => type !== null || id !== null || name !== null)
  .transform(({ id, type, issuedBy, dateIssued, ...rest }) => ({
    ...rest,
    type: type ?? id,
    issued: dateIssued,
    /** User id of the issuer; null for the system. */
    issuedBy: issuedBy === 0 ? null : issuedBy,
  }));
export type Licence = z.output<typeof Licence>;

const countryCode = text.pipe(
  z
    .string()
    .regex(/^[a-z]{2}$/i)
    .toLowerCase(),
);

export const Profile = z
  .object({
    username: text.pipe(z.string().min(1)),
    ...fields({
      nickname: text,
      isOnline: flag,
      insimAdmin: flag,
      adminLevel: number,
      needsCopTraining: flag,
      money: number,
      dateJoined: moment,
      dateLastSeen: moment,
      countryCode: countryCode,
      countrycode: countryCode,
      flag: imageUrl,
      stats: Stats,
      licenses: list('licence', Licence),
      licences: list('licence', Licence),
      properties: list('property', Property),
      cars: list('car', GarageCar),
    }),
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

const optionValue = z.union([text, z.boolean().transform((on) => (on ? '1' : '0'))]);

/** Only what the driver changed from the default; every value is a string. */
export const Options = entries('option', optionValue).transform((options) =>
  options.map(({ key, value }) => ({ name: key, value })),
);
export type Options = z.output<typeof Options>;

// ── Server overview: interface §2.4 ─────────────────────────────────────────────────────────────────

const Server = z.object({
  online: flag,
  ...fields({ track: text, trackName: text, guests: number, maxGuests: number }),
});

/** A bare record; else it is a map whose servers could have any name, `online` included. */
function isBareServer(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'online' in body && typeof body.online !== 'object';
}

/**
 * Whatever servers the service names, in its order (field notes §2: keys come and go). A question for one
 * server may be answered by the bare record; its name is then null.
 */
export const Overview = z.union([
  z
    .custom(isBareServer)
    .pipe(Server)
    .transform((server) => [{ name: null, ...server }]),
  entries('server', Server).transform((servers) =>
    servers.map(({ key, value }): { name: string | null } & typeof value => ({ name: key, ...value })),
  ),
]);
export type Overview = z.output<typeof Overview>;

// ── Vehicle: interface §2.5 ─────────────────────────────────────────────────────────────────────────

const PreOwner = z.object({ buyer: text, ...fields({ datePurchase: moment, odometerKm: number }) });
export type PreOwner = z.output<typeof PreOwner>;

/** `carinfo` has been an array of one (field notes §2). */
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
        odometerKm: number,
        isOnMarket: flag,
        numPreowners: number,
        isWrecked: flag,
        marketPrice: number,
        condition: number,
        wear: number,
        damage: number,
        preOwners: list('pre-owner', PreOwner),
        upgrades: list('upgrade', Upgrade),
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

const LivePlayer = z
  .object(
    fields({
      siren: flag,
      med: flag,
      caution: flag,
      tow: flag,
      cop: flag,
      isChased: flag,
      isJoining: flag,
      hazard: flag,
      un: text,
      nn: text,
      l: text,
      v: text,
    }),
  )
  .transform(({ un, nn, l, v, ...flags }) => ({ ...flags, username: un, nickname: nn, place: l, vin: v }));

const livePlayers = entries('player', LivePlayer).transform((players) =>
  players.map(({ key, value }) => ({ plid: key, ...value })),
);

/** Without a readable map of players it is a broken file, never an empty server. */
export const LiveStatus = z.union([
  z
    .object({ players: livePlayers, ...fields({ server: text, time: moment }) })
    .transform(({ server, time, players }) => ({ server, track: null, time, players })),
  z
    .object({ ps: livePlayers, ...fields({ n: text, t: moment, tk: text }) })
    .transform(({ n, t, tk, ps }) => ({ server: n, track: tk, time: t, players: ps })),
]);
/** Duty flags are null where the service does not tell them (the later generation); the names where it does. */
export type LiveStatus = z.output<typeof LiveStatus>;

// ── Chat-server status: interface §2.6 ──────────────────────────────────────────────────────────────

const Channel = z.object({ id: text, name: text, ...fields({ position: number }) });
const Member = z.object({ id: text, username: text, ...fields({ status: text, channel_id: text }) });

export const ChatStatus = z
  .object({
    members: list('member', Member),
    ...fields({
      name: text,
      instant_invite: z.string(),
      presence_count: number,
      channels: list('channel', Channel),
    }),
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
