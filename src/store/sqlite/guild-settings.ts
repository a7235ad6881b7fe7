import { z } from 'zod';
import { json } from '../../service/json.ts';
import { defaultSettings, GuildSettings, type GuildSettingsStore } from '../guild-settings.ts';
import type { Database } from './database.ts';

export const guildSettingsTable = `
  CREATE TABLE guild_settings (
    guild TEXT PRIMARY KEY,
    settings TEXT NOT NULL
  ) STRICT;
`;

/** Guilds, of about 500 bytes each. */
const MOST_KNOWN = 5000;

const Row = z.object({ settings: z.string() });
const Settings = json(GuildSettings);

export function createSqliteGuildSettings(database: Database): GuildSettingsStore {
  const read = database.prepare('SELECT settings FROM guild_settings WHERE guild = ?');
  const write = database.prepare('INSERT OR REPLACE INTO guild_settings (guild, settings) VALUES (?, ?)');
  /** What the stored text says, beside the text itself: every command asks, and the text hardly ever changes. */
  const known = new Map<string, { readonly text: string; readonly settings: GuildSettings }>();

  return {
    async of(guildId) {
      const row = guildId === null ? undefined : read.get(guildId);
      if (guildId === null || row === undefined) return defaultSettings;
      const { settings: text } = Row.parse(row);
      const remembered = known.get(guildId);
      if (remembered?.text === text) return remembered.settings;
      const settings = Settings.safeParse(text).data ?? defaultSettings;
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(guildId, { text, settings });
      return settings;
    },
    async set(guildId, settings) {
      write.run(guildId, JSON.stringify(settings));
    },
  };
}
