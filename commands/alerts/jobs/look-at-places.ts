import { MINUTE } from '../../../src/base/duration.ts';
import type { Runs } from '../../../src/base/runs.ts';
import { placeKey } from '../models/watch.ts';
import { type DeliverParts, pausePlace, refusedIn } from './deliver.ts';

/** How soon Discord is tried again where it refused although the rights looked right, in ms. */
const RETRY_INTERVAL_MS = 10 * MINUTE;

/**
 * Pauses the alerts of channels that are gone, also with their guild: what they look up would go on for ever. Resumes those
 * whose channel is open again: the rights are back, or the bot is in the guild again. To be called now and then by every
 * process: each knows its own guilds, and a channel or a guild may have gone while none was running. `hasChanged`: whether
 * rights in a guild may have changed since the last time.
 */
export function createLookAtPlaces(
  parts: Pick<DeliverParts, 'watches' | 'pauseNotices' | 'tell' | 'now' | 'access'> & {
    /** Nobody waits until the maker of another place's alerts is told. */
    readonly runs: Runs;
  },
): (hasChanged: (guild: string) => boolean) => Promise<void> {
  const { watches, access, runs, now } = parts;

  return async (hasChanged) => {
    const all = (await watches.all()).filter(({ place, once }) => place.kind === 'channel' && once === null);
    const goneWatches = all.filter(
      ({ place, paused }) => paused === null && refusedIn(place, access)?.kind === 'unknown-channel',
    );
    for (const place of new Set(goneWatches.map(placeKey)))
      runs.start(`gone ${place}`, () => pausePlace(place, 'gone', parts));
    const mayWrite = all.filter(
      ({ place, paused }) =>
        (paused?.why === 'rights' || paused?.why === 'gone') &&
        refusedIn(place, access) === null &&
        ((place.kind === 'channel' && hasChanged(place.guild)) || now() - paused.since >= RETRY_INTERVAL_MS),
    );
    for (const watch of mayWrite) await watches.update(watch, (same) => ({ ...same, paused: null }));
  };
}
