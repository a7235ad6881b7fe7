/** Removes roles: no file outside the feature's folder shows them. */
export const removal = { edits: {} };
