/** What the cars of a garage can be sorted by, in the order of the menu; each is an action of the command. */
export const orders = ['condition', 'km', 'model'] as const;
export type Order = (typeof orders)[number];

/** Where in a garage somebody is, or wants to go. */
export interface GaragePlace {
  readonly order: Order;
  /** From 0. */
  readonly page: number;
}
