import { ServiceError } from '../../src/base/errors.ts';
import type { Ask, Service } from '../../src/service/client.ts';
import {
  car,
  chatStatus,
  type Endpoint,
  type EndpointName,
  live,
  options,
  overview,
  profile,
} from '../../src/service/endpoints.ts';
import { Car } from '../../src/service/models/car.ts';
import { ChatStatus } from '../../src/service/models/chat-status.ts';
import type { Answer } from '../../src/service/models/dated.ts';
import { LiveStatus } from '../../src/service/models/live-status.ts';
import { Overview } from '../../src/service/models/overview.ts';
import { Profile } from '../../src/service/models/profile.ts';

/** 20 November 2026, 12:00 UTC, in unix milliseconds: when the records below were true. */
export const NOON = Date.UTC(2026, 10, 20, 12);

const seconds = (iso: string): number => Date.parse(iso) / 1000;

/** What the service sends of a driver with something in every block; each test changes what it is about. */
export const driverJson = {
  id: 4711,
  username: 'k3nny',
  nickname: '^4[TC]^7 k3nny^1»^3_3000_',
  isOnline: false,
  insimAdmin: false,
  adminLevel: 0,
  needsCopTraining: false,
  money: 1234567,
  dateJoined: seconds('2019-03-01T10:00:00Z'),
  dateLastSeen: seconds('2026-11-20T10:00:00Z'),
  countryCode: 'de',
  flag: '//flags.example/de.png',
  stats: {
    driven_distance: 123456789.5,
    driven_distance_civil: 100000000,
    driven_distance_cop: 23000000,
    driven_distance_tow: 56789,
    gaming_time_total: 4000000,
    gaming_time_civil: 3000000,
    gaming_time_cop: 900000,
    gaming_time_tow: 5400,
    chases_won_cop: 312,
    chases_lost_cop: 41,
    chases_won_robber: 7,
    chases_lost_robber: 19,
    outran_cops: 3,
    crashes: 1482,
    cop_xp: 53200,
    net_value: 9876543,
    driving_money_plus: 2345678,
    paid_fines: 34567,
  },
  licenses: [
    {
      type: 'car',
      name: 'Car licence',
      dateIssued: seconds('2019-03-02T10:00:00Z'),
      issuedBy: 0,
      validUntil: 0,
      suspendedUntil: 0,
      revoked: false,
      expired: false,
      suspended: false,
    },
    {
      type: 'cop',
      name: 'Police licence',
      dateIssued: seconds('2020-01-05T10:00:00Z'),
      issuedBy: 12,
      validUntil: seconds('2027-01-05T10:00:00Z'),
      suspendedUntil: seconds('2026-12-01T10:00:00Z'),
      revoked: false,
      expired: false,
      suspended: true,
    },
  ],
  properties: [
    { id: 1, type: 'garage', condition: 0.93, value: 250000 },
    { id: 2, type: 'locator', condition: 0.5, value: 12000 },
  ],
  cars: [
    {
      vin: 'AB12C',
      type: 'XRT',
      odometerKm: 12345.6,
      condition: 72.4,
      wear: 27.6,
      damage: 3,
      upgrades: [{ id: 1, type: 'radar_warner', condition: 0.87, value: 4500 }],
    },
    { vin: 'ZZ9Z9', type: 'UF1.XMAS', odometerKm: 88, condition: 100, wear: 0, damage: 0, upgrades: [] },
  ],
};

/** What the service sends of a car that is for sale after two owners. */
export const carJson = {
  id: 99,
  vin: 'AB12C',
  owner: 'k3nny',
  nickname: '^4[TC]^7 k3nny^1»^3_3000_',
  idOwner: 4711,
  type: 'XRT',
  dateBuilt: seconds('2018-05-01T10:00:00Z'),
  datePurchase: seconds('2025-02-01T10:00:00Z'),
  odometerKm: 45678.9,
  isOnMarket: true,
  numPreowners: 2,
  isWrecked: false,
  marketPrice: 56000,
  condition: 72.4,
  wear: 27.6,
  damage: 3,
  preOwners: [
    { buyer: 'mad_max', buyerId: '12', datePurchase: seconds('2018-05-02T10:00:00Z'), odometerKm: 0 },
    { buyer: 'Zoë', buyerId: '13', datePurchase: seconds('2021-07-01T10:00:00Z'), odometerKm: 20000.5 },
  ],
  upgrades: [
    { id: 1, type: 'radar_warner', condition: 0.87, value: 4500 },
    { id: 2, type: 'turbo_whistle', condition: 0.1, value: 0 },
  ],
};

/** The service's answer about its servers: one full, one with free slots, one empty, one that is down. */
export const overviewJson = {
  one: { online: true, track: 'SO4', guests: 40, maxGuests: 40, trackName: 'South City Long' },
  two: { online: true, track: 'KY3', guests: 9, maxGuests: 24, trackName: '^1Kyoto ^7Grand Prix' },
  three: { online: true, track: 'AS5', guests: 0, maxGuests: 24, trackName: 'Aston Historic' },
  events: { online: false, track: 'BL1', guests: 3, maxGuests: 40, trackName: 'Blackwood GP Track' },
  training: { online: true, track: 'FE4', guests: 1, maxGuests: 8, trackName: 'Fern Bay Black' },
};

