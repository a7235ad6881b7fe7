import { createDeliveries, type Deliveries } from '../alerts/deliveries.ts';
import { alertsForgetting } from '../alerts/forgetting.ts';
import { createPauseNotices, type PauseNotices } from '../alerts/pause-notices.ts';
import { createWatches, type Watches } from '../alerts/watches.ts';
import type { BoardRecords } from '../board/board-records.ts';
import { boardsForgetting, createStoredBoards } from '../board/stored-boards.ts';
import { createGuildSettings, type GuildSettingsStore } from '../people/guild-settings.ts';
import { createLinks, type Links } from '../people/links.ts';
import { peopleForgetting } from '../people/people.ts';
import { createProofs, type Proofs, proofsForgetting } from '../people/proofs.ts';
import { createTimeZones, type TimeZones } from '../people/time-zones.ts';
import { figuresForgetting } from '../roles/figures.ts';
import { createRoleRules, type RoleRules, rolesForgetting } from '../roles/role-rules.ts';
import type { Documents } from '../store/documents.ts';
import type { Forgetting } from '../store/forget.ts';

/** `unreadableBoard` is called with its channel. */
export function createStates(
  documents: Documents,
  unreadableBoard?: (channelId: string) => void,
): {
  readonly links: Links;
  readonly proofs: Proofs;
  readonly guildSettings: GuildSettingsStore;
  readonly timeZones: TimeZones;
  readonly watches: Watches;
  readonly deliveries: Deliveries;
  readonly pauseNotices: PauseNotices;
  readonly boards: BoardRecords;
  readonly roleRules: RoleRules;
} {
  return {
    links: createLinks(documents),
    proofs: createProofs(documents),
    guildSettings: createGuildSettings(documents),
    timeZones: createTimeZones(documents),
    watches: createWatches(documents),
    deliveries: createDeliveries(documents),
    pauseNotices: createPauseNotices(documents),
    boards: createStoredBoards(documents, unreadableBoard),
    roleRules: createRoleRules(documents),
  };
}

/** How all of them forget a person. */
export const forgetting: readonly Forgetting[] = [
  ...peopleForgetting,
  proofsForgetting,
  ...alertsForgetting,
  ...boardsForgetting,
  ...rolesForgetting,
  figuresForgetting,
];
