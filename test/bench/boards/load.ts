/** What is measured at once. */
export interface Load {
  readonly boards: number;
  /** How many of them show what changes every few seconds; the others stand still. */
  readonly changing: number;
  readonly processes: number;
}

/** `10000`, `2500:300` (of which 300 change), `10000/4` (in four processes). */
export function loadNamed(name: string): Load {
  const [, boards, changing = boards, processes = 1] = /^(\d+)(?::(\d+))?(?:\/(\d+))?$/.exec(name) ?? [];
  if (boards === undefined) throw new Error(`${name} is no load: 10000, 2500:300, 10000/4`);
  return { boards: Number(boards), changing: Number(changing), processes: Number(processes) };
}
