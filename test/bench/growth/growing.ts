/** Of all guilds, boards, alerts … together, by what it is. */
export type Costs = Readonly<Record<string, number>>;

/** Something that there can be a hundred times of. */
export interface Growing {
  readonly sizes: readonly number[];
  readonly measure: (size: number) => Promise<Costs>;
  /** In this process: measured again and again for some seconds, after once to compile it. */
  readonly here?: true;
}
