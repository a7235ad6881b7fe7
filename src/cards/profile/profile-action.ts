/** The views of a driver, in the order of their buttons; each is an action of the command. */
export const views = ['overview', 'record', 'licences', 'garage', 'properties'] as const;
export type View = (typeof views)[number];

/** Where in a profile somebody is, or wants to go. */
export interface Place {
  readonly view: View;
  /** Of the garage, from 0; null for its beginning and for the other views. */
  readonly page: number | null;
}
