/** Something that fails for a while is worth one report, and not one for each failure. */
export function createOutage(
  began: (error: unknown) => void,
  ended: () => void = () => {},
): {
  /** `began` is called for the first of several failures in a row. */
  failed(error: unknown): void;
  /** `ended` is called where it had failed before. */
  worked(): void;
  /** The result of the operation, or of `otherwise` where it fails. */
  attempt<Result, Else>(
    operation: () => Promise<Result>,
    otherwise: (error: unknown) => Else,
  ): Promise<Result | Else>;
} {
  let isFailing = false;

  function failed(error: unknown): void {
    if (!isFailing) began(error);
    isFailing = true;
  }

  function worked(): void {
    if (isFailing) ended();
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
