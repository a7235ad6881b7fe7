/**
 * Liveness and readiness, from the bot's own state.
 *
 * An operator's system restarts a bot that is not alive, so only what a restart can fix counts: the connection to
 * Discord, the event loop, and that the data service is still being asked. Readiness adds the store. The data service's
 * answers count for neither: while it is down, people read that it is and boards show their age, and another process
 * could do no more. If a rollout waited for it, no mend could be rolled out.
 */
import { MINUTE } from '../../base/duration.ts';
import type { Sample } from './sample.ts';

interface HealthReport {
  readonly status: 'ok' | 'failing';
  readonly role: 'active' | 'standby';
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly detail: string }>>;
}

/** Delay at which replies miss the three seconds that Discord allows. */
const MAX_LAG_MS = 1000;
/** Longest time without an answer. Without budget, the overview is polled every five minutes. */
const MAX_SILENCE_MS = 10 * MINUTE;

const starting = { start: { ok: false, detail: 'still starting' } };

/** Reports a standby, while another process works: alive and ready while its event loop turns. */
export function reportStandby(eventLoopLag: number): HealthReport {
  const gateway = { ok: true, detail: 'stands by: another process works, or logins wait' };
  return { ...report({ gateway, 'event-loop': eventLoopSign(eventLoopLag) }), role: 'standby' };
}

/** `sample`: null during the start. `eventLoopLag` in ms. */
export function judgeLiveness(sample: Sample | null, eventLoopLag: number): HealthReport {
  return report(sample === null ? starting : signsOfLife(sample, eventLoopLag));
}

/** Judges whether the bot is ready to answer people. */
export function judgeReadiness(sample: Sample | null, eventLoopLag: number): HealthReport {
  if (sample === null) return report(starting);
  const { now, overview, budget, store } = sample;
  const { checks, ...judgement } = report({
    ...signsOfLife(sample, eventLoopLag),
    store: { ok: budget !== null && store.writes === null, detail: storeWords(sample) },
  });
  return {
    ...judgement,
    checks: { ...checks, data: { ok: overview.isFresh, detail: dataWords(overview, now) } },
  };
}

function signsOfLife(
  { gateway: { shards, ready }, sincePolled }: Sample,
  eventLoopLag: number,
): HealthReport['checks'] {
  return {
    gateway: {
      ok: shards > 0 && ready === shards,
      detail: `${ready} of ${shards} connections logged in`,
    },
    'event-loop': eventLoopSign(eventLoopLag),
    polling: { ok: sincePolled < MAX_SILENCE_MS, detail: `data service polled ${seconds(sincePolled)} ago` },
  };
}

function eventLoopSign(lag: number): HealthReport['checks'][string] {
  return {
    ok: lag < MAX_LAG_MS,
    detail: `late by ${Math.round(lag)} ms in two spans of ten seconds in a row`,
  };
}

/** A lost history is no reason to send people to another process. */
function storeWords({ budget, store: { writes, history } }: Sample): string {
  if (budget === null) return 'does not answer';
  const answers = writes === null ? 'answers' : `takes nothing new: ${writes}`;
  return history === null ? answers : `${answers}; without history: ${history}`;
}

function dataWords({ asOf, fault }: Sample['overview'], now: number): string {
  const newest = asOf === null ? 'no answer yet' : `newest answer ${seconds(now - asOf)} old`;
  return fault === null ? newest : `${newest}; the last call failed: ${fault}`;
}

function report(checks: HealthReport['checks']): HealthReport {
  const isOk = Object.values(checks).every(({ ok }) => ok);
  return { status: isOk ? 'ok' : 'failing', role: 'active', checks };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
