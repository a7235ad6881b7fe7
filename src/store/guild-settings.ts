import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { languages } from '../i18n/languages.ts';

/** What a guild has decided for all who read in it. */
export const GuildSettings = z.object({
  /** BCP 47; null for everyone's own. */
  language: z.enum(languages).nullable().catch(null),
  /** `driver`: as the linked driver of whoever asks has set it in the game. */
  distances: z.enum(['kilometres', 'miles', 'driver']).catch('kilometres'),
  /** Whether names are also shown in their colours. */
  colours: z.boolean().catch(true),
  /** Who may ask for a newer record with the button below a message. */
  refresh: z.enum(['everyone', 'asker']).catch('everyone'),
});
export type GuildSettings = z.output<typeof GuildSettings>;

export const defaultSettings: GuildSettings = GuildSettings.parse({});

export interface GuildSettingsStore {
  /** The defaults in a direct message and where nothing was decided. */
  of(guildId: string | null): Promise<GuildSettings>;
  set(guildId: string, settings: GuildSettings): Promise<void>;
}

export const guildSettingsTable = `
  CREATE TABLE guild_settings (
    guild TEXT PRIMARY KEY,
    settings TEXT NOT NULL
  ) STRICT;
`;

const Row = z.object({
  settings: z.string().transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'is no JSON' });
      return z.NEVER;
    }
  }),
});

/** A setting that cannot be read is the default. */
export function createGuildSettings(database: DatabaseSync): GuildSettingsStore {
  const read = database.prepare('SELECT settings FROM guild_settings WHERE guild = ?');
  const write = database.prepare('INSERT OR REPLACE INTO guild_settings (guild, settings) VALUES (?, ?)');
  return {
    async of(guildId) {
      const row = Row.safeParse(guildId === null ? undefined : read.get(guildId));
      return GuildSettings.safeParse(row.data?.settings).data ?? defaultSettings;
    },
    async set(guildId, settings) {
      write.run(guildId, JSON.stringify(settings));
    },
  };
}
