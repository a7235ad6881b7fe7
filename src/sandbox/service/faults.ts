export interface ServiceFault {
  readonly name: string;
  /** For the page. */
  readonly label: string;
  readonly on: boolean;
}

/** All faults, in the page's order. */
const labels = {
  down: 'Down: every address answers 503 with an HTML page',
  unreachable: 'Unreachable: connections are reset',
  slow: 'Slow: answers after ten seconds',
  html: 'HTML: a web page with status 200',
  'broken-json': 'Broken JSON: answers are cut in half',
  unauthorised: 'Unauthorised: the key is no longer accepted',
  'host-not-allowed': 'Host not allowed: the key is refused from this address',
  'over-limit': 'Over the limit: the key has no requests left',
  'frozen-clock': 'Frozen clock: the live files stand still',
  'later-generation': 'Later generation of the interface',
  'php-empties': 'Loose types: empty objects are [], numbers are text, booleans 0 and 1',
  'hostile-names': 'Hostile names: drivers and members are called what breaks a message',
} as const;
export type FaultName = keyof typeof labels;

export interface Faults {
  readonly list: readonly ServiceFault[];
  isOn(name: FaultName): boolean;
  /** Throws for an unknown name: a misspelt fault would test nothing. */
  set(name: string, on: boolean): void;
}

/** Those in `first` are on at first. */
export function createFaults(first: readonly FaultName[]): Faults {
  const switched = new Set<string>(first);
  return {
    get list() {
      return Object.entries(labels).map(([name, label]) => ({ name, label, on: switched.has(name) }));
    },
    isOn: (name) => switched.has(name),
    set(name, on) {
      if (!Object.hasOwn(labels, name)) throw new RangeError(`the data service has no fault named "${name}"`);
      if (on) switched.add(name);
      else switched.delete(name);
    },
  };
}
