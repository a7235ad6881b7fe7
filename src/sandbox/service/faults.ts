export interface ServiceFault {
  readonly name: FaultName;
  readonly on: boolean;
}

/** In the page's order; `page/client/fault-words.ts` says what each does. */
const names = [
  'down',
  'unreachable',
  'slow',
  'html',
  'broken-json',
  'unauthorised',
  'host-not-allowed',
  'over-limit',
  'widget-off',
  'frozen-clock',
  'later-generation',
  'php-empties',
  'hostile-names',
] as const;
export type FaultName = (typeof names)[number];

export interface Faults {
  readonly list: readonly ServiceFault[];
  isOn(name: FaultName): boolean;
  /** Throws for an unknown name: a misspelt fault would test nothing. */
  set(name: string, on: boolean): void;
}

/** The faults in `first` are on from the start. */
export function createFaults(first: readonly FaultName[]): Faults {
  const switched = new Set<string>(first);
  return {
    get list() {
      return names.map((name) => ({ name, on: switched.has(name) }));
    },
    isOn: (name) => switched.has(name),
    set(name, on) {
      if (!names.some((one) => one === name))
        throw new RangeError(`the data service has no fault named "${name}"`);
      if (on) switched.add(name);
      else switched.delete(name);
    },
  };
}
