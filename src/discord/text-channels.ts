import { ChannelType } from 'discord-api-types/v10';

/** Where boards and alerts can be: no voice channels, and no threads, which close by themselves. */
export const TEXT_CHANNELS = [ChannelType.GuildText, ChannelType.GuildAnnouncement] as const;
