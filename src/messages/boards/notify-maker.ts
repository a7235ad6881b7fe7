import type { Outbox } from '../outbox/outbox.ts';
import type { BoardChannels } from './channels.ts';

/** Notifies the creator of a board by direct message. A message that was certainly not sent is tried again for a day. */
export function createMakerNotices({ send }: Pick<Outbox, 'send'>): BoardChannels['notify'] {
  return async (personId, content, key) => {
    const outcome = await send({ kind: 'board-notice', key, to: { kind: 'direct', personId }, content });
    if (outcome === 'lost') return { kind: 'lost', why: 'the store' };
    if (outcome === 'perhaps-sent') return { kind: 'lost', why: 'an unknown answer' };
    const isRefused = outcome === 'closed' || outcome === 'gone' || outcome === 'rights';
    return isRefused ? { kind: 'forbidden' } : { kind: 'ok' };
  };
}
