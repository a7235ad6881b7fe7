import type { Config } from '../base/config.ts';
import { MINUTE } from '../base/duration.ts';
import { every } from '../base/every.ts';
import type { Runtime } from '../base/runtime.ts';
import { patiently } from '../store/patiently.ts';
import { createHiddenDrivers, type HiddenDrivers } from './hidden-drivers.ts';
import type { Links } from './links.ts';

/** In ms: another process may have hidden a driver. */
const REFRESH_EVERY = MINUTE;

/** Resolves once it is known which drivers are hidden; a store may be away for a moment until then. */
export async function openHiddenDrivers(
  drivers: Config['drivers'],
  links: Pick<Links, 'linked' | 'wish'>,
  { clock, log, resources }: Runtime,
): Promise<HiddenDrivers> {
  const hidden = createHiddenDrivers(links, drivers, clock);
  await patiently(hidden.refresh, {
    clock,
    waiting: (error) => log.warn({ err: error }, 'waiting for the store, which knows the hidden drivers'),
  });
  const failed = (error: unknown): void => log.warn({ err: error }, 'hidden drivers unreadable');
  resources.defer(every(clock, REFRESH_EVERY, hidden.refresh, failed).stop);
  return hidden;
}
