/** Health and metrics over HTTP. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../../base/clock.ts';
import type { ListenAddress } from '../../base/config/listen-address.ts';
import { SECOND } from '../../base/duration.ts';
import { every } from '../../base/every.ts';
import { liveness, type Report, readiness, starting } from './health.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { ProcessSample } from './process-figures.ts';
import type { Sample } from './sample.ts';
import { type Page, type PageServer, servePages } from './server.ts';

export interface Operator extends PageServer {
  /** Counts an interaction. */
  readonly count: Metrics['count'];
  /** From now on it is about the parts that this asks; before that, the bot is starting. */
  watch(sample: () => Promise<Sample>): void;
}

interface OperatorParts {
  readonly clock: Clock;
  readonly version: string;
  /** A bug; what was asked for is answered with 500. */
  readonly failed: (error: unknown) => void;
}

export async function openOperator(
  address: ListenAddress,
  { clock, version, failed }: OperatorParts,
): Promise<Operator> {
  const metrics = createMetrics();
  const lag = watchEventLoopLag(clock);
  const startedAt = clock.now() - process.uptime() * 1000;
  let sample = async (): Promise<Sample | null> => null;

  const health = async (judge: (known: Sample, eventLoopLag: number) => Report): Promise<Page> => {
    const known = await sample();
    return reportPage(known === null ? starting : judge(known, lag.longest()));
  };
  const processSample = (): ProcessSample => {
    const { user, system } = process.cpuUsage();
    const eventLoopLag = lag.longest();
    return { version, startedAt, cpu: (user + system) / 1000, memory: process.memoryUsage(), eventLoopLag };
  };
  const server = await servePages(
    address,
    {
      '/healthz': () => health(liveness),
      '/readyz': () => health(readiness),
      '/metrics': async () => ({
        status: 200,
        type: metrics.contentType,
        body: await metrics.text(await sample(), processSample()),
      }),
    },
    failed,
  );
  return {
    ...server,
    count: metrics.count,
    watch(newSample) {
      sample = newSample;
    },
    async close() {
      lag.stop();
      await server.close();
    },
  };
}

function reportPage(report: Report): Page {
  return {
    status: report.status === 'ok' ? 200 : 503,
    type: 'application/json',
    body: `${JSON.stringify(report, null, 2)}\n`,
  };
}

interface EventLoopLag {
  /** The longest delay of the last ten to twenty seconds, in ms. */
  readonly longest: () => number;
  stop(): void;
}

/** How often the delay is measured, in ms; the monitor reports it on top of this. */
const RESOLUTION = 50;
const SPAN = 10 * SECOND;

export function watchEventLoopLag(clock: Clock): EventLoopLag {
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION });
  monitor.enable();
  let before = 0;
  const current = (): number => Math.max(0, monitor.max / 1e6 - RESOLUTION);
  const turning = every(clock, SPAN, async () => {
    before = current();
    monitor.reset();
  });
  return {
    longest: () => Math.max(before, current()),
    stop() {
      void turning.stop();
      monitor.disable();
    },
  };
}
