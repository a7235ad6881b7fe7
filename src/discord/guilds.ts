import type { Access, TopicAccess } from '../board/channels.ts';
import { hasGuild } from '../shards/shard.ts';
import { accessIn, type Seen, topicIn, voiceIn } from './board-access.ts';
import type { ShardConnection } from './shard-connection.ts';
import type { Guild } from './shard-guilds.ts';

/** The guilds of all shards of this process, as far as the gateway has reported; makes no request. */
export interface Guilds {
  /** Our permissions. A guild whose shard is not connected here is unavailable. */
  access(guildId: string, channelId: string): Access;
  /** The channel's topic, and whether we may change it. */
  topic(guildId: string, channelId: string): TopicAccess;
  /** Whether we may set that voice channel's status. */
  voice(guildId: string, channelId: string): Access;
  /** All that Discord can serve now. */
  available(): readonly Guild[];
}

export function createGuilds(connections: () => readonly ShardConnection[]): Guilds {
  const ready = () => connections().filter((each) => each.isReady());

  function seen(guildId: string): Seen {
    const theirs = ready().find(({ shard }) => hasGuild(shard, guildId));
    return theirs === undefined ? null : theirs.guilds.get(guildId);
  }

  return {
    access: (guildId, channelId) => accessIn(seen(guildId), channelId),
    topic: (guildId, channelId) => topicIn(seen(guildId), channelId),
    voice: (guildId, channelId) => voiceIn(seen(guildId), channelId),
    available: () =>
      connections().flatMap(({ guilds }) => [...guilds.values()].filter((guild) => guild !== null)),
  };
}
