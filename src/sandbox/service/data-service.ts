/**
 * The sandbox's data service as tests, the demo and its page use it. The bot knows only its address and a key.
 *
 * What the interface leaves open ("not shown"), and what this service does:
 *
 * | open point                                   | choice                                                     |
 * |----------------------------------------------|------------------------------------------------------------|
 * | timestamp unit                               | seconds since 1970, in the live files too; 0 means never   |
 * | a block whose flag is 0                      | is absent                                                  |
 * | default of a flag that is omitted            | 0                                                          |
 * | case of usernames and VINs                   | does not matter; answers carry the true spelling           |
 * | order of the error checks                    | key, address, limit, path, parameters                      |
 * | missing or unknown key                       | 403 `not authorised`, without limit headers                |
 * | answer for a single server                   | the bare record                                            |
 * | answer of stats/online                       | `{"online": <drivers>, "registered": <drivers>}`           |
 * | chat members' other values                   | `status` idle and dnd too; at most 100 members             |
 * | IP-restricted key from another address       | 403 `host not allowed`, not counted, without limit headers |
 * | over the limit                               | 403 `rate limit exceeded`, with the three headers          |
 * | unknown user, unknown car                    | 404 `Unknown user`, `Unknown car`; counted                 |
 * | a flag that is not 0 or 1, a missing name    | 400 `bad request: <parameter>`; counted                    |
 * | unknown command below the game's segment     | 501 `not implemented`; counted                             |
 * | any other address                            | 404 with an HTML page, as a web server's own               |
 * | another method than GET                      | 405 with `Allow`                                           |
 * | which window counts                          | a fixed one on the epoch; `limits.model` chooses another   |
 * | limit of an IP-restricted key                | 7200 in an hour; `limits.restricted` chooses another       |
 *
 * Refusals are `{"errorCode": <status>, "errorMessage": "<text above>"}`.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { send } from './answer.ts';
import { createFaults, type ServiceFault } from './faults.ts';
import { issueKeys, type Limits } from './keys.ts';
import { type Asked, answer, type Frozen, freeze } from './router.ts';
import type { ChatGuild } from './world/chat.ts';
import type { WorldPast } from './world/past.ts';
import { type CarOffer, createWorld, type DriverRecord, type World } from './world.ts';

export type { CarOffer, DriverRecord } from './world.ts';

interface ServedRequest {
  readonly path: string;
  /** Without the key. */
  readonly query: Readonly<Record<string, string>>;
  /** 0 where the connection was reset instead. */
  readonly status: number;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Events of the game that a visitor can cause. */
type Happenings = Pick<World, 'fillServer' | 'offerCar' | 'driveAs' | 'expireLicence'>;

export interface DataService extends Happenings {
  /** For SERVICE_URL. */
  readonly url: string;
  /** An accepted client key (720 in 3600 seconds). */
  readonly key: string;
  /** An IP-restricted key for this machine, with its own limit. */
  readonly restrictedKey: string;
  /** An IP-restricted key for another machine: host not allowed. */
  readonly elsewhereKey: string;
  /** Oldest first. */
  readonly requests: readonly ServedRequest[];
  readonly faults: readonly ServiceFault[];
  setFault(name: string, on: boolean): void;
  /** Drivers and VINs for the page's hints and for tests: those with the most data first. */
  readonly drivers: readonly string[];
  readonly vins: readonly string[];
  /** Everybody's money and figures as they are now. */
  records(): readonly DriverRecord[];
  /** The cars that are for sale now. */
  offers(): readonly CarOffer[];
  /** The past from `since` (unix milliseconds), a year ago at most, until now. */
  past(since: number): WorldPast;
  /**
   * Advances the community by `seconds` at once. The clock does not move: all that happens in them happens now, what is
   * still to come comes that much sooner, and the keys' windows are unaffected.
   */
  advance(seconds: number): void;
  close(): Promise<void>;
}

interface DataServiceOptions {
  /** A free one by default. */
  readonly port?: number;
  /** Seed of the world; the same seed and start give the same world. */
  readonly seed?: number;
  /** Unix milliseconds; the only clock of world, windows and headers. */
  readonly now?: () => number;
  readonly limits?: Limits;
  /** Whether the first generation's live files name their drivers as the later one's do; by default not. */
  readonly namedLiveFiles?: boolean;
  /**
   * Whether the fault `hostile-names` is on from the start; by default it is, so that every test meets such names.
   */
  readonly hostileNames?: boolean;
  /** The community's chat server; by default one is invented, as it is for hostile names. */
  readonly guild?: () => ChatGuild;
  /** The delay of the fault `slow`, in ms. */
  readonly slowness?: number;
}

/** Maximum entries in the request log, so that a long-running demo does not grow. */
const LOGGED_REQUESTS = 10_000;

/** Starts the service on loopback. */
export async function startDataService(options: DataServiceOptions = {}): Promise<DataService> {
  const { port = 0, seed = 1, now = Date.now, limits = {}, slowness = 10_000 } = options;
  const { namedLiveFiles: named = false, hostileNames = true } = options;
  const world = createWorld(seed, now(), hostileNames, options.guild);
  const worldNow = (): World => {
    world.runTo(now());
    return world;
  };
  const keys = issueKeys(seed, limits);
  const faults = createFaults(hostileNames ? ['hostile-names'] : []);
  const log = createRequestLog();
  let frozen: Frozen = null;

  const server = createServer((request, response) => {
    const asked = askedIn(request, now());
    world.runTo(asked.at);
    const ready = faults.isOn('unreachable') ? null : answer(asked, { world, keys, faults, frozen, named });
    log.add(asked, ready?.status ?? 0);
    if (ready === null) request.socket.destroy();
    else if (!faults.isOn('slow')) send(response, ready, asked.at);
    else setTimeout(() => send(response, ready, now()), slowness).unref();
  });
  const url = await listen(server, port);
  let closed: Promise<void> | null = null;

  return {
    url,
    key: keys.client,
    restrictedKey: keys.restricted,
    elsewhereKey: keys.elsewhere,
    requests: log.requests,
    get faults() {
      return faults.list;
    },
    setFault(name, on) {
      faults.set(name, on);
      if (name === 'hostile-names') world.useHostileNames(on);
      if (name === 'frozen-clock') frozen = on ? freeze(worldNow()) : null;
    },
    get drivers() {
      return world.drivers;
    },
    vins: world.vins,
    records: world.records,
    offers: world.offers,
    past: (since) => worldNow().past(since),
    advance: world.advance,
    fillServer: () => worldNow().fillServer(),
    offerCar: () => worldNow().offerCar(),
    driveAs: (username, nickname) => worldNow().driveAs(username, nickname),
    expireLicence: () => worldNow().expireLicence(),
    close() {
      closed ??= closeServer(server);
      return closed;
    },
  };
}

function askedIn({ url = '/', method = '', socket }: IncomingMessage, at: number): Asked {
  return {
    method,
    at,
    url: new URL(url, 'http://sandbox.invalid'),
    address: socket.remoteAddress ?? '',
  };
}

/** The latest requests, without their keys. */
function createRequestLog() {
  const requests: ServedRequest[] = [];
  return {
    requests,
    add({ url, at }: Asked, status: number): void {
      const { key: _key, ...query } = Object.fromEntries(url.searchParams);
      requests.push({ path: url.pathname, query, status, at });
      if (requests.length > LOGGED_REQUESTS) requests.shift();
    },
  };
}

/** On loopback; the server's address. */
async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
