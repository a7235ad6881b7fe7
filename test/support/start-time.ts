import { onTestFinished } from 'vitest';
import { VirtualTime } from '../sim/virtual-time.ts';

let uninstall = (): void => {};

/** Puts the global timers on a new time until the test is over. An earlier one of the test stands still from now on. */
export function startTime(start: number): VirtualTime {
  uninstall();
  const time = new VirtualTime(start);
  uninstall = time.install();
  onTestFinished(() => uninstall());
  return time;
}