const idle = {
  siren: false,
  med: false,
  caution: false,
  tow: false,
  cop: false,
  isChased: false,
  isJoining: false,
  hazard: false,
};

/** What some deployments report of a player beside the flags: number, names, place, car. */
type Known = Readonly<Partial<Record<'p' | 'un' | 'nn' | 'l' | 'v', string>>>;

/** A live file whose players, by their ids, have these flags set and no others. */
export function liveJson(
  players: Readonly<Record<string, Readonly<Partial<typeof idle>> & Known>> = {},
  server: string | null = null,
) {
  const all = Object.entries(players).map(([plid, flags]) => [plid, { ...idle, ...flags }] as const);
  return { server, time: NOON, players: Object.fromEntries(all) };
}

/** What the service sends about the Discord server. */
export const chatJson = {
  id: '811',
  name: '[TC] City Drivers™',
  instant_invite: null,
  channels: [
    { position: 3, id: '3', name: 'Tow & medics' },
    { position: 1, id: '1', name: 'Lobby' },
    { position: 2, id: '2', name: 'Cruise | One' },
  ],
  members: [
    { id: '0', username: 'zoë', status: 'online', channel_id: '1' },
    { id: '1', username: 'Anna_B', status: 'online' },
    { id: '2', username: 'sleepy', status: 'idle' },
    { id: '3', username: 'busy^1', status: 'dnd', channel_id: '1' },
    { id: '4', username: 'caster', status: 'streaming' },
  ],
};

export function servers(json: unknown = overviewJson): Overview {
  return Overview.parse(json);
}

export function liveFile(json: unknown = liveJson()): LiveStatus {
  return LiveStatus.parse(json);
}

export function chatServer(changes: object = {}): ChatStatus {
  return ChatStatus.parse({ ...chatJson, ...changes });
}

/** Drivers and cars as the service's JSON says them, through the schemas that the bot reads them with. */
export function driver(changes: object = {}): Profile {
  return Profile.parse({ ...driverJson, ...changes });
}

export function vehicle(changes: object = {}): Car {
  return Car.parse({ ...carJson, ...changes });
}

/** A record as a fresh answer, or as an old one. */
export function answer<Row>(record: Row, stale: 'slow' | 'unavailable' | null = null) {
  return { record, asOf: NOON, stale };
}

/** What the service sends to each question. */
export const bodies = {
  profile: driverJson,
  car: carJson,
  options: { mph: '1' },
  overview: overviewJson,
  'chat-status': chatJson,
  live: liveJson({ 1: { cop: true } }),
} satisfies Record<EndpointName, unknown>;

type Get = <Params, Row>(endpoint: Endpoint<Params, Row>, asked: NoInfer<Params>) => Promise<unknown>;

/** How each question is asked, as closures so that their differing types do not meet. */
export const questions = {
  profile: (get: Get) => get(profile, { username: 'alice' }),
  car: (get: Get) => get(car, { vin: 'AB12C' }),
  options: (get: Get) => get(options, { username: 'alice' }),
  overview: (get: Get) => get(overview, {}),
  'chat-status': (get: Get) => get(chatStatus, {}),
  live: (get: Get) => get(live, { server: 'one' }),
} satisfies Record<EndpointName, unknown>;

/** What a service was asked, as it was asked. */
export interface Question {
  readonly endpoint: string;
  readonly asked: unknown;
  readonly ask: Ask | undefined;
}

/**
 * A service that answers with these bodies, a driver's under the name that was asked for; or with what it says to a
 * question, which may fail. `dated`: when that was true.
 */
export function serviceOf(
  say: Readonly<Record<string, unknown>> | ((question: Question) => unknown) = bodies,
  dated: (question: Question) => Omit<Answer<unknown>, 'record'> = () => ({ asOf: NOON, stale: null }),
): Service {
  return {
    async get(endpoint, given, ask) {
      const { name, params, response } = endpoint;
      const checked = params.safeParse(given);
      if (!checked.success) throw new TypeError(`${name} cannot be asked with this`);
      const question = { endpoint: name, asked: given, ask };
      const body = typeof say === 'function' ? await say(question) : bodyIn(say, question);
      if (body === undefined) throw new Error(`this test has no body for ${name}`);
      const read = response.safeParse(body);
      if (!read.success) throw new Error(`what this test sends for ${name} is no record: ${read.error}`);
      return { record: read.data, ...dated(question) };
    },
  };
}

function bodyIn(all: Readonly<Record<string, unknown>>, { endpoint, asked }: Question): unknown {
  const body = all[endpoint];
  if (endpoint !== 'profile' || typeof body !== 'object' || typeof asked !== 'object') return body;
  return { ...body, ...(asked !== null && 'username' in asked ? { username: asked.username } : {}) };
}

/** A service of which every question fails. */
export function failing(fault: ServiceError['fault'], more: object = {}): Service {
  return serviceOf(({ endpoint }) => {
    throw new ServiceError(fault, { endpoint, sent: 'yes', ...more });
  });
}
