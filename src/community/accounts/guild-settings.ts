import { z } from 'zod';
import { languages } from '../../base/languages.ts';
import { TimeZone } from '../../base/zone.ts';
import { changeDocuments } from '../../store/change.ts';
import { declareCollection, deriveFromCollection, readDocument } from '../../store/collection.ts';
import type { Documents } from '../../store/documents.ts';

/** A guild's settings, for all its members. */
export const GuildSettings = z.object({
  /** BCP 47; null for each viewer's own. */
  language: z.enum(languages).nullable().catch(null),
  /** `driver`: as set in the game by the viewer's linked driver. */
  distances: z.enum(['kilometres', 'miles', 'driver']).catch('kilometres'),
  /** Show names in their in-game colours as well. */
  colours: z.boolean().catch(true),
  /** People who may press *Refresh* below a message. */
  refresh: z.enum(['everyone', 'asker']).catch('everyone'),
  /** People may show a private answer to the whole channel. */
  sharing: z.boolean().catch(true),
  /** For members who have not named their own; null: not set. */
  timeZone: TimeZone.nullable().catch(null),
  /** Role that may plan convoys, besides members with Create Events; null: none. */
  convoyRole: z.string().nullable().catch(null),
  /** Look of `/profile` for members who have not chosen one. */
  profiles: z.enum(['picture', 'text']).catch('picture'),
});
export type GuildSettings = z.output<typeof GuildSettings>;

export const defaultSettings: GuildSettings = GuildSettings.parse({});

/** `since`: when they were last changed, in unix milliseconds; null: an earlier version did not note it. */
const StoredSettings = GuildSettings.extend({ since: z.number().nullable().catch(null) });

/** Settings by guild id. */
export const guildSettings = declareCollection({
  name: 'guild-settings',
  schema: StoredSettings,
  unreadable: 'none',
  person: 'nobody',
});

/** Time in ms after which a change by another process is seen. */
const MAX_AGE = 5000;

/** An unreadable setting is the default. */
export function createGuildSettings(documents: Documents) {
  return {
    /** The defaults in a direct message and in a guild without settings. */
    async of(guildId: string | null): Promise<GuildSettings> {
      return withoutTime(
        guildId === null ? null : await readDocument(documents, guildSettings, guildId, MAX_AGE),
      );
    },
    /** Changes these settings only, so that a concurrent change of another one stays. Resolves with all settings. */
    change: (guildId: string, changes: Partial<GuildSettings>): Promise<GuildSettings> =>
      changeDocuments(documents, async (transaction) => {
        const settings = { ...withoutTime(await transaction.read(guildSettings, guildId)), ...changes };
        transaction.write(guildSettings, guildId, { ...settings, since: transaction.now() });
        return settings;
      }),
    guilds: deriveFromCollection(documents, guildSettings, (all) => [...all.keys()]),
    /** Forgets a guild's settings if they were last changed before then (unix milliseconds). */
    removeIn: (guildId: string, before: number): Promise<number> =>
      changeDocuments(documents, async (transaction) => {
        const settings = await transaction.read(guildSettings, guildId);
        if (settings === null || (settings.since ?? 0) >= before) return 0;
        transaction.write(guildSettings, guildId, null);
        return 1;
      }),
  };
}

/** Null: the guild has chosen none. */
function withoutTime(stored: z.output<typeof StoredSettings> | null): GuildSettings {
  if (stored === null) return defaultSettings;
  const { since: _, ...settings } = stored;
  return settings;
}
