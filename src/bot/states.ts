import { createStoredBoards } from '../board/stored-boards.ts';
import { createDeliveries } from '../deliveries/ledger.ts';
import { createGuildSettings } from '../people/guild-settings.ts';
import { createLinks } from '../people/links.ts';
import { createProfileLooks } from '../people/profile-looks.ts';
import { createProofs } from '../people/proofs.ts';
import { createTimeZones } from '../people/time-zones.ts';
import type { Documents } from '../store/documents.ts';

/** `unreadableBoard` is called with its channel. */
export function createStates(documents: Documents, unreadableBoard?: (channelId: string) => void) {
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
