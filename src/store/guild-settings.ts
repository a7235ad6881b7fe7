import { z } from 'zod';
import { languages } from '../i18n/languages.ts';

/** What a guild has decided for everyone who reads in it. */
export const GuildSettings = z.object({
  /** BCP 47; null for each reader's own. */
  language: z.enum(languages).nullable().catch(null),
  /** `driver`: as the reader's linked driver has set it in the game. */
  distances: z.enum(['kilometres', 'miles', 'driver']).catch('kilometres'),
  /** Whether names are also shown in their colours. */
  colours: z.boolean().catch(true),
  /** Who may ask for a newer record with the button below a message. */
  refresh: z.enum(['everyone', 'asker']).catch('everyone'),
});
export type GuildSettings = z.output<typeof GuildSettings>;

export const defaultSettings: GuildSettings = GuildSettings.parse({});

/** A setting that cannot be read is the default. */
export interface GuildSettingsStore {
  /** The defaults in a direct message and where nothing was decided. */
  of(guildId: string | null): Promise<GuildSettings>;
  set(guildId: string, settings: GuildSettings): Promise<void>;
}
