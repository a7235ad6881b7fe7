/** What the cars of a garage can be sorted by, in the order of the menu. */
export const orders = ['condition', 'km', 'model'] as const;
export type Order = (typeof orders)[number];

/** Where in a garage somebody is, or wants to go. */
export interface GaragePlace {
  readonly order: Order;
  /** From 0. */
  readonly page: number;
}

function isOrder(word: string | undefined): word is Order {
  return orders.some((order) => order === word);
}

/** The action of a custom id: `km-2`, `refresh-km-2`. */
export function writeGarageAction({ order, page }: GaragePlace, refresh = false): string {
  return `${refresh ? 'refresh-' : ''}${order}-${page}`;
}

/** What was picked in the menu of orders, or null for what no card wrote. */
export function readOrder(value: string | undefined): GaragePlace | null {
  return isOrder(value) ? { order: value, page: 0 } : null;
}

/** Null for what no card wrote. */
export function readGarageAction(action: string): (GaragePlace & { readonly refresh: boolean }) | null {
  const match = /^(?<refresh>refresh-)?(?<order>[a-z]+)-(?<page>\d{1,4})$/.exec(action)?.groups;
  const place = readOrder(match?.['order']);
  if (place === null) return null;
  return { ...place, page: Number(match?.['page']), refresh: match?.['refresh'] !== undefined };
}
