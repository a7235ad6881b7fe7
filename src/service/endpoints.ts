/** The table of what can be read: one row per read of the interface's section 4. */
import { z } from 'zod';
import { Car } from './models/car.ts';
import { ChatStatus } from './models/chat-status.ts';
import { sameSpelling, Username, Vin } from './models/identifiers.ts';
import { LiveServer, LiveStatus } from './models/live-status.ts';
import { Options } from './models/options.ts';
import { Overview } from './models/overview.ts';
import { Profile } from './models/profile.ts';
import { createReader, type Reading } from './models/read.ts';

/** Who waits for an answer: a person, or only a poller or a refresh. */
export type Priority = 'interactive' | 'background';

/** Names that an answer tells and that somebody may want to type later. */
export interface DiscoveredNames {
  readonly players: readonly string[];
  readonly vins: readonly { readonly vin: string; readonly type: string | null }[];
  /** Told again every second: not worth a write by itself. */
  readonly fleeting?: true;
  /** Spelled as somebody typed them, which may not be how the service spells them. */
  readonly asTyped?: true;
}

/** The deployment's own names for places in the address (base paths differ between deployments). */
export interface Places {
  readonly game: string;
  readonly chatPath: string;
}

/** One read of the data service. `Asked` is what a caller may pass, `Params` what the check makes of it. */
export interface Endpoint<Asked, Params, Row> {
  readonly name: string;
  /** Checked before anything is spent. */
  readonly params: z.ZodType<Params, Asked>;
  /** Path segments; each is encoded on its own, so that none can climb out of its place. */
  readonly path: (params: Params, places: Places) => readonly string[];
  readonly query: (params: Params) => Readonly<Record<string, string>>;
  /** What makes two questions one; the service does not tell the case of names apart, so neither do we. */
  readonly key: (params: Params) => readonly string[];
  readonly response: z.ZodType<Row>;
  /** Reads a body as a record. */
  readonly read: (body: unknown) => Reading<Row>;
  /** Whether a record is about what was asked for. */
  readonly isAbout?: (record: Row, params: Params) => boolean;
  /** Milliseconds during which an answer counts as fresh. */
  readonly ttl: number;
  /** Whether the read needs the key and so spends its budget. */
  readonly keyed: boolean;
  /** Whether it asks by a name that the service may not know; see `Call.named`. */
  readonly named: boolean;
  /** Unix milliseconds at which the record was true, where it says so itself; else the time it arrived. */
  readonly trueAt?: (record: Row) => number | null;
  readonly discoveredNames?: (record: Row, params: Params) => DiscoveredNames;
}

