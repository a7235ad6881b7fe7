import { type Notices, noticePlace } from '../deliveries/notices.ts';
import type { BoardChannels } from './channels.ts';

/** Notifies the creator of a board by direct message. A message that was certainly not sent is tried again for a day. */
export function createMakerNotices(
  notices: Pick<Notices, 'send'>,
  now: () => number,
): BoardChannels['notify'] {
  return async (personId, content, key) => {
    const claim = { key, place: noticePlace(personId), watches: [key], at: now(), cooldown: 0, most: null };
    const message = { content, components: [] };
    try {
      const outcome = await notices.send({ to: { kind: 'direct', personId }, claim, message });
      if (outcome === 'perhaps-sent') return { kind: 'lost', why: 'an unknown answer' };
      const isRefused = outcome === 'closed' || outcome === 'gone' || outcome === 'rights';
      return isRefused ? { kind: 'forbidden' } : { kind: 'ok' };
    } catch {
      return { kind: 'lost', why: 'the store' };
    }
  };
}
