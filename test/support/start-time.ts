import { onTestFinished } from 'vitest';
import { VirtualTime } from '../sim/virtual-time.ts';

const installed = { uninstall: (): void => {} };

/** Puts the global timers on a new time until the test is over. An earlier one of the test stands still from now on. */
export function startTime(start: number): VirtualTime {
  installed.uninstall();
  const time = new VirtualTime(start);
  const uninstall = time.install();
  // Once: what it puts back may be another test's time by then.
  installed.uninstall = () => {
    installed.uninstall = () => {};
    uninstall();
  };
  onTestFinished(() => installed.uninstall());
  return time;
}
