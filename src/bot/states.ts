import { alertsForgetting, createAlertData } from '../alerts/forgetting.ts';
import { createPauseNotices } from '../alerts/pause-notices.ts';
import { createWatches } from '../alerts/watches.ts';
import { boardsForgetting, createStoredBoards } from '../board/stored-boards.ts';
import { convoysForgetting, createStoredConvoys } from '../convoys/stored-convoys.ts';
import { createDeliveries, deliveriesForgetting } from '../deliveries/ledger.ts';
import { noticesForgetting } from '../deliveries/notices.ts';
import { createGuildSettings } from '../people/guild-settings.ts';
import { createLinks } from '../people/links.ts';
import { peopleForgetting } from '../people/people.ts';
import { createProfileLooks, profileLooksForgetting } from '../people/profile-looks.ts';
import { createProofs, proofsForgetting } from '../people/proofs.ts';
import { createTimeZones } from '../people/time-zones.ts';
import { createRoleFigures, figuresForgetting } from '../roles/figures.ts';
import { createRoleRules, rolesForgetting } from '../roles/role-rules.ts';
import type { Documents } from '../store/documents.ts';
import type { Forgetting, PersonalData } from '../store/forget.ts';

/** `unreadableBoard` is called with its channel. */
export function createStates(documents: Documents, unreadableBoard?: (channelId: string) => void) {
  return {
    links: createLinks(documents),
    proofs: createProofs(documents),
    guildSettings: createGuildSettings(documents),
    timeZones: createTimeZones(documents),
    profileLooks: createProfileLooks(documents),
    watches: createWatches(documents),
    deliveries: createDeliveries(documents),
    pauseNotices: createPauseNotices(documents),
    boards: createStoredBoards(documents, unreadableBoard),
    alertData: createAlertData(documents),
    roleRules: createRoleRules(documents),
    roleFigures: createRoleFigures(documents),
    convoys: createStoredConvoys(documents),
  };
}

const forgetting: readonly Forgetting[] = [
  ...peopleForgetting,
  proofsForgetting,
  profileLooksForgetting,
  deliveriesForgetting,
  noticesForgetting,
  ...alertsForgetting,
  ...boardsForgetting,
  ...rolesForgetting,
  figuresForgetting,
  ...convoysForgetting,
];

/** The collections whose documents name nobody. */
const impersonal: readonly string[] = [
  'board-changes',
  'board-states',
  'claims',
  'cluster',
  'convoy-cards',
  'convoy-left-events',
  'convoy-oldest-results',
  'convoy-results-counted',
  'guild-settings',
  'shard-claims',
  'shard-fences',
];

/** How all that is stored forgets a person. */
export const personalData: PersonalData = {
  forgetting,
  declared: [...impersonal, ...forgetting.map(({ name }) => name)],
};
