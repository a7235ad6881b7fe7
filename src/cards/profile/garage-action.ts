/** The sort orders of a garage, as in the menu; each is an action of the command. */
export const orders = ['condition', 'km', 'model'] as const;
type Order = (typeof orders)[number];

/** A position in a garage. */
export interface GaragePlace {
  readonly order: Order;
  /** From 0. */
  readonly page: number;
}
