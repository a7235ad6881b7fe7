import type { Collections } from '../../store/collection.ts';
import type { Documents } from '../../store/documents.ts';
import { createGuildSettings, guildSettings } from './guild-settings.ts';
import { createLinks } from './links.ts';
import { drivers, people } from './people.ts';
import { createProfileLooks, profileLooks } from './profile-looks.ts';
import { createProofs, proofs } from './proofs.ts';
import { createTimeZones } from './time-zones.ts';

/** Everything stored about people and guilds that no feature owns. */
export const accountCollections: Collections = [people, drivers, proofs, profileLooks, guildSettings];

/** Commands get these as `context.store`. */
export function createAccountRepositories(documents: Documents) {
  return {
    links: createLinks(documents),
    proofs: createProofs(documents),
    guildSettings: createGuildSettings(documents),
    timeZones: createTimeZones(documents),
    profileLooks: createProfileLooks(documents),
  };
}

export type AccountRepositories = ReturnType<typeof createAccountRepositories>;
