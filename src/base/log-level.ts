import type { Log } from './log.ts';

/** Levels that already log everything. */
const VERBOSE = ['debug', 'trace'];

/** Switches between the configured level and `debug`; from `debug` or `trace`, to `info` and back. */
export function createLevelSwitch(log: Log): () => void {
  const configured = log.level;
  const other = VERBOSE.includes(configured) ? 'info' : 'debug';
  return () => {
    const next = log.level === configured ? other : configured;
    // Said at the more verbose of the two, so that it is in the log.
    if (VERBOSE.includes(next)) log.level = next;
    log.info({ now: next }, 'log level');
    log.level = next;
  };
}
