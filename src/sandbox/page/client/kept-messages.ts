import type { MessageView } from '../protocol.ts';

/** Under this name in the window's storage. */
const DISMISSED = 'dismissed';

/** All messages of all channels, in the order in which they came. */
interface KeptMessages {
  /** How many there have been. */
  readonly count: number;
  /** Messages of a channel that are not dismissed; `place` counts all messages, from 1. */
  in(channelId: string): readonly { readonly message: MessageView; readonly place: number }[];
  has(messageId: string): boolean;
  keep(message: MessageView): void;
  remove(messageId: string): void;
  /** Hidden in this window from now on, like a private reply in Discord. */
  dismiss(messageId: string): void;
  /** Replaces all. */
  reset(messages: readonly MessageView[]): void;
}

export function createKeptMessages(): KeptMessages {
  const messages = new Map<string, MessageView>();
  const places = new Map<string, number>();
  const dismissed = new Set<string>(JSON.parse(sessionStorage.getItem(DISMISSED) ?? '[]'));

  function keep(message: MessageView): void {
    messages.set(message.id, message);
    if (!places.has(message.id)) places.set(message.id, places.size + 1);
  }

  return {
    get count() {
      return places.size;
    },
    in: (channelId) =>
      [...messages.values()]
        .filter((message) => message.channelId === channelId && !dismissed.has(message.id))
        .map((message) => ({ message, place: places.get(message.id) ?? 0 })),
    has: (messageId) => messages.has(messageId),
    keep,
    remove: (messageId) => void messages.delete(messageId),
    dismiss(messageId) {
      dismissed.add(messageId);
      sessionStorage.setItem(DISMISSED, JSON.stringify([...dismissed]));
    },
    reset(all) {
      messages.clear();
      for (const message of all) keep(message);
    },
  };
}
