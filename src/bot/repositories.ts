import { createAccountRepositories } from '../community/accounts/repositories.ts';
import { createStoredBoards } from '../messages/boards/stored-boards.ts';
import { createDeliveries } from '../messages/outbox/ledger.ts';
import type { Documents } from '../store/documents.ts';

/** `unreadableBoard` is called with its channel. */
export function createRepositories(documents: Documents, unreadableBoard?: (channelId: string) => void) {
  return {
    ...createAccountRepositories(documents),
    deliveries: createDeliveries(documents),
    boards: createStoredBoards(documents, unreadableBoard),
  };
}
