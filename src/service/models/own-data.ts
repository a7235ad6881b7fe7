/** History of the driver whom a person has linked. */
export interface OwnHistory {
  readonly username: string;
  /**
   * Why it outlasts the account's data: the link is young, until then (unix milliseconds), or the operator has decided that
   * nobody can hide or delete this driver. Null: it can be deleted.
   */
  readonly kept: { readonly why: 'young'; readonly until: number } | { readonly why: 'operator' } | null;
}

/** The result of a deletion. */
export interface Forgotten {
  /** The files that could not be changed. */
  readonly left: readonly string[];
  /** The driver whose history is still there; null: there is none. */
  readonly kept: { readonly username: string; readonly isFixed: boolean } | null;
}
