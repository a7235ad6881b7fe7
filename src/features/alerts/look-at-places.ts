import { MINUTE } from '../../base/duration.ts';
import type { Runs } from '../../base/runs.ts';
import { type DeliverParts, pausePlace, refusedIn } from './deliver.ts';
import { placeKey } from './watch.ts';

/** How soon Discord is tried again where it refused although the rights looked right, in ms. */
const RETRY_INTERVAL_MS = 10 * MINUTE;

/**
 * Pauses the alerts of channels that are gone, and removes those of guilds that have thrown the bot out since they were
 * made: what they look up would go on for ever. Resumes those that wait for rights, once these are back. To be called
 * now and then by every process: each knows its own guilds, and a channel or a guild may have gone while none was
 * running. `changed`: the guilds in which rights may have changed since the last time.
 */
export function createLookAtPlaces(
  parts: Pick<DeliverParts, 'watches' | 'pauseNotices' | 'tell' | 'now' | 'access'> & {
    /** An alert from before then (unix milliseconds) is not of this stay of the bot. */
    readonly stayedSince: (guildId: string) => number;
    /** Nobody waits until the maker of another place's alerts is told. */
    readonly runs: Runs;
  },
): (changed: ReadonlySet<string>) => Promise<void> {
  const { watches, access, stayedSince, runs, now } = parts;
  async function endLeft(): Promise<void> {
    const inChannels = (await watches.all()).flatMap(({ place, since }) =>
      place.kind === 'channel' ? [{ guild: place.guild, since }] : [],
    );
    for (const [guild, there] of Map.groupBy(inChannels, (one) => one.guild)) {
      const stay = stayedSince(guild);
      if (there.some(({ since }) => since < stay)) await watches.removeIn(guild, stay);
    }
  }

  return async (changed) => {
    await endLeft();
    const all = (await watches.all()).filter(({ place, once }) => place.kind === 'channel' && once === null);
    const goneWatches = all.filter(
      ({ place, paused }) => paused === null && refusedIn(place, access)?.kind === 'unknown-channel',
    );
    for (const place of new Set(goneWatches.map(placeKey)))
      runs.start(`gone ${place}`, () => pausePlace(place, 'gone', parts));
    const mayWrite = all.filter(
      ({ place, paused }) =>
        paused?.why === 'rights' &&
        refusedIn(place, access) === null &&
        ((place.kind === 'channel' && changed.has(place.guild)) || now() - paused.since >= RETRY_INTERVAL_MS),
    );
    for (const watch of mayWrite) await watches.update(watch, (same) => ({ ...same, paused: null }));
  };
}
