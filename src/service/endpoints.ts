/** One row for each read of the data service. */
import { z } from 'zod';
import { MINUTE, SECOND } from '../base/duration.ts';
import { Car } from './models/car.ts';
import { ChatStatus } from './models/chat-status.ts';
import { sameSpelling, Username, Vin } from './models/identifiers.ts';
import { LiveServer, LiveStatus, type Player, prepareLiveStatus } from './models/live-status.ts';
import { Options } from './models/options.ts';
import { Overview } from './models/overview.ts';
import { Profile } from './models/profile.ts';
import { createReader, type Reading } from './models/read.ts';

/** Reader of the answer: a person (`interactive`), or a poller or a refresh (`background`). */
export type Priority = 'interactive' | 'background';

/** Names in an answer that someone may want to type later. */
export interface DiscoveredNames {
  readonly players: readonly string[];
  readonly vins: readonly { readonly vin: string; readonly type: string | null }[];
  readonly licences?: readonly string[];
  /** The service's id of the one player. */
  readonly playerId?: string | null;
  /** In-game names by username, as the service writes them, with colour codes. */
  readonly nicknames?: readonly { readonly username: string; readonly nickname: string }[];
  /** Repeated every second, so not worth a write. */
  readonly fleeting?: true;
  /** Spelled as typed, which may differ from the service's spelling. */
  readonly asTyped?: true;
}

/** A record in an answer that is worth more than the question it answers. */
export type Observation =
  | { readonly kind: 'profile'; readonly record: Profile }
  | { readonly kind: 'car'; readonly record: Car }
  /** With the names of hidden drivers. */
  | { readonly kind: 'live'; readonly record: LiveStatus };

/** Path segments that differ between deployments. */
export interface Places {
  readonly game: string;
  readonly chatPath: string;
}

/** One read of the data service. */
export interface Endpoint<Params, Row> {
  readonly name: string;
  /** Checked before anything is spent. */
  readonly params: z.ZodType<Params, Params>;
  /** Path segments. Each is encoded separately, so that none can escape its place. */
  readonly path: (params: Params, places: Places) => readonly string[];
  readonly query: (params: Params) => Readonly<Record<string, string>>;
  /** Two calls with the same key are the same call. The service ignores case in names, and so do we. */
  readonly key: (params: Params) => readonly string[];
  readonly response: z.ZodType<Row>;
  readonly read: (body: unknown) => Reading<Row>;
  /** Does most of the work of reading a new body in slices. The body is read afterwards. */
  readonly prepare?: (body: unknown) => Promise<void>;
  /** A record is about what was asked for. */
  readonly isAbout?: (record: Row, params: Params) => boolean;
  /** How long an answer counts as fresh, in ms. */
  readonly ttl: number;
  /** The read needs the API key and so spends its budget. */
  readonly keyed: boolean;
  /** True if the endpoint asks by a name that the service may not know; see `Call.named`. */
  readonly asksByName: boolean;
  /** When the record was true, in unix milliseconds, where it says so itself; else its arrival counts. */
  readonly trueAt?: (record: Row) => number | null;
  readonly discoveredNames?: (record: Row, params: Params) => DiscoveredNames;
  readonly observation?: (record: Row) => Observation;
  /** The record without the names of hidden drivers. */
  readonly withoutHidden?: (record: Row, isHidden: (username: string) => boolean) => Row;
}

/** Lets each row infer its own types from its schemas. */
function row<Params, Row>(endpoint: Omit<Endpoint<Params, Row>, 'read'>): Endpoint<Params, Row> {
  return { ...endpoint, read: createReader(endpoint.response) };
}

function isOnDuty({ cop, med, tow }: Player): boolean {
  return [cop, med, tow].includes(true);
}

/** The valid usernames among them. */
function usernames(names: readonly (string | null)[]): readonly string[] {
  return names.flatMap((name) => Username.safeParse(name).data ?? []);
}

/** Returns the drivers of whom both names are known. */
function nicknames(
  drivers: readonly { readonly username: string | null; readonly nickname: string | null }[],
): NonNullable<DiscoveredNames['nicknames']> {
  return drivers.flatMap(({ username: rawUsername, nickname }) => {
    const username = Username.safeParse(rawUsername);
    return username.success && nickname !== null ? [{ username: username.data, nickname }] : [];
  });
}

/** Maximum characters of a car's type: the service may send a megabyte. */
const MAX_TYPE_LENGTH = 32;

function vins(
  cars: readonly { readonly vin: string | null; readonly type: string | null }[],
): DiscoveredNames['vins'] {
  return cars.flatMap(({ vin: rawVin, type }) => {
    const vin = Vin.safeParse(rawVin);
    return vin.success ? [{ vin: vin.data, type: type?.slice(0, MAX_TYPE_LENGTH) ?? null }] : [];
  });
}

