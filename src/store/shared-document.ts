/**
 * A text that several processes change in turn: read it, decide, and write the result unless another process was
 * faster. Rejects where the store fails; the write may have happened all the same.
 */
export interface SharedDocument {
  /** `now`: the store's clock, one for all processes (unix milliseconds). */
  read(): Promise<{ readonly text: string | null; readonly now: number }>;
  /** Writes `next` if the text is still `from`; false: it is not. */
  replace(from: string | null, next: string): Promise<boolean>;
}
