/**
 * Whether the bot is alive and whether it is ready, from what it knows of itself.
 *
 * Whoever asks for liveness restarts a bot that is not alive, so only what a restart can mend counts: the connection
 * to Discord, the event loop, and that the data service is still being asked. What the data service answers counts
 * for readiness alone: while it is down, people are told so and boards show their age, and a restarted bot could do
 * no more.
 */
import type { Fault } from '../errors.ts';

export interface Vitals {
  /** The connections to Discord that this process runs, and how many of them are logged in. */
  readonly gateway: { readonly shards: number; readonly ready: number };
  /** In ms. */
  readonly eventLoopLag: number;
  /** The overview of the servers: it is polled all the time, and it needs the key. */
  readonly overview: {
    /** Milliseconds since it was last asked for, with or without success. */
    readonly sinceAsked: number;
    /** How old the newest answer is, in ms; null where there is none. */
    readonly age: number | null;
    readonly isFresh: boolean;
    readonly fault: Fault | null;
  };
  /** Whether the store answers. */
  readonly isStoreThere: boolean;
}

interface Check {
  readonly ok: boolean;
  readonly detail: string;
}

export interface Report {
  readonly status: 'ok' | 'failing';
  readonly checks: Readonly<Record<string, Check>>;
}

/** In ms. At this delay, replies miss the three seconds that Discord allows. */
const LAG = 1000;
/** In ms. Without budget, the overview is asked for every five minutes. */
const SILENCE = 10 * 60_000;

export const starting: Report = report({ start: { ok: false, detail: 'still starting' } });

export function liveness(vitals: Vitals): Report {
  return report(signsOfLife(vitals));
}

export function readiness(vitals: Vitals): Report {
  const { overview, isStoreThere } = vitals;
  return report({
    ...signsOfLife(vitals),
    data: { ok: overview.isFresh, detail: dataWords(overview) },
    store: { ok: isStoreThere, detail: isStoreThere ? 'answers' : 'does not answer' },
  });
}

function signsOfLife({ gateway: { shards, ready }, eventLoopLag, overview: { sinceAsked } }: Vitals) {
  return {
    gateway: { ok: shards > 0 && ready === shards, detail: `${ready} of ${shards} connections logged in` },
    'event-loop': { ok: eventLoopLag < LAG, detail: `late by ${Math.round(eventLoopLag)} ms at most` },
    polling: { ok: sinceAsked < SILENCE, detail: `data service asked ${seconds(sinceAsked)} ago` },
  };
}

function dataWords({ age, fault }: Vitals['overview']): string {
  const newest = age === null ? 'no answer yet' : `newest answer ${seconds(age)} old`;
  return fault === null ? newest : `${newest}; last one: ${fault}`;
}

function report(checks: Report['checks']): Report {
  return { status: Object.values(checks).every(({ ok }) => ok) ? 'ok' : 'failing', checks };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
