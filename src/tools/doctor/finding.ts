/** What the doctor looks at, in the order of its report. */
export const CHECKS = [
  'settings',
  'store',
  'token',
  'intents',
  'logins',
  'shards',
  'servers',
  'own accounts',
  'commands',
  'boards',
  'service',
  'key',
  'chat status',
  'clock',
] as const;
export type Check = (typeof CHECKS)[number];

/** `warning`: the bot works, but not as it should. `failed`: it does not start, or people see the fault. */
export interface Finding {
  readonly check: Check;
  readonly verdict: 'ok' | 'warning' | 'failed';
  /** What was found. */
  readonly says: string;
  /** What to do; null where nothing is to be done. */
  readonly todo: string | null;
}

export function ok(check: Check, says: string): Finding {
  return { check, verdict: 'ok', says, todo: null };
}

export function warning(check: Check, says: string, todo: string): Finding {
  return { check, verdict: 'warning', says, todo };
}

export function failed(check: Check, says: string, todo: string): Finding {
  return { check, verdict: 'failed', says, todo };
}
