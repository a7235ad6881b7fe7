import { z } from 'zod';
import { json } from '../../base/json.ts';
import { defaultSettings, GuildSettings, type GuildSettingsStore } from '../../people/guild-settings.ts';
import type { RedisConnection } from './connection.ts';

/** ARGV: the guild, the expected text (empty for none), the next one. */
const REPLACE = `
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1`;

const Text = z.string().nullable();

export function createRedisGuildSettings(connection: RedisConnection, prefix: string): GuildSettingsStore {
  const key = `${prefix}:guild-settings`;
  const Stored = json(GuildSettings);

  async function change(guildId: string, changes: Partial<GuildSettings>): Promise<GuildSettings> {
    const text = Text.parse(await connection.send('HGET', key, guildId));
    const settings = { ...(Stored.safeParse(text).data ?? defaultSettings), ...changes };
    const given = [guildId, text ?? '', JSON.stringify(settings)];
    const replaced = await connection.eval(REPLACE, { keys: [key], arguments: given });
    // Changed by someone else meanwhile: start again.
    return replaced === 1 ? settings : change(guildId, changes);
  }

  return {
    async of(guildId) {
      if (guildId === null) return defaultSettings;
      return Stored.safeParse(await connection.send('HGET', key, guildId)).data ?? defaultSettings;
    },
    change,
  };
}
