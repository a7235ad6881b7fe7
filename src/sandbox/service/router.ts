import { type Answer, cut, json, page } from './answer.ts';
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
  /** IP address of the caller. */
  readonly address: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Path segments that differ between deployments. */
const GAME = '/drivesim/';
const CHAT_PATH = '/chat_status';

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

interface Parts {
  readonly world: World;
  readonly keys: Keys;
  readonly faults: Faults;
  readonly frozen: Frozen;
  /** Whether the live files name their drivers. */
  readonly named: boolean;
}

/** Answers one request; the world must already be up to date. */
export function answer(asked: Asked, parts: Parts): Answer {
  const { faults } = parts;
  if (faults.isOn('down')) return page(503, 'Service Unavailable');
  if (faults.isOn('html')) return page(200, 'Welcome');
  const answered = routed(asked, parts);
  return faults.isOn('broken-json') ? cut(answered) : answered;
}

function routed(asked: Asked, parts: Parts): Answer {
  if (asked.method !== 'GET') return refusal(405, 'method not allowed', { Allow: 'GET' });
  const path = asked.url.pathname;
  const name = liveFiles.get(path);
  if (name !== undefined) return live(name, parts);
  if (path === CHAT_PATH) return keyed(chatOperation, asked, parts);
  return path.startsWith(GAME)
    ? keyed(gameOperations.get(path.slice(GAME.length)), asked, parts)
    : page(404, 'Not Found');
}

/** Needs no key. */
function live(name: LiveName, { world, faults, frozen, named }: Parts): Answer {
  const shot = frozen?.get(name) ?? world.live(name);
  const body = faults.isOn('later-generation') ? laterLiveFile(shot) : liveFile(shot, named);
  return json(200, faults.isOn('php-empties') ? looseTypes(body) : body, { 'Cache-Control': 'max-age=1' });
}

function keyed(operation: Operation | undefined, asked: Asked, parts: Parts): Answer {
  const judged = judge(asked, parts);
  if (judged.verdict !== 'counted')
    return refusal(403, judged.verdict === 'unauthorised' ? 'not authorised' : 'host not allowed');
  const headers = {
    'X-RateLimit-Limit': `${judged.limit.requests}/${judged.limit.windowSeconds}`,
    'X-RateLimit-Remaining': String(judged.taken.remaining),
    'X-RateLimit-Reset': String(Math.ceil(judged.taken.reset / 1000)),
  };
  if (!judged.taken.allowed) return refusal(403, 'rate limit exceeded', headers);
  if (operation === undefined) return refusal(501, 'not implemented', headers);
  // Discord's own refusal, as the service passes it on.
  if (operation === chatOperation && parts.faults.isOn('widget-off'))
    return json(403, { message: 'Widget Disabled', code: 50_004 }, headers);
  const reply = operation(parts.world, asked.url.searchParams);
  if (reply.status !== 200) return refusal(reply.status, reply.message, headers);
  return json(200, shaped(reply.body, parts.faults), headers);
}

function judge({ url, address, at }: Asked, { keys, faults }: Parts): Verdict {
  if (faults.isOn('unauthorised')) return { verdict: 'unauthorised' };
  if (faults.isOn('host-not-allowed')) return { verdict: 'host-not-allowed' };
  const judged = keys.check(url.searchParams.get('key'), address, at);
  if (judged.verdict !== 'counted' || !faults.isOn('over-limit')) return judged;
  return {
    ...judged,
    taken: { allowed: false, remaining: 0, reset: at + FAULT_RETRY, retryAfter: FAULT_RETRY },
  };
}

function shaped(body: Json, faults: Faults): Json {
  const generation = faults.isOn('later-generation') ? laterGeneration(body) : body;
  return faults.isOn('php-empties') ? looseTypes(generation) : generation;
}

function refusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return json(status, { errorCode: status, errorMessage: message }, headers);
}
