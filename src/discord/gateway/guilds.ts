import {
  ChannelType,
  type GuildMember,
  type Guild as LibraryGuild,
  type NonThreadGuildBasedChannel,
  PermissionFlagsBits,
} from 'discord.js';
import type { Clock } from '../../base/clock.ts';
import type { Access } from '../../cards/board/board.ts';
import { TEXT_CHANNELS } from '../../cards/kit/card.ts';
import {
  accessWith,
  computeRights,
  type Membership,
  type Overwrites,
  type Permission,
} from '../permissions.ts';
import type { GatewayClient } from './client.ts';
import { guildOf, ownMember } from './guild.ts';

/** No threads: those close by themselves, and Discord takes no edit in a closed one. */
const WITH_MESSAGES: readonly ChannelType[] = [
  ...TEXT_CHANNELS,
  ChannelType.GuildVoice,
  ChannelType.GuildStageVoice,
];

/** A member of a guild. */
interface Member {
  readonly id: string;
  /** Without everyone's; absent: none. */
  readonly roles?: readonly string[];
}

/** The member's part in the guild; the interaction that names their roles is newer than any cached member. */
function membershipIn(guild: LibraryGuild, { id, roles = [] }: Member): Membership {
  const permissions = guild.roles.cache.map((role) => [role.id, String(role.permissions.bitfield)] as const);
  const { id: guildId, ownerId } = guild;
  return { id: guildId, ownerId, memberId: id, memberRoles: roles, roles: new Map(permissions) };
}

/** A channel's exceptions for roles and members. */
function overwritesOf(channel: NonThreadGuildBasedChannel): Overwrites {
  return channel.permissionOverwrites.cache.map(({ id, allow, deny }) => ({
    id,
    allow: String(allow.bitfield),
    deny: String(deny.bitfield),
  }));
}

/** A member's rights, as Discord computes them. */
function rightsIn(guild: LibraryGuild, member: Member) {
  const { may, mayIn } = computeRights(membershipIn(guild, member));
  return {
    may,
    /** Null where the channel is not known. */
    mayIn(channelId: string, right: Permission): boolean | null {
      const channel = guild.channels.cache.get(channelId);
      if (channel === undefined || channel.isThread()) return null;
      return mayIn({ type: channel.type, overwrites: overwritesOf(channel) }, right);
    },
  };
}

function isSeenBy(guild: LibraryGuild, channelId: string, member: Member): boolean {
  return rightsIn(guild, member).mayIn(channelId, 'ViewChannel') === true;
}

/**
 * The guilds of all shards of this process, as far as the gateway has reported; makes no request. A guild whose shard is not
 * connected here is unavailable.
 */
export function createGuilds(
  { find, guilds }: Pick<GatewayClient, 'find' | 'guilds'>,
  { now }: Pick<Clock, 'now'>,
) {
  const isHeld = (me: GuildMember): boolean => now() < (me.communicationDisabledUntilTimestamp ?? 0);

  function access(guildId: string, channelId: string): Access {
    const guild = find(guildId);
    if (guild === undefined) return { kind: 'unknown-channel' };
    const me = guild === null ? null : ownMember(guild);
    if (guild === null || me === null) return { kind: 'unavailable' };
    const channel = guild.channels.cache.get(channelId);
    if (channel === undefined || !WITH_MESSAGES.includes(channel.type)) return { kind: 'unknown-channel' };
    const rights = channel.permissionsFor(me).bitfield;
    // An overwrite makes nobody an administrator.
    const isAdministrator = me.permissions.has('Administrator');
    const granted = isAdministrator ? rights : rights & ~PermissionFlagsBits.Administrator;
    return accessWith(granted, { type: channel.type, isTimedOut: isHeld(me) });
  }

  return {
    access,
    writable(guildId: string): readonly string[] {
      const ids = [...(find(guildId)?.channels.cache.keys() ?? [])];
      return ids.filter((channelId) => access(guildId, channelId).kind === 'open');
    },
    /**
     * The members who may view a channel: everyone, some of them, or nobody, since it is gone. Null where that is not known.
     */
    audienceOf(guildId: string, channelId: string): 'everyone' | 'some' | 'nobody' | null {
      const guild = find(guildId);
      if (guild === null) return null;
      if (guild?.channels.cache.has(channelId) !== true) return 'nobody';
      return isSeenBy(guild, channelId, { id: '' }) ? 'everyone' : 'some';
    },
    /** The member may view that channel, by Discord's rules; false where that is not known. */
    mayView(guildId: string, channelId: string, member: Member): boolean {
      const guild = find(guildId) ?? null;
      return guild !== null && isSeenBy(guild, channelId, member);
    },
    /** A member's rights; null where the guild is not known. */
    rightsOf(guildId: string, member: Member) {
      const guild = find(guildId) ?? null;
      return guild && rightsIn(guild, member);
    },
    /** We are in it, and Discord can serve it now. */
    isThere: (guildId: string) => (find(guildId) ?? null) !== null,
    /**
     * Returns when the bot's stay in the guild began, by Discord's clock (unix milliseconds): infinity if the bot is not in the
     * guild, null if that is not known.
     */
    stayedSince(guildId: string): number | null {
      const guild = find(guildId);
      return guild === undefined ? Number.POSITIVE_INFINITY : (guild?.joinedTimestamp ?? null);
    },
    /** We may only look and read there, for a time. */
    isTimedOut(guildId: string): boolean {
      const me = find(guildId)?.members.me ?? null;
      return me !== null && isHeld(me);
    },
    /** False where that is not known. */
    mayInGuild: (guildId: string, right: 'ManageRoles' | 'CreateEvents') =>
      find(guildId)?.members.me?.permissions.has(right) ?? false,
    /** A role's permissions; null where they are not known. */
    permissionsOf(guildId: string, roleId: string): string | null {
      const role = find(guildId)?.roles.cache.get(roleId);
      return role === undefined ? null : String(role.permissions.bitfield);
    },
    /** Empty where it is not known. */
    ownerOf: (guildId: string) => find(guildId)?.ownerId ?? '',
    /** All that Discord can serve now. */
    available: () => guilds.map((guild) => guildOf(guild)).filter((guild) => guild !== null),
  };
}
