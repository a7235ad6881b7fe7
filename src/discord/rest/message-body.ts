/** No text can ping anyone. */
export const noMentions = { allowed_mentions: { parse: [] } };

/**
 * `nonce`: Discord merges two messages with the same nonce sent shortly after each other. `roles`: the only ones that
 * its text may ping.
 */
export function messageBody(message: { readonly nonce: string; readonly roles: readonly string[] }): object {
  const { roles, ...content } = message;
  const mentions = roles.length === 0 ? noMentions : { allowed_mentions: { parse: [], roles } };
  return { ...content, ...mentions, enforce_nonce: true };
}
