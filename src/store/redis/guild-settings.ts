import { json } from '../../service/json.ts';
import { defaultSettings, GuildSettings, type GuildSettingsStore } from '../guild-settings.ts';
import type { RedisConnection } from './connection.ts';

export function createRedisGuildSettings(connection: RedisConnection, prefix: string): GuildSettingsStore {
  const key = `${prefix}:guild-settings`;
  const Stored = json(GuildSettings);
  return {
    async of(guildId) {
      if (guildId === null) return defaultSettings;
      return Stored.safeParse(await connection.send('HGET', key, guildId)).data ?? defaultSettings;
    },
    async set(guildId, settings) {
      await connection.send('HSET', key, guildId, JSON.stringify(settings));
    },
  };
}
