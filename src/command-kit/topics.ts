/** Headings of `/help`. */

/** In the order in which they stand below each other. */
export const topics = ['drivers', 'servers', 'together', 'yours', 'guild', 'bot'] as const;

/** The heading below which a command stands; `guild` is for the administrators of the Discord server. */
export type Topic = (typeof topics)[number];
