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

/** Guilds, of about 300 bytes each. */
const MOST_KNOWN = 5000;

const Row = z.object({ settings: json(GuildSettings) });

export function createSqliteGuildSettings(database: Database): GuildSettingsStore {
  const read = database.prepare('SELECT settings FROM guild_settings WHERE guild = ?');
  const write = database.prepare('INSERT OR REPLACE INTO guild_settings (guild, settings) VALUES (?, ?)');
  /** Every command asks for them, and only this process has the file. */
  const known = new Map<string, GuildSettings>();

  function remember(guildId: string, settings: GuildSettings): GuildSettings {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(guildId, settings);
    return settings;
  }

  return {
    async of(guildId) {
      if (guildId === null) return defaultSettings;
      const stored = () => Row.safeParse(read.get(guildId)).data?.settings ?? defaultSettings;
      return known.get(guildId) ?? remember(guildId, stored());
    },
    async set(guildId, settings) {
      write.run(guildId, JSON.stringify(settings));
      remember(guildId, settings);
    },
  };
}
