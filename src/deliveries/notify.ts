/** Direct messages to people who have not asked for them. */
import { DAY } from '../base/duration.ts';
import type { Log } from '../base/log.ts';
import { type NoticeOutcome, type Notices, noticePlace } from './notices.ts';

export type Notify = ReturnType<typeof createNotifier>;

/**
 * Sends one person a notice, once. Never rejects. `spared`: the person has had one of that kind in the last 24 hours.
 * `lost`: the store has failed.
 */
export function createNotifier(parts: {
  readonly notices: Notices;
  readonly now: () => number;
  readonly log: Log;
}) {
  const { notices, now, log } = parts;
  return async (notice: {
    readonly personId: string;
    /** A person gets one of each kind a day: others cause them, as often as they like. */
    readonly kind: 'alerts' | 'correction' | 'proof' | 'roles' | 'welcome';
    readonly content: string;
    /** Identical for one notice. */
    readonly key: string;
  }): Promise<NoticeOutcome | 'lost'> => {
    const { personId, kind, content } = notice;
    const key = `${kind} ${notice.key}`;
    const claim = {
      key,
      place: noticePlace(personId),
      watches: [kind],
      at: now(),
      cooldown: DAY,
      most: null,
    };
    try {
      return await notices.send({
        to: { kind: 'direct', personId },
        claim,
        message: { content, components: [] },
      });
    } catch (error) {
      log.warn({ err: error }, 'a direct message was not sent');
      return 'lost';
    }
  };
}
