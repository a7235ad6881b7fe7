type Check =
  | 'settings'
  | 'store'
  | 'http'
  | 'token'
  | 'logins'
  | 'shards'
  | 'servers'
  | 'own accounts'
  | 'commands'
  | 'boards'
  | 'service'
  | 'key'
  | 'chat status'
  | 'clock';

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

/** Of what stops the bot: the part after the first semicolon says what to do. */
export function troubled(check: Check, trouble: string): Finding {
  const [says = trouble, ...todo] = trouble.split('; ');
  const does = todo.join('; ');
  if (does === '') return failed(check, trouble, 'See STORE_URL in deploy/README.md.');
  return failed(check, says, `${does.slice(0, 1).toUpperCase()}${does.slice(1)}.`);
}
