import { MINUTE } from '../../base/duration.ts';

/**
 * A file is written every second. One that moves on with time and yet is older than this, or from the future, comes from
 * a machine whose clock, or time zone, is not the one of the web server.
 */
const WRONG = { behind: 10 * MINUTE, ahead: 5000 };
/** How far the file may move by more or less than the time that has passed, in ms. */
const TOLERANCE = 5000;

/**
 * How old a file is, in ms, as far as the clock can be trusted by which it states its time. `stated`: that time; `age`: by
 * how much it lies before the answer's `Date`. All in ms; `now` by our clock. The files are few: the service has four.
 */
export function createFileClocks() {
  const files = new Map<string, { readonly stated: number; readonly at: number; readonly off: number }>();
  return (file: string, stated: number, age: number, now: number): number => {
    const last = files.get(file);
    // It stands still, so that its age grows.
    if (stated === last?.stated) return age - last.off;
    const runs =
      last !== undefined &&
      stated > last.stated &&
      Math.abs(stated - last.stated - (now - last.at)) <= TOLERANCE;
    const off = runs && (age > WRONG.behind || age < -WRONG.ahead) ? age : 0;
    files.set(file, { stated, at: now, off });
    return age - off;
  };
}
