type Check =
  | 'node'
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
  /** The observation, in words. */
  readonly says: string;
  /** Remedy; null: nothing to do. */
  readonly todo: string | null;
}

export function passedFinding(check: Check, says: string): Finding {
  return { check, verdict: 'ok', says, todo: null };
}

export function warningFinding(check: Check, says: string, todo: string): Finding {
  return { check, verdict: 'warning', says, todo };
}

export function failedFinding(check: Check, says: string, todo: string): Finding {
  return { check, verdict: 'failed', says, todo };
}

/** Finding that stops the bot: the part after the first semicolon is the remedy. */
export function troubleFinding(check: Check, trouble: string): Finding {
  const [says = trouble, ...todo] = trouble.split('; ');
  const does = todo.join('; ');
  if (does === '') return failedFinding(check, trouble, 'See STORE_URL in deploy/README.md.');
  return failedFinding(check, says, `${does.slice(0, 1).toUpperCase()}${does.slice(1)}.`);
}
