/**
 * Requests that commands make of each feature, by its name. A feature adds its own by module augmentation, so that commands
 * name no feature that is not there.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface Features {}
