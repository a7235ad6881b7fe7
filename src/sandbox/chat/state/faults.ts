/** Switchable faults, by name. Lasting ones are checked where they apply; one-time ones happen when set. */

/** In the page's order; `page/client/fault-words.ts` says what each does. */
const NAMES = [
  'rest-500',
  'rest-slow',
  'rest-lost',
  'rate-limited',
  'read-500',
  'read-unanswered',
  'post-500-after-create',
  'post-502-after-create',
  'post-lost',
  'post-unanswered',
  'upload-refused',
  'answer-lost',
  'answer-500',
  'direct-closed',
  'publish-429',
  'publish-500',
  'edit-30046',
  'late-interactions',
  'guild-unavailable',
  'gateway-drop',
  'gateway-reconnect',
  'gateway-invalid',
] as const;

export type FaultName = (typeof NAMES)[number];

/** One-time faults: they happen when set. */
const ONCE: ReadonlySet<FaultName> = new Set(['gateway-drop', 'gateway-reconnect', 'gateway-invalid']);

export interface Faults {
  /** `once`: it happens when set, and never stays on. */
  readonly all: readonly { readonly name: FaultName; readonly on: boolean; readonly once: boolean }[];
  /** Throws for an unknown name. With `times`, it ends after that many occurrences. */
  set(name: string, on: boolean, times?: number): void;
  /** Whether it occurs now; counts down a limited one. */
  strikes(name: FaultName): boolean;
  isOn(name: FaultName): boolean;
}

/** `changed` is called for every fault that begins, ends or happens once. */
export function createFaults(changed: (name: FaultName, on: boolean) => void): Faults {
  const active = new Map<FaultName, number>();

  function end(name: FaultName): void {
    if (active.delete(name)) changed(name, false);
  }

  return {
    get all() {
      return NAMES.map((name) => ({ name, on: active.has(name), once: ONCE.has(name) }));
    },
    set(name, on, times = Number.POSITIVE_INFINITY) {
      if (!isFaultName(name)) throw new Error(`no fault is called ${name}; there are ${NAMES.join(', ')}`);
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
  return NAMES.some((one) => one === name);
}
