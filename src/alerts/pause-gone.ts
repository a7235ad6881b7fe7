import { HOUR } from '../base/duration.ts';
import { placeKey, type Watch } from '../service/models/watch.ts';
import { type DeliverParts, pausePlace } from './deliver.ts';

interface PauseGoneParts extends Pick<DeliverParts, 'watches' | 'pauseNotices' | 'now'> {
  /** Whether this process knows that the channel is gone. */
  readonly isGone: (guildId: string, channelId: string) => boolean;
  /** When the bot joined, in unix milliseconds: later than ever where it is no member, 0 where that is not known. */
  readonly joinedAt: (guildId: string) => number;
}

/** By how much Discord's clock may be ahead of ours, in ms. */
const CLOCKS = HOUR;

/**
 * Pauses the alerts of channels that are gone, and removes those of guilds that have thrown the bot out since they were
 * made: what they look up would go on for ever. To be called now and then by every process, since each knows its own
 * guilds, and a channel or a guild may have gone while none was running.
 */
export async function pauseGone(parts: PauseGoneParts): Promise<void> {
  const since = Map.groupBy(await parts.watches.all(), ({ place }) =>
    place.kind === 'channel' ? place.guild : '',
  );
  for (const [guild, there] of since) {
    const stay = parts.joinedAt(guild) - CLOCKS;
    if (guild !== '' && there.some((watch) => watch.since < stay)) await parts.watches.removeIn(guild, stay);
  }
  const isGone = ({ place, paused, once }: Watch): boolean =>
    place.kind === 'channel' && paused === null && once === null && parts.isGone(place.guild, place.channel);
  const places = new Set((await parts.watches.all()).filter(isGone).map(placeKey));
  for (const place of places) await pausePlace(place, 'gone', parts);
}
