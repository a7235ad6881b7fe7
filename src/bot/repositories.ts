import { createGuildSettings } from '../accounts/guild-settings.ts';
import { createLinks } from '../accounts/links.ts';
import { createProfileLooks } from '../accounts/profile-looks.ts';
import { createProofs } from '../accounts/proofs.ts';
import { createTimeZones } from '../accounts/time-zones.ts';
import { createStoredBoards } from '../board/stored-boards.ts';
import { createDeliveries } from '../deliveries/ledger.ts';
import type { Documents } from '../store/documents.ts';

/** `unreadableBoard` is called with its channel. */
export function createRepositories(documents: Documents, unreadableBoard?: (channelId: string) => void) {
  return {
    links: createLinks(documents),
    proofs: createProofs(documents),
    guildSettings: createGuildSettings(documents),
    timeZones: createTimeZones(documents),
    profileLooks: createProfileLooks(documents),
    deliveries: createDeliveries(documents),
    boards: createStoredBoards(documents, unreadableBoard),
  };
}
