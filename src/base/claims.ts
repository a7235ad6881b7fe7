/** Claims end by themselves. Of all that ask for the same one at the same time, one gets it. */
export interface Claims {
  /** Takes it for so many ms. False: it is taken. */
  claim(key: string, ms: number): Promise<boolean>;
  /** To be called only where it was taken: it can be claimed again at once. */
  release(key: string): Promise<void>;
}
