import { placeKey, type Watch } from '../service/models/watch.ts';
import { type DeliverParts, pausePlace } from './deliver.ts';

interface PauseGoneParts extends Pick<DeliverParts, 'watches' | 'pauseNotices' | 'now'> {
  /** Whether this process knows that the channel is gone, or that the bot is no longer in its guild. */
  readonly isGone: (guildId: string, channelId: string) => boolean;
}

/**
 * Pauses the alerts of channels that are gone: what they look up would go on for ever. To be called now and then by every
 * process, since each knows its own guilds, and a channel or a guild may have gone while none was running.
 */
export async function pauseGone(parts: PauseGoneParts): Promise<void> {
  const isGone = ({ place, paused, once }: Watch): boolean =>
    place.kind === 'channel' && paused === null && once === null && parts.isGone(place.guild, place.channel);
  const places = new Set((await parts.watches.all()).filter(isGone).map(placeKey));
  for (const place of places) await pausePlace(place, 'gone', parts);
}
