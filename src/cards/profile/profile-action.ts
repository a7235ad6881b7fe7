/** The views of a driver, in the order of their buttons; each is an action of the command. */
export const views = ['overview', 'record', 'licences', 'garage', 'properties'] as const;
export type View = (typeof views)[number];

/** A position in a profile. */
export interface Place {
  readonly view: View;
  /** The garage's page, from 0; null for its first page and for the other views. */
  readonly page: number | null;
}
