/** Events of the chat: sent to all listeners, and kept for tests that look back. */
import type { ChatEvent } from './chat.ts';
import type { Delivery } from './gateway/interaction-delivery.ts';
import type { Identified } from './gateway/login.ts';
import type { AnsweredRequest } from './rest/rest.ts';

/** Number of events kept of each kind: the latest ones. */
const KEPT = 10_000;

export interface ChatLog {
  readonly requests: readonly AnsweredRequest[];
  readonly identifies: readonly Identified[];
  readonly deliveries: readonly Delivery[];
  emit(event: ChatEvent): void;
  subscribe(listener: (event: ChatEvent) => void): () => void;
  answered(request: AnsweredRequest, sent: unknown, body: unknown): void;
  identified(identified: Identified): void;
  delivered(delivery: Delivery): void;
}

export function createChatLog(): ChatLog {
  const listeners = new Set<(event: ChatEvent) => void>();
  const requests: AnsweredRequest[] = [];
  const identifies: Identified[] = [];
  const deliveries: Delivery[] = [];

  function emit(event: ChatEvent): void {
    for (const listener of listeners) listener(event);
  }

  return {
    requests,
    identifies,
    deliveries,
    emit,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    answered(request, sent, body) {
      emit({ type: 'answered', request, sent, body });
      keep(requests, request);
    },
    identified: (identified) => keep(identifies, identified),
    delivered: (delivery) => keep(deliveries, delivery),
  };
}

function keep<T>(list: T[], latest: T): void {
  list.push(latest);
  if (list.length > KEPT) list.shift();
}
