import { type Answer, cut, json, page, versioned } from './answer.ts';
import type { Faults } from './faults.ts';
import { laterGeneration, laterLiveFile, liveFile, looseTypes } from './generations.ts';
import type { Json } from './json.ts';
import type { Keys, Verdict } from './keys.ts';
import { chatOperation, gameOperations, type Operation } from './operations.ts';
import type { Snapshot } from './world/live.ts';
import type { LiveName, World } from './world.ts';

export interface Asked {
  readonly method: string;
  readonly url: URL;
  /** Where it came from. */
  readonly address: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** `If-None-Match`. */
  readonly knownVersion?: string | undefined;
}

/** Path segments that differ between deployments. */
export interface Places {
  readonly game: string;
  readonly chatPath: string;
}

const liveFiles: ReadonlyMap<string, LiveName> = new Map([
  ['/json/status_one.json', 'one'],
  ['/json/status_two.json', 'two'],
  ['/json/status_three.json', 'three'],
  ['/json/status_four.json', 'four'],
]);

/** While the clock is frozen, the live files stay unchanged. */
export type Frozen = ReadonlyMap<LiveName, Snapshot> | null;

export function freeze(world: World): Frozen {
  return new Map([...liveFiles.values()].map((name) => [name, world.live(name)]));
}

/** Retry time under the fault "over the limit", which can end any moment, in ms. */
const FAULT_RETRY = 30_000;

/** Answers one request; the world must already be up to date. */
export function answer(
  asked: Asked,
  {
    world,
    keys,
    faults,
    frozen,
    places,
    named,
  }: { world: World; keys: Keys; faults: Faults; frozen: Frozen; places: Places; named: boolean },
): Answer {
  const { method, url, address, at, knownVersion } = asked;

  const judge = (): Verdict => {
    if (faults.isOn('unauthorised')) return { verdict: 'unauthorised' };
    if (faults.isOn('host-not-allowed')) return { verdict: 'host-not-allowed' };
    const judged = keys.check(url.searchParams.get('key'), address, at);
    if (judged.verdict !== 'counted' || !faults.isOn('over-limit')) return judged;
    return {
      ...judged,
      taken: { allowed: false, remaining: 0, reset: at + FAULT_RETRY, retryAfter: FAULT_RETRY },
    };
  };

  const shaped = (body: Json): Json => {
    const generation = faults.isOn('later-generation') ? laterGeneration(body) : body;
    return faults.isOn('php-empties') ? looseTypes(generation) : generation;
  };

  const keyed = (operation: Operation | undefined): Answer => {
    const judged = judge();
    if (judged.verdict !== 'counted') {
      return refusal(403, judged.verdict === 'unauthorised' ? 'not authorised' : 'host not allowed');
    }
    const headers = {
      'X-RateLimit-Limit': `${judged.limit.requests}/${judged.limit.windowSeconds}`,
      'X-RateLimit-Remaining': String(judged.taken.remaining),
      'X-RateLimit-Reset': String(Math.ceil(judged.taken.reset / 1000)),
    };
    if (!judged.taken.allowed) return refusal(403, 'rate limit exceeded', headers);
    if (operation === undefined) return refusal(501, 'not implemented', headers);
    const reply = operation(world, url.searchParams);
    if (reply.status !== 200) return refusal(reply.status, reply.message, headers);
    return json(200, shaped(reply.body), headers);
  };

  const live = (name: LiveName): Answer => {
    const shot = frozen?.get(name) ?? world.live(name);
    const body = faults.isOn('later-generation') ? laterLiveFile(shot) : liveFile(shot, named);
    return json(200, faults.isOn('php-empties') ? looseTypes(body) : body, { 'Cache-Control': 'max-age=1' });
  };

  const routed = (): Answer => {
    if (method !== 'GET') return refusal(405, 'method not allowed', { Allow: 'GET' });
    const path = url.pathname;
    const name = liveFiles.get(path);
    if (name !== undefined) return versioned(live(name), knownVersion);
    if (path === `/${places.chatPath}`) return keyed(chatOperation);
    const game = `/${places.game}/`;
    return path.startsWith(game)
      ? keyed(gameOperations.get(path.slice(game.length)))
      : page(404, 'Not Found');
  };

  if (faults.isOn('down')) return page(503, 'Service Unavailable');
  if (faults.isOn('html')) return page(200, 'Welcome');
  return faults.isOn('broken-json') ? cut(routed()) : routed();
}

function refusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return json(status, { errorCode: status, errorMessage: message }, headers);
}
