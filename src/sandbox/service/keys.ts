import { createWindow, type Taken, type WindowModel } from './window-models.ts';
import { createRandom } from './world/random.ts';

export interface Limit {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** Interface §8 for client keys; the other kind is negotiable, so this one is a choice. */
export interface Limits {
  /** How the server counts; a fixed window on the epoch unless told otherwise. */
  readonly model?: WindowModel;
  readonly client?: Limit;
  readonly restricted?: Limit;
}

/** Only a key that is accepted from where it came is counted, and only then there is anything to tell of it. */
export type Verdict =
  | { readonly verdict: 'unauthorised' | 'host-not-allowed' }
  | { readonly verdict: 'counted'; readonly limit: Limit; readonly taken: Taken };

export interface Keys {
  /** A client key: accepted from every address. */
  readonly client: string;
  /** An IP-restricted key that belongs to this machine. */
  readonly restricted: string;
  /** An IP-restricted key that belongs to another machine. */
  readonly elsewhere: string;
  /** Judges and counts one request. `now` in unix milliseconds. */
  check(key: string | null, address: string, now: number): Verdict;
}

const HERE = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];
/** An address of the range that is kept for documentation. */
const ELSEWHERE = ['192.0.2.7'];

/** The keys that the sandbox's service has issued; they follow from the seed. */
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
