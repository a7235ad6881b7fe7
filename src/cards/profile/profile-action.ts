/** The views of a driver, in the order of their buttons; each is an action of the command. */
export const views = ['overview', 'record', 'licences', 'properties'] as const;
export type View = (typeof views)[number];
