/** Switchable faults, by name. Lasting ones are checked where they apply; one-time ones happen when set. */

/** Name → label on the page. */
const LABELS = {
  'rest-500': 'Every request answers 500',
  'rest-slow': 'Every answer takes 2 seconds',
  'rest-lost': 'Every request ends in a closed connection',
  'rate-limited': 'Every request answers 429',
  'read-500': 'Reading messages answers 500',
  'read-unanswered': 'Reading messages is never answered',
  'post-500-after-create': 'A message is sent, the answer is 500',
  'post-502-after-create': 'A message is sent, the answer is 502',
  'post-lost': 'A message is sent, the connection closes before the answer',
  'post-unanswered': 'A message is sent, the answer never comes',
  'upload-refused': 'Every upload of a file is refused as too large',
  'answer-lost': 'A command is answered, the connection closes before the answer to that',
  'direct-closed': 'People have closed their direct messages to the bot',
  'publish-429': 'Publishing commands answers 429, to be tried again in a day',
  'publish-500': 'Publishing commands answers 500',
  'edit-30046': 'Every edit answers 30046 (message older than an hour)',
  'late-interactions': 'Commands reach the bot after 3.5 seconds',
  'guild-unavailable': 'The guild is unavailable',
  'gateway-drop': 'Cut the live connection once (it can resume)',
  'gateway-reconnect': 'Ask for a new live connection once',
  'gateway-invalid': 'Cut the live connection once and forget the session',
} as const;

export type FaultName = keyof typeof LABELS;

/** One-time faults: they happen when set. */
const ONCE: ReadonlySet<FaultName> = new Set(['gateway-drop', 'gateway-reconnect', 'gateway-invalid']);

export interface Faults {
  readonly all: readonly { readonly name: FaultName; readonly label: string; readonly on: boolean }[];
  /** Throws for an unknown name. With `times`, it ends after that many occurrences. */
  set(name: string, on: boolean, times?: number): void;
  /** Whether it occurs now; counts down a limited one. */
  strikes(name: FaultName): boolean;
  isOn(name: FaultName): boolean;
}

/** `changed` is called for every fault that begins, ends or happens once. */
export function createFaults(changed: (name: FaultName, on: boolean) => void): Faults {
  const active = new Map<FaultName, number>();
  const names = Object.keys(LABELS).filter(isFaultName);

  function end(name: FaultName): void {
    if (active.delete(name)) changed(name, false);
  }

  return {
    get all() {
      return names.map((name) => ({ name, label: LABELS[name], on: active.has(name) }));
    },
    set(name, on, times = Number.POSITIVE_INFINITY) {
      if (!isFaultName(name)) throw new Error(`no fault is called ${name}; there are ${names.join(', ')}`);
      if (!on) return end(name);
      if (!ONCE.has(name)) active.set(name, times);
      changed(name, true);
    },
    strikes(name) {
      const left = active.get(name);
      if (left === undefined) return false;
      if (left <= 1) end(name);
      else active.set(name, left - 1);
      return true;
    },
    isOn: (name) => active.has(name),
  };
}

function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(LABELS, name);
}
