import { createStoredBoards } from '../board/stored-boards.ts';
import { createAccountRepositories } from '../community/accounts/repositories.ts';
import { createDeliveries } from '../deliveries/ledger.ts';
import type { Documents } from '../store/documents.ts';

/** `unreadableBoard` is called with its channel. */
export function createRepositories(documents: Documents, unreadableBoard?: (channelId: string) => void) {
  return {
    ...createAccountRepositories(documents),
    deliveries: createDeliveries(documents),
    boards: createStoredBoards(documents, unreadableBoard),
  };
}