/** Lets each row infer its own types from its schemas. */
function row<Asked, Params, Row>(
  endpoint: Omit<Endpoint<Asked, Params, Row>, 'read'>,
): Endpoint<Asked, Params, Row> {
  return { ...endpoint, read: createReader(endpoint.response) };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const digit = (on: boolean): string => (on ? '1' : '0');
const on = z.boolean().default(true);

function isOnDuty({ cop, med, tow }: LiveStatus['players'][number]): boolean {
  return [cop, med, tow].includes(true);
}

/** Those that somebody could ask for. */
function usernames(names: readonly (string | null)[]): readonly string[] {
  return names.flatMap((name) => Username.safeParse(name).data ?? []);
}

/** Of a car's type, as much as any has: it may be a megabyte. */
const TYPE = 32;

function vins(
  cars: readonly { readonly vin: string | null; readonly type: string | null }[],
): DiscoveredNames['vins'] {
  return cars.flatMap(({ vin: written, type }) => {
    const vin = Vin.safeParse(written);
    return vin.success ? [{ vin: vin.data, type: type?.slice(0, TYPE) ?? null }] : [];
  });
}

/** Endpoints 1 to 4 of the interface. Keyless; the file itself changes every second. */
export const live = row({
  name: 'live',
  params: z.object({ server: LiveServer }),
  path: ({ server }) => ['json', `status_${server}.json`],
  query: () => ({}),
  key: ({ server }) => [server],
  response: LiveStatus,
  ttl: SECOND,
  keyed: false,
  named: false,
  trueAt: (record) => record.time,
  // The later generation tells who drives what. Those on duty come last, and so are the ones seen last.
  discoveredNames: ({ players }) => ({
    players: usernames(
      players.toSorted((a, b) => Number(isOnDuty(a)) - Number(isOnDuty(b))).map(({ username }) => username),
    ),
    vins: vins(players.map(({ vin }) => ({ vin, type: null }))),
    fleeting: true,
  }),
});

/** Endpoint 5. Every flag is on unless it is switched off, so that one request serves every view. */
export const profile = row({
  name: 'profile',
  params: z.object({ username: Username, stats: on, cars: on, licenses: on, upgrades: on, properties: on }),
  path: (_params, { game }) => [game, 'profile', 'get'],
  query: ({ username, ...flags }) => ({
    username,
    stats: digit(flags.stats),
    cars: digit(flags.cars),
    licenses: digit(flags.licenses),
    upgrades: digit(flags.upgrades),
    properties: digit(flags.properties),
  }),
  key: ({ username, stats, cars, licenses, upgrades, properties }) => [
    sameSpelling(username),
    [stats, cars, licenses, upgrades, properties].map(digit).join(''),
  ],
  response: Profile,
  isAbout: (record, { username }) => sameSpelling(record.username.trim()) === sameSpelling(username),
  ttl: 5 * MINUTE,
  keyed: true,
  named: true,
  discoveredNames: ({ username, cars }) => ({
    players: [username],
    vins: vins(cars ?? []),
  }),
});

/** Endpoint 6. Options change by a deliberate command in the game only, hence the longer time. */
export const options = row({
  name: 'options',
  params: z.object({ username: Username }),
  path: (_params, { game }) => [game, 'profile', 'getopts'],
  query: ({ username }) => ({ username }),
  key: ({ username }) => [sameSpelling(username)],
  response: Options,
  ttl: 15 * MINUTE,
  keyed: true,
  named: true,
  // The answer names nobody; whoever has changed an option is there, and an empty one may be about nobody.
  discoveredNames: (record, { username }) => ({
    players: record.length === 0 ? [] : [username],
    vins: [],
    asTyped: true,
  }),
});

/** Endpoint 7. Always of all servers: one answer then serves every question, where one for each would cost a request. */
export const overview = row({
  name: 'overview',
  params: z.object({}),
  path: (_params, { game }) => [game, 'live', 'status'],
  query: () => ({ server: 'all' }),
  key: () => ['all'],
  response: Overview,
  ttl: 30 * SECOND,
  keyed: true,
  named: false,
});

/** Endpoint 8. */
export const car = row({
  name: 'car',
  params: z.object({ vin: Vin, preowners: on, upgrades: on }),
  path: (_params, { game }) => [game, 'carinfo'],
  query: ({ vin, preowners, upgrades }) => ({ vin, preowners: digit(preowners), upgrades: digit(upgrades) }),
  key: ({ vin, preowners, upgrades }) => [vin, digit(preowners) + digit(upgrades)],
  response: Car,
  isAbout: (record, { vin }) => record.vin.trim() === vin,
  ttl: 5 * MINUTE,
  keyed: true,
  named: true,
  discoveredNames: ({ vin, type, owner, preOwners }) => ({
    players: usernames([owner, ...(preOwners ?? []).map(({ buyer }) => buyer)]),
    vins: vins([{ vin, type }]),
  }),
});

/** Endpoint 9. */
export const chatStatus = row({
  name: 'chat-status',
  params: z.object({}),
  path: (_params, { chatPath }) => chatPath.split('/').filter((segment) => segment !== ''),
  query: () => ({}),
  key: () => [],
  response: ChatStatus,
  ttl: MINUTE,
  keyed: true,
  named: false,
});
