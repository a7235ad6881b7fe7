/**
 * What keeps a board right in ordinary failures. All are on; each can be switched off to show what goes wrong
 * without it.
 */
export interface Safeguards {
  /** One logical send has one nonce, over all its attempts. */
  readonly nonce: boolean;
  /** Before it posts, a board looks for its own message in the channel. */
  readonly adoption: boolean;
  /** What is shown already is not sent again. */
  readonly changeOnly: boolean;
  readonly oneEditInFlight: boolean;
  /** One empty answer in a row of full ones is not believed. */
  readonly emptyGrace: boolean;
  readonly pauseOnLostRights: boolean;
  /** Of several processes with one store, one keeps the boards. */
  readonly lease: boolean;
  /** A board is stored before it is posted, and the message's id before anything else happens. */
  readonly storedFirst: boolean;
}

export const safeguards: Safeguards = {
  nonce: true,
  adoption: true,
  changeOnly: true,
  oneEditInFlight: true,
  emptyGrace: true,
  pauseOnLostRights: true,
  lease: true,
  storedFirst: true,
};
