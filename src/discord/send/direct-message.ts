import { createHash } from 'node:crypto';
import { DiscordAPIError } from 'discord.js';
import type { Claims } from '../../base/claims.ts';
import { DAY } from '../../base/duration.ts';
import type { Log } from '../../base/log.ts';
import { postDirectly, postOver } from '../rest/post-message.ts';
import type { Rest } from '../rest/rest-client.ts';

/**
 * Only Discord's verdict on the message itself is final. Other failures may pass, and so may a refusal without a number,
 * as from what stands in front of Discord, and one of our token.
 */
function isLasting(error: unknown): boolean {
  if (!(error instanceof DiscordAPIError) || typeof error.code !== 'number') return false;
  return error.status < 500 && error.status !== 429 && error.status !== 401;
}

/**
 * Sends one person who has not asked for it a direct message, once. Never rejects.
 *
 * `refused`: Discord does not accept it. `lost`: Discord or the store has a problem. `spared`: the person has had one of
 * that kind in the last 24 hours.
 */
export function createNotifier(parts: {
  readonly rest: Pick<Rest, 'post'>;
  readonly claims: Claims;
  readonly log: Log;
}) {
  const { rest, claims, log } = parts;
  const post = postOver(rest, (error) => {
    log.warn({ err: error }, 'Discord did not accept a direct message');
    return isLasting(error) ? 'refused' : 'lost';
  });

  return async (notice: {
    readonly personId: string;
    /** A person gets one of each kind a day: others cause them, as often as they like. */
    readonly kind: 'alerts' | 'correction' | 'proof' | 'roles' | 'welcome';
    readonly content: string;
    /**
     * Identical for one notice: Discord merges two messages with the same nonce sent shortly after each other in a
     * channel.
     */
    readonly nonce: string;
  }): Promise<'sent' | 'refused' | 'lost' | 'spared'> => {
    const { personId, kind, content, nonce } = notice;
    // Nothing that names the account stays in the store.
    const key = `notice:${createHash('sha256').update(`${kind} ${personId}`).digest('hex')}`;
    try {
      if (!(await claims.claim(key, DAY))) return 'spared';
      const { kind: end } = await postDirectly(post, personId, { content }, nonce);
      if (end === 'lost') await claims.release(key);
      return end === 'answered' ? 'sent' : end;
    } catch (error) {
      log.warn({ err: error }, 'a direct message was not sent');
      return 'lost';
    }
  };
}
