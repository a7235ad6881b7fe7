/** Exclusive claims that expire. If several callers claim the same key at once, exactly one gets it. */
export interface Claims {
  /** Takes the claim for so many ms. False: another caller holds it. */
  claim(key: string, ms: number): Promise<boolean>;
  /** Ends a claim that the caller holds, so that it can be claimed again at once. */
  release(key: string): Promise<void>;
}
