interface Point {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface Figure<Source> {
  /** By Prometheus's conventions: base units, and `_total` for what only grows, which is a counter; others are gauges. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** None where it is not known now. */
  readonly read: (source: Source) => readonly Point[];
}

export const one = (value: number | null): readonly Point[] => (value === null ? [] : [{ value }]);
export const inSeconds = (ms: number | null): readonly Point[] => one(ms === null ? null : ms / 1000);
