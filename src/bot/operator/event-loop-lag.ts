import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface EventLoopLag {
  /** The longest delay of the last ten to twenty seconds, in ms. */
  readonly longest: () => number;
  stop(): void;
}

/** How often the delay is measured, in ms; the monitor reports it on top of this. */
const RESOLUTION = 50;
const SPAN = 10_000;

export function watchEventLoopLag(): EventLoopLag {
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION });
  monitor.enable();
  let before = 0;
  const current = (): number => Math.max(0, monitor.max / 1e6 - RESOLUTION);
  const turning = setInterval(() => {
    before = current();
    monitor.reset();
  }, SPAN);
  turning.unref();
  return {
    longest: () => Math.max(before, current()),
    stop() {
      clearInterval(turning);
      monitor.disable();
    },
  };
}
