/** Reports several failures in a row once, and their end once. */
export function createOutage(
  onBegin: (error: unknown) => void,
  onEnd: () => void = () => {},
): {
  /** Records a failure; calls `onBegin` for the first of several in a row. */
  failed(error: unknown): void;
  /** Records a success; calls `onEnd` if the last record was a failure. */
  worked(): void;
  /** Returns the result of the operation or, if it fails, of `otherwise`. */
  attempt<Result, Else>(
    operation: () => Promise<Result>,
    otherwise: (error: unknown) => Else,
  ): Promise<Result | Else>;
} {
  let isFailing = false;

  function failed(error: unknown): void {
    if (!isFailing) onBegin(error);
    isFailing = true;
  }

  function worked(): void {
    if (isFailing) onEnd();
    isFailing = false;
  }

  return {
    failed,
    worked,
    async attempt(operation, otherwise) {
      try {
        const result = await operation();
        worked();
        return result;
      } catch (error) {
        failed(error);
        return otherwise(error);
      }
    },
  };
}

/** Returns the work, whose failure becomes the result of `otherwise`. `onFailure` is called once for several failures in a row. */
export function contain<Args extends readonly unknown[], Result, Else>(
  work: (...args: Args) => Result | Promise<Result>,
  onFailure: (error: unknown) => void,
  otherwise: () => Else,
): (...args: Args) => Promise<Result | Else> {
  const outage = createOutage(onFailure);
  return (...args) => outage.attempt(async () => work(...args), otherwise);
}
