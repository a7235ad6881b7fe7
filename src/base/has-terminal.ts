import { closeSync, openSync } from 'node:fs';

/**
 * Tells whether a terminal controls this process. Ask at the start: a closed terminal cannot be found any more. Windows
 * has none of this kind, and sends SIGHUP only when the console closes.
 */
export function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return process.platform === 'win32';
  }
}
