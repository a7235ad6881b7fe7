import type { CustomId } from '../kit/custom-id.ts';
import { orders } from '../profile/garage-action.ts';

/** The lists of cars that a car can be opened from: the view of a profile, and `/garage` in each of its orders. */
export const garages = ['profile', ...orders] as const;

/** The page of a garage from which a car was opened. */
export interface GaragePage {
  readonly garage: (typeof garages)[number];
  /** From 0. */
  readonly page: number;
  /** Whose garage it is; the car may have another owner by now. */
  readonly username: string;
}

/** A menu of cars; the VIN is its choice. */
export function openFrom({ garage, page, username }: GaragePage): CustomId {
  return { command: 'car', action: `open${garage}`, number: page, subject: username };
}

/** The same car again. A VIN has five letters, so the name begins after them: 100 characters with the longest. */
export function seenFrom(vin: string, { garage, page, username }: GaragePage): CustomId {
  return { command: 'car', action: `in${garage}`, number: page, subject: vin + username };
}

export function readSeen(subject: string): { readonly vin: string; readonly username: string } {
  return { vin: subject.slice(0, VIN), username: subject.slice(VIN) };
}

const VIN = 5;

/** The button that leads back to that very page. */
export function backTo({ garage, page, username }: GaragePage): CustomId {
  return garage === 'profile'
    ? { command: 'profile', action: 'garage', number: page, subject: username }
    : { command: 'garage', action: garage, number: page, subject: username };
}
