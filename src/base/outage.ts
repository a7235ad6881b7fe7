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
