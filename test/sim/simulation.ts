import { ServiceError } from '../../src/base/errors.ts';
import { createWindow, type Taken, type WindowModel } from '../../src/sandbox/service/window-models.ts';
import type { Call, Layer } from '../../src/service/call.ts';
import type { Priority } from '../../src/service/endpoints.ts';
import type { Strategy } from './strategies.ts';
import { VirtualTime } from './virtual-time.ts';

export const LIMIT = 720;
export const WINDOW_MS = 3_600_000;
const HOUR_MS = 3_600_000;

/** What is wanted of the key. Rates are per hour. */
export interface Load {
  readonly people: number;
  readonly pollers: number;
  /** People who ask in the same moment, right after every start. */
  readonly crowd: number;
  /** Requests of another program with the same key. */
  readonly others: number;
  /** And how many of them within the minute before the first start. */
  readonly othersBefore?: number;
}

export interface Setting {
  readonly model: WindowModel;
  readonly load: Load;
  readonly strategy: Strategy;
  readonly hours: number;
  readonly seed: number;
  /** How often the process is killed and started again within an hour, on average. */
  readonly restarts: number;
}

export interface Outcome {
  /** Requests of ours that the server refused, without the probes. */
  readonly refused: number;
  /** Refused requests of ours that checked an answer with nothing left: see {@link createProbeJudge}. */
  readonly refusedProbes: number;
  /** Of all that people asked, the share answered within 2.5 s. */
  readonly quick: number;
  /** Requests of ours that the server served, as a share of the limit over the whole time. */
  readonly used: number;
  /** The most requests of ours that reached the server within any one window. */
  readonly most: number;
  /** Milliseconds until the last of a crowd was answered, for the slowest crowd; infinite if some never were. */
  readonly crowdMs: number;
  readonly asked: Readonly<Record<Priority, number>>;
  readonly answered: Readonly<Record<Priority, number>>;
}

const QUICK_MS = 2500;
/** So few are left to other users of the key, so that nothing is sent. */
const FEW = 3;
const DOWN_MS = 4000;
/** Of a thousand requests, so many lose their connection after the server has counted them. */
const LOST_OF_1000 = 3;

/** Runs one strategy against one server on virtual time. The same setting always has the same outcome. */
export async function simulate(setting: Setting): Promise<Outcome> {
  const random = mulberry32(setting.seed);
  // Any phase of the server's windows, a different one for each seed.
  const time = new VirtualTime(1_790_000_000_000 + Math.floor(random() * WINDOW_MS));
  const uninstall = time.install();
  try {
    return await run(setting, time, random);
  } finally {
    uninstall();
  }
}

