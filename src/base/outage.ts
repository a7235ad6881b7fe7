/** Something that fails for a while is worth one report, and not one for each failure. */
export function createOutage(
  began: (error: unknown) => void,
  ended: () => void = () => {},
): {
  /** `began` is called for the first of several failures in a row. */
  failed(error: unknown): void;
  /** `ended` is called where it had failed before. */
  worked(): void;
} {
  let isFailing = false;
  return {
    failed(error) {
      if (!isFailing) began(error);
      isFailing = true;
    },
    worked() {
      if (isFailing) ended();
      isFailing = false;
    },
  };
}
