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

const Row = z.object({ settings: json(GuildSettings) });

export function createSqliteGuildSettings(database: Database): GuildSettingsStore {
  const read = database.prepare('SELECT settings FROM guild_settings WHERE guild = ?');
  const write = database.prepare('INSERT OR REPLACE INTO guild_settings (guild, settings) VALUES (?, ?)');
  return {
    async of(guildId) {
      const row = guildId === null ? undefined : read.get(guildId);
      return row === undefined ? defaultSettings : (Row.safeParse(row).data?.settings ?? defaultSettings);
    },
    async set(guildId, settings) {
      write.run(guildId, JSON.stringify(settings));
    },
  };
}
