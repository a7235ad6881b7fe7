import { onTestFinished } from 'vitest';

/**
 * Lets `performance.now` tell this time to the end of the test. A spy would not do: Vitest keeps one that a test's own time has
 * replaced meanwhile, and whoever restores all spies brings its time back for the files after it.
 */
export function tellTime(now: () => number): void {
  const { now: before } = performance;
  performance.now = now;
  onTestFinished(() => {
    if (performance.now === now) performance.now = before;
  });
}
