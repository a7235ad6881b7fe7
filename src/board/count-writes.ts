import type { BoardChannels, Refusal } from './channels.ts';

/** How often the writing of a board's message ended in one way since the start. */
export interface WriteCount {
  readonly outcome: 'ok' | Refusal['kind'];
  readonly count: number;
}

/** The same channels, except that it counts the messages of boards that are sent or edited. */
export function countWrites(uncounted: BoardChannels): {
  readonly channels: BoardChannels;
  counts(): readonly WriteCount[];
} {
  const counts = new Map<WriteCount['outcome'], number>();
  const count = (outcome: WriteCount['outcome']): void =>
    void counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return {
    channels: {
      ...uncounted,
      async send(channelId, message, nonce) {
        const sent = await uncounted.send(channelId, message, nonce);
        count(sent.kind === 'sent' ? 'ok' : sent.kind);
        return sent;
      },
      async edit(place, message) {
        const edited = await uncounted.edit(place, message);
        count(edited.kind);
        return edited;
      },
    },
    counts: () => [...counts].map(([outcome, times]) => ({ outcome, count: times })),
  };
}
