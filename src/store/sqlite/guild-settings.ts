import { z } from 'zod';
import { json } from '../../base/json.ts';
import { defaultSettings, GuildSettings, type GuildSettingsStore } from '../../people/guild-settings.ts';
import type { Database } from './database.ts';

export const guildSettingsTable = `
  CREATE TABLE guild_settings (
    guild TEXT PRIMARY KEY,
    settings TEXT NOT NULL
  ) STRICT;
`;

const Row = z.object({ settings: json(GuildSettings) });

export function createSqliteGuildSettings(database: Database): GuildSettingsStore {
  const read = database.prepare('SELECT settings FROM guild_settings WHERE guild = ?');
  const write = database.prepare('INSERT OR REPLACE INTO guild_settings (guild, settings) VALUES (?, ?)');
  const settingsOf = (guildId: string): GuildSettings => {
    const row = read.get(guildId);
    return row === undefined ? defaultSettings : (Row.safeParse(row).data?.settings ?? defaultSettings);
  };
  return {
    of: async (guildId) => (guildId === null ? defaultSettings : settingsOf(guildId)),
    // Nothing comes between reading and writing: only one process has the file.
    async change(guildId, changes) {
      const settings = { ...settingsOf(guildId), ...changes };
      write.run(guildId, JSON.stringify(settings));
      return settings;
    },
  };
}
