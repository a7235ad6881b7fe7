/** Discord's ids: milliseconds since 2015, shifted by 22 bits; the lower bits count within the millisecond. */
const EPOCH = 1_420_070_400_000;
const SHIFT = 22n;

/** Creates strictly increasing ids with the time of `now` in unix milliseconds. */
export function createSnowflakes(now: () => number): () => string {
  let last = 0n;
  return () => {
    const here = firstSnowflake(now());
    last = here > last ? here : last + 1n;
    return String(last);
  };
}

/** The lowest id of a time in unix milliseconds. */
export function firstSnowflake(at: number): bigint {
  return BigInt(Math.max(0, Math.trunc(at) - EPOCH)) << SHIFT;
}

/** The creation time of an id in unix milliseconds. */
export function madeAt(id: string): number {
  return Number(BigInt(id) >> SHIFT) + EPOCH;
}

/** Whether a string can be an id at all. */
export function isSnowflake(text: string): boolean {
  return /^\d{1,20}$/.test(text);
}