/** One server's live file. Keyless; it changes every second. */
export const live = row({
  name: 'live',
  params: z.object({ server: LiveServer }),
  path: ({ server }) => ['json', `status_${server}.json`],
  query: () => ({}),
  key: ({ server }) => [server],
  response: LiveStatus,
  prepare: prepareLiveStatus,
  ttl: SECOND,
  keyed: false,
  asksByName: false,
  trueAt: (record) => record.time,
  // The later generation says who drives which car. Drivers on duty come last, so they count as the most recently
  // seen.
  discoveredNames: ({ players }) => ({
    players: usernames(
      players.toSorted((a, b) => Number(isOnDuty(a)) - Number(isOnDuty(b))).map(({ username }) => username),
    ),
    vins: vins(players.map(({ vin }) => ({ vin, type: null }))),
    nicknames: nicknames(players),
    fleeting: true,
  }),
  observation: (record) => ({ kind: 'live', record }),
  withoutHidden: (record, isHidden) => {
    const isUnseen = ({ username }: Player) => username !== null && isHidden(username);
    if (!record.players.some(isUnseen)) return record;
    // The car, the place or the job would give a hidden driver away.
    const players = record.players.map((player) =>
      isUnseen(player)
        ? { ...player, username: null, nickname: null, vin: null, place: null, job: null }
        : player,
    );
    return { ...record, players };
  },
});

/** A driver's record. Every part is asked for, so that one request serves every view. */
export const profile = row({
  name: 'profile',
  params: z.object({ username: Username }),
  path: (_params, { game }) => [game, 'profile', 'get'],
  query: ({ username }) => ({
    username,
    stats: '1',
    cars: '1',
    licenses: '1',
    upgrades: '1',
    properties: '1',
  }),
  key: ({ username }) => [sameSpelling(username)],
  response: Profile,
  isAbout: (record, { username }) => sameSpelling(record.username.trim()) === sameSpelling(username),
  ttl: 5 * MINUTE,
  keyed: true,
  asksByName: true,
  discoveredNames: ({ id, username, nickname, cars, licences }) => ({
    playerId: id,
    licences: (licences ?? []).flatMap(({ type, name }) => type ?? name ?? []),
    players: [username],
    vins: vins(cars ?? []),
    nicknames: nicknames([{ username, nickname }]),
  }),
  observation: (record) => ({ kind: 'profile', record }),
});

/** A driver's options. They change only by a command in the game, hence the longer time. */
export const options = row({
  name: 'options',
  params: z.object({ username: Username }),
  path: (_params, { game }) => [game, 'profile', 'getopts'],
  query: ({ username }) => ({ username }),
  key: ({ username }) => [sameSpelling(username)],
  response: Options,
  ttl: 15 * MINUTE,
  keyed: true,
  asksByName: true,
  // The answer has no name. A driver with changed options exists; an empty answer may be about nobody.
  discoveredNames: (record, { username }) => ({
    players: record.length === 0 ? [] : [username],
    vins: [],
    asTyped: true,
  }),
});

/** All servers at once: asking for one at a time would cost a request each. */
export const overview = row({
  name: 'overview',
  params: z.object({}),
  path: (_params, { game }) => [game, 'live', 'status'],
  query: () => ({ server: 'all' }),
  key: () => ['all'],
  response: Overview,
  ttl: 30 * SECOND,
  keyed: true,
  asksByName: false,
});

export const car = row({
  name: 'car',
  params: z.object({ vin: Vin }),
  path: (_params, { game }) => [game, 'carinfo'],
  query: ({ vin }) => ({ vin, preowners: '1', upgrades: '1' }),
  key: ({ vin }) => [vin],
  response: Car,
  ttl: 5 * MINUTE,
  keyed: true,
  asksByName: true,
  // A former owner may not exist any more.
  discoveredNames: ({ vin, type, owner, nickname }) => ({
    players: usernames([owner]),
    vins: vins([{ vin, type }]),
    nicknames: nicknames([{ username: owner, nickname }]),
  }),
  observation: (record) => ({ kind: 'car', record }),
});

export const chatStatus = row({
  name: 'chat-status',
  params: z.object({}),
  path: (_params, { chatPath }) => chatPath.split('/').filter((segment) => segment !== ''),
  query: () => ({}),
  key: () => [],
  response: ChatStatus,
  ttl: MINUTE,
  keyed: true,
  asksByName: false,
});

/**
 * Every row by its name: metrics and the tests have their lists from here. `stats/online` has no row, because its answer is not
 * described and live files name connected drivers for free.
 */
export const endpoints = { overview, 'chat-status': chatStatus, profile, car, options, live } as const;
export type EndpointName = keyof typeof endpoints;

export function isEndpointName(name: string): name is EndpointName {
  return Object.hasOwn(endpoints, name);
}
