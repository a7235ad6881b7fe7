/** Health and metrics over HTTP. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import manifest from '../../../package.json' with { type: 'json' };
import { type Clock, resolveWithin } from '../../base/clock.ts';
import type { ListenAddress } from '../../base/config/listen-address.ts';
import { SECOND } from '../../base/duration.ts';
import { createJob } from '../../base/job.ts';
import type { Runtime } from '../../base/runtime.ts';
import { judgeFreshness } from '../../service/models/dated.ts';
import type { Bot } from '../bot.ts';
import { judgeLiveness, judgeReadiness, reportStandby } from './health.ts';
import { createMetrics, type ProcessSample } from './metrics.ts';

import type { Sample } from './sample.ts';
import { type OperatorPage, servePages } from './server.ts';

/** Serves health and metrics until the end. */
export async function openOperator(address: ListenAddress, runtime: Runtime) {
  const { clock, log, resources } = runtime;
  const metrics = createMetrics();
  const loop = watchEventLoop(clock, metrics.delayed);
  resources.defer(loop.stop);
  const startedAt = clock.now() - process.uptime() * 1000;
  const noSample = async (): Promise<null> => null;
  let sample: () => Promise<Sample | null> = noSample;
  let isStandby = false;

  const health = async (judge: typeof judgeLiveness): Promise<OperatorPage> => {
    const report = isStandby
      ? reportStandby(loop.lastingDelay())
      : judge(await sample(), loop.lastingDelay());
    return {
      status: report.status === 'ok' ? 200 : 503,
      type: 'application/json',
      body: `${JSON.stringify(report, null, 2)}\n`,
    };
  };
  const processSample = (): ProcessSample => {
    const { user, system } = process.cpuUsage();
    const eventLoopLag = loop.longestDelay();
    const cpu = (user + system) / 1000;
    const memory = process.memoryUsage();
    return { version: manifest.version, startedAt, cpu, memory, eventLoopLag, isStandby };
  };
  const { port, close } = await servePages(
    address,
    {
      '/healthz': () => health(judgeLiveness),
      '/readyz': () => health(judgeReadiness),
      '/metrics': async () => ({
        status: 200,
        type: metrics.contentType,
        body: await metrics.text(await sample(), processSample()),
      }),
    },
    (error) => log.error({ err: error }, 'health or metrics failed'),
  );
  resources.defer(close);
  log.info({ host: address.host, port }, 'serving health and metrics');
  return {
    port,
    /** Counts an interaction. */
    count: metrics.count,
    /** From now on health is that of a standby, or that of a bot that starts. */
    standBy(whether: boolean): void {
      isStandby = whether;
      sample = noSample;
    },
    /** From now on health is that of this bot; before that, it is starting. */
    watch(bot: Parameters<typeof createSampler>[0]): void {
      sample = createSampler(bot, runtime);
    },
  };
}

/**
 * How often the delay is measured, in ms; the monitor reports it on top of this. Whatever blocks the loop for twice as
 * long is seen; of shorter blocks, as many as somebody who asks at any moment would meet.
 */
const RESOLUTION_MS = 20;
const SPAN_MS = 10 * SECOND;

/** `delayed` is told every ten seconds how late the loop was in them. */
export function watchEventLoop(
  clock: Clock,
  delayed: ReturnType<typeof createMetrics>['delayed'],
): {
  /** The longest delay of the last ten to twenty seconds, in ms. */
  readonly longestDelay: () => number;
  /** The same of the better of two spans of ten seconds: a start, or work that comes once, is over in the other one. */
  readonly lastingDelay: () => number;
  stop(): void;
} {
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  monitor.enable();
  let lastLongest = 0;
  const current = (): number => Math.max(0, monitor.max / 1e6 - RESOLUTION_MS);
  const report = createJob(clock, SPAN_MS, async () => {
    lastLongest = current();
    const { count } = monitor;
    const delayAt = (rank: number): number => monitor.percentile((100 * rank) / count) / 1e6 - RESOLUTION_MS;
    delayed({
      count,
      longestMs: lastLongest,
      atMost: (ms) => (lastLongest <= ms ? count : lastRank(count, delayAt, ms)),
    });
    monitor.reset();
  });
  void report.start(SPAN_MS);
  return {
    longestDelay: () => Math.max(lastLongest, current()),
    lastingDelay: () => Math.min(lastLongest, current()),
    stop() {
      void report.stop();
      monitor.disable();
    },
  };
}

/** The last of so many values in ascending order, counted from 1, that is not above the limit; 0 if all are. */
function lastRank(count: number, valueAt: (rank: number) => number, limit: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (valueAt(middle) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Longest check of the store, for which a request for the health waits. */
const STORE_TIMEOUT_MS = 1000;

/** Takes a sample at each call. */
function createSampler(
  bot: Pick<Bot, 'store' | 'storeHealth' | 'dataService' | 'connection' | 'shards' | 'boards' | 'outbox'>,
  { clock, resources }: Runtime,
): () => Promise<Sample> {
  const { store, storeHealth, dataService, connection, shards, boards, outbox } = bot;
  const { ledger, poll, calls } = dataService;
  let polledAt = clock.monotonic();
  const polled = (): void => {
    polledAt = clock.monotonic();
  };
  resources.defer(poll.watch(['overview'], polled));
  return async () => {
    const budget = await resolveWithin(ledger.snapshot(), STORE_TIMEOUT_MS, clock).catch(() => null);
    const now = clock.now();
    const { overview } = poll.facts;
    return {
      now,
      budget,
      store: storeHealth(),
      copyAge: store.copies && Math.max(0, now - (store.copies.newestDay() ?? Number.NEGATIVE_INFINITY)),
      messages: outbox.outcomes,
      requests: connection.requests.results,
      gateway: {
        ...connection.gatewayState(),
        latency: connection.latency(),
        clockSkew: connection.clockSkew(),
        ownShards: shards.count(),
      },
      calls: { counts: calls.counts(), cache: calls.cache() },
      boards: { statuses: boards.statuses(), writes: boards.writes },
      sincePolled: clock.monotonic() - polledAt,
      overview: {
        asOf: overview?.asOf ?? null,
        isFresh: overview !== null && judgeFreshness(overview, 'polled', now) === 'live',
        fault: calls.faultOf('overview'),
      },
    };
  };
}
