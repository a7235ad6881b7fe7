/** What must never happen to several processes of one bot, found in what the chat server has seen. */

/** An edit of a board, by one copy of the bot. Unix milliseconds. */
export interface Edit {
  readonly at: number;
  readonly channelId: string;
  readonly copy: string;
}

export interface Login {
  readonly at: number;
  readonly shard: number;
  readonly copy: string;
  readonly outcome: string | number;
}

/** An interaction that reached a connected session. */
export interface Arrival {
  readonly at: number;
  readonly interactionId: string;
  readonly copy: string;
}

export interface Callback {
  readonly at: number;
  readonly interactionId: string;
  readonly copy: string;
  /** Discord has taken it. */
  readonly good: boolean;
  /** It only said that an answer would come. */
  readonly deferred: boolean;
  /** That answer has come. */
  readonly finished: boolean;
}

/** How long Discord waits for an answer. */
const PATIENCE = 3000;

interface Span {
  readonly from: number;
  readonly until: number;
}

/** Boards that were not edited for longer than `most`, although there was always something new. */
export function neglected(
  edits: readonly Edit[],
  { channels, most, ...span }: Span & { readonly channels: readonly string[]; readonly most: number },
): readonly string[] {
  return channels.flatMap((channelId) => {
    const gap = longestGap(edits, channelId, span);
    return gap > most ? [`nobody edited the board in ${channelId} for ${gap} ms`] : [];
  });
}

/** The longest time without an edit of that board. */
export function longestGap(edits: readonly Edit[], channelId: string, { from, until }: Span): number {
  const own = edits.filter((edit) => edit.channelId === channelId && edit.at > from && edit.at < until);
  const moments = [from, ...own.map(({ at }) => at), until];
  return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)));
}

/** How often a board was edited by another copy than before. */
export function holderChanges(edits: readonly Edit[]): number {
  const last = new Map<string, string>();
  return edits.filter(({ channelId, copy }) => {
    const before = last.get(channelId);
    last.set(channelId, copy);
    return before !== undefined && before !== copy;
  }).length;
}

/**
 * Edits of one copy with another one's between them, although it had not logged in to the board's shard again: then
 * two had the board at the same time.
 */
export function editedByTwo(
  edits: readonly Edit[],
  logins: readonly Login[],
  shardOf: (channelId: string) => number,
): readonly string[] {
  return [...Map.groupBy(edits, ({ channelId }) => channelId)].flatMap(([channelId, own]) => {
    const shard = shardOf(channelId);
    const last = new Map<string, Edit>();
    return own.flatMap((edit, index) => {
      const { at, copy } = edit;
      const before = last.get(copy);
      last.set(copy, edit);
      const between = own[index - 1];
      if (before === undefined || between === undefined || between === before) return [];
      const isBack = logins.some(
        (login) =>
          login.copy === copy &&
          login.shard === shard &&
          login.outcome === 'ready' &&
          login.at > before.at &&
          login.at < at,
      );
      return isBack ? [] : [`${copy} and ${between.copy} both edited the board in ${channelId} at ${at}`];
    });
  });
}

/** What reached a copy that went on for as long as Discord waits, and was not acknowledged by any. */
export function unanswered(
  arrivals: readonly Arrival[],
  callbacks: readonly Callback[],
  killedAt: (copy: string) => number,
): readonly string[] {
  const answered = new Set(callbacks.filter(({ good }) => good).map(({ interactionId }) => interactionId));
  return arrivals
    .filter(({ interactionId, copy, at }) => !answered.has(interactionId) && killedAt(copy) > at + PATIENCE)
    .map(({ interactionId, copy, at }) => `${copy} got ${interactionId} at ${at} and left it unanswered`);
}

/** What a copy promised to answer and did not, although it went on. */
export function unfinished(
  callbacks: readonly Callback[],
  killedAt: (copy: string) => number,
): readonly string[] {
  return callbacks
    .filter(({ good, deferred, finished }) => good && deferred && !finished)
    .filter(({ copy, at }) => killedAt(copy) > at + PATIENCE)
    .map(({ interactionId, copy, at }) => `${copy} promised ${interactionId} an answer at ${at}; none came`);
}

/**
 * Names interactions that two copies answered, or for which two answers were accepted. A copy that hears nothing for 900 ms
 * sends its own answer again, and Discord refuses the second one (40060).
 */
export function answeredTwice(callbacks: readonly Callback[]): readonly string[] {
  const isTwice = (own: readonly Callback[]): boolean =>
    new Set(own.map(({ copy }) => copy)).size > 1 || own.filter(({ good }) => good).length > 1;
  return [...Map.groupBy(callbacks, ({ interactionId }) => interactionId)]
    .filter(([, own]) => isTwice(own))
    .map(([id, own]) => `${own.map(({ copy }) => copy).join(' and ')} answered ${id}`);
}
