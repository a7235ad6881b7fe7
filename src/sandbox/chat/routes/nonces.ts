/** Nonces of messages: the same one again, soon after, answers with the message that is already there. */

/** How long a nonce is remembered in ms: documented as "the past few minutes". */
const KEPT = 5 * 60_000;

interface Nonces {
  /** The id of the message sent with it in that channel. */
  find(channelId: string, nonce: string | number): string | undefined;
  remember(channelId: string, nonce: string | number, messageId: string): void;
}

export function createNonces(now: () => number): Nonces {
  const sent = new Map<string, { readonly messageId: string; readonly at: number }>();
  return {
    find(channelId, nonce) {
      for (const [old, { at }] of sent) if (now() - at > KEPT) sent.delete(old);
      return sent.get(`${channelId} ${nonce}`)?.messageId;
    },
    remember: (channelId, nonce, messageId) =>
      void sent.set(`${channelId} ${nonce}`, { messageId, at: now() }),
  };
}