async function run(setting: Setting, time: VirtualTime, random: () => number): Promise<Outcome> {
  const { load, hours } = setting;
  const window = createWindow(setting.model, LIMIT, WINDOW_MS);
  const arrivals: number[] = [];
  const judgeProbe = createProbeJudge();
  let refused = 0;
  let refusedProbes = 0;
  let served = 0;
  let quick = 0;
  const crowds: number[] = [];
  const asked = { interactive: 0, background: 0 };
  const answered = { interactive: 0, background: 0 };

  const pause = (ms: number): Promise<void> => new Promise((resolve) => time.clock.after(ms, resolve));
  const exponential = (perHour: number): number => (-Math.log(1 - random()) * HOUR_MS) / perHour;

  const transport: Layer = async (call) => {
    await pause(20 + random() * 80);
    arrivals.push(time.elapsed);
    const now = time.clock.now();
    const taken = window.take(now);
    const isProbe = judgeProbe(time.elapsed, taken);
    if (taken.allowed) served += 1;
    else if (isProbe) refusedProbes += 1;
    else refused += 1;
    const rate = {
      limit: LIMIT,
      windowSeconds: WINDOW_MS / 1000,
      remaining: taken.remaining,
      reset: Math.floor(taken.reset / 1000),
      date: Math.floor(now / 1000) * 1000,
      retryAfter: taken.allowed ? null : Math.ceil(taken.retryAfter / 1000),
    };
    const lost = random() * 1000 < LOST_OF_1000;
    await pause(20 + random() * 80);
    const { endpoint } = call;
    if (lost) throw new ServiceError('unavailable', { endpoint, sent: 'maybe', transient: true });
    if (!taken.allowed) throw new ServiceError('over-budget', { endpoint, sent: 'yes', rate });
    return { body: null, asOf: now, stale: null, rate };
  };

  const runner = setting.strategy(time, { requests: LIMIT, windowMs: WINDOW_MS });
  let process = runner.start(transport);
  let questions = 0;

  async function ask(priority: Priority): Promise<boolean> {
    const since = time.elapsed;
    asked[priority] += 1;
    questions += 1;
    try {
      await process.layer(callFor(`question ${questions}`, priority));
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
    answered[priority] += 1;
    if (priority === 'interactive' && time.elapsed - since <= QUICK_MS) quick += 1;
    return true;
  }

  async function crowd(): Promise<void> {
    const since = time.elapsed;
    const all = await Promise.all(Array.from({ length: load.crowd }, () => ask('interactive')));
    if (all.every(Boolean)) crowds.push(time.elapsed - since);
    else crowds.push(Number.POSITIVE_INFINITY);
  }

  const failures: unknown[] = [];
  const start = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => failures.push(error));
  };
  const repeat = (next: () => number, event: () => void): void => {
    const again = (): void => {
      time.clock.after(next(), () => {
        event();
        again();
      });
    };
    again();
  };

  if (load.people > 0)
    repeat(
      () => exponential(load.people),
      () => start(ask('interactive')),
    );
  if (load.pollers > 0)
    repeat(
      () => HOUR_MS / load.pollers,
      () => start(ask('background')),
    );
  for (let sent = 0; sent < (load.othersBefore ?? 0); sent += 1)
    window.take(time.clock.now() - 60_000 + Math.round((60_000 * sent) / LIMIT));
  if (load.others > 0)
    repeat(
      () => exponential(load.others),
      () => void window.take(time.clock.now()),
    );
  if (load.crowd > 0) start(crowd());
  if (setting.restarts > 0) {
    repeat(
      () => DOWN_MS + exponential(setting.restarts),
      () => {
        process.kill();
        process = {
          layer: () => Promise.reject(new ServiceError('unavailable', { endpoint: 'down', sent: 'no' })),
          kill: () => {},
        };
        time.clock.after(DOWN_MS, () => {
          process = runner.start(transport);
          if (load.crowd > 0) start(crowd());
        });
      },
    );
  }
  await time.pass(hours * HOUR_MS);
  runner.close();
  if (failures.length > 0) throw failures[0];
  return {
    refused,
    refusedProbes,
    quick: asked.interactive === 0 ? 1 : quick / asked.interactive,
    used: served / (LIMIT * hours),
    most: mostWithin(arrivals, WINDOW_MS),
    crowdMs: Math.max(0, ...crowds),
    asked,
    answered,
  };
}

/** As long as one answer may close the key by itself. */
const PROBE_AFTER_MS = 60_000;

/**
 * Tells a permitted probe from a mistake, by the server's view alone: the last answer had nothing left, nothing came for
 * a minute, and no probe was refused before the reset that answer stated.
 */
function createProbeJudge(): (at: number, taken: Taken) => boolean {
  let last: { readonly at: number; readonly taken: Taken } | null = null;
  let probedUntil = Number.NEGATIVE_INFINITY;
  return (at, taken) => {
    const previous = last;
    last = { at, taken };
    if (previous === null || taken.allowed || previous.taken.remaining > FEW || !previous.taken.allowed)
      return false;
    if (at - previous.at < PROBE_AFTER_MS || previous.taken.reset <= probedUntil) return false;
    probedUntil = previous.taken.reset;
    return true;
  };
}

function callFor(cacheKey: string, priority: Priority): Call {
  return {
    endpoint: 'simulated',
    cacheKey,
    path: [],
    query: {},
    keyed: true,
    asksByName: false,
    priority,
    maxAge: 0,
    pickUsedPart: (body) => body,
    trueAt: () => null,
  };
}

/** The largest number of `times` (ascending) within any span of `ms`. */
export function mostWithin(times: readonly number[], ms: number): number {
  let most = 0;
  let first = 0;
  for (const [index, at] of times.entries()) {
    while ((times[first] ?? at) <= at - ms) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** A small seeded generator of numbers from 0 to 1. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
