/** Time as the boards see it, passed in so that a day can run in seconds. */
export interface BoardClock {
  /** Wall-clock time in unix milliseconds. */
  now(): number;
  /** Milliseconds that only grow, whatever is done to the wall clock. */
  monotonic(): number;
  /** Calls back once after `ms` milliseconds; what it returns cancels that. */
  after(ms: number, callback: () => void): () => void;
}
