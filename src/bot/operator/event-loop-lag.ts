import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../../base/clock.ts';
import { SECOND } from '../../base/duration.ts';
import { every } from '../../base/every.ts';

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
