import { createWindow, type Taken, type WindowModel } from './window-models.ts';
import { createRandom } from './world/random.ts';

interface Limit {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** The limit of client keys is documented; the other kind's is negotiable, so this one is a choice. */
export interface Limits {
  /** How the server counts; by default a fixed window aligned to the epoch. */
  readonly model?: WindowModel;
  readonly client?: Limit;
  readonly restricted?: Limit;
}

/** Only an accepted key is counted, and only then are there headers. */
export type Verdict =
  | { readonly verdict: 'unauthorised' | 'host-not-allowed' }
  | { readonly verdict: 'counted'; readonly limit: Limit; readonly taken: Taken };

export interface Keys {
  /** A client key, accepted from any address. */
  readonly client: string;
  /** An IP-restricted key for this machine. */
  readonly restricted: string;
  /** An IP-restricted key for another machine. */
  readonly elsewhere: string;
  /** Checks and counts one request. `now` in unix milliseconds. */
  check(key: string | null, address: string, now: number): Verdict;
}

const HERE = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];
/** An address from the range reserved for documentation (RFC 5737). */
const ELSEWHERE = ['192.0.2.7'];

/** The service's keys; derived from the seed. */
export function issueKeys(seed: number, limits: Limits): Keys {
  const random = createRandom(seed, 'keys');
  const { model = 'fixed-epoch' } = limits;
  const client = limits.client ?? { requests: 720, windowSeconds: 3600 };
  const restricted = limits.restricted ?? { requests: 7200, windowSeconds: 3600 };
  const grants = new Map<
    string,
    { limit: Limit; addresses: readonly string[] | null; take(now: number): Taken }
  >();

  const issue = (limit: Limit, addresses: readonly string[] | null): string => {
    const key = Array.from({ length: 32 }, () => random.whole(0, 15).toString(16)).join('');
    const window = createWindow(model, limit.requests, limit.windowSeconds * 1000);
    grants.set(key, { limit, addresses, take: window.take });
    return key;
  };
  return {
    client: issue(client, null),
    restricted: issue(restricted, HERE),
    elsewhere: issue(restricted, ELSEWHERE),
    check(key, address, now) {
      const grant = key === null ? undefined : grants.get(key);
      if (grant === undefined) return { verdict: 'unauthorised' };
      const { limit, addresses } = grant;
      if (addresses !== null && !addresses.includes(address)) return { verdict: 'host-not-allowed' };
      return { verdict: 'counted', limit, taken: grant.take(now) };
    },
  };
}
