import type { CustomId } from '../kit/custom-id.ts';

/** The sort orders of a garage, as in the menu; each is an action of the command. */
export const orders = ['condition', 'km', 'model'] as const;

/** The page of a garage from which a car was opened. */
export interface GaragePage {
  readonly order: (typeof orders)[number];
  /** From 0. */
  readonly page: number;
  /** Owner of the garage; the car may have another owner by now. */
  readonly username: string;
}

/** Returns the id that opens the car again. A VIN has five letters, so the name begins after them: at most 100 characters. */
export function writeCarId(vin: string, { order, page, username }: GaragePage): CustomId {
  return { command: 'car', action: `in${order}`, number: page, subject: vin + username };
}

export function readSeen(subject: string) {
  return { vin: subject.slice(0, VIN_LENGTH), username: subject.slice(VIN_LENGTH) };
}

const VIN_LENGTH = 5;

/** The button that leads back to that very page. */
export function backTo({ order, page, username }: GaragePage): CustomId {
  return { command: 'garage', action: order, number: page, subject: username };
}
