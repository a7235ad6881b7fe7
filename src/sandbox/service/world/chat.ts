import type { JsonObject } from '../json.ts';
import type { Names } from './names.ts';
import { createRandom } from './random.ts';

const TEN_MINUTES = 600_000;

/** A chat server as its widget tells it. */
export interface ChatGuild {
  readonly name: string;
  /** Voice channels. */
  readonly channels: readonly { readonly position: number; readonly name: string }[];
  /** Members who are not offline, bots included. */
  readonly members: readonly { readonly username: string; readonly status: string }[];
}

const channels: ChatGuild['channels'] = [
  { position: 5, name: 'Police radio' },
  { position: 2, name: 'Cruise | Server One' },
  { position: 9, name: 'AFK' },
  { position: 1, name: 'Lobby' },
  { position: 3, name: 'Tow & medics »' },
];

const bots = ['TrackBot', 'Music 24/7'] as const;

/** Invents a guild of people with these names, others every ten minutes; `now` in unix milliseconds. */
export function inventedGuild(seed: number, now: number, names: readonly Names[]): ChatGuild {
  const lasting = createRandom(seed, 'chat');
  const passing = createRandom(seed, `chat/${Math.floor(now / TEN_MINUTES)}`);
  const members = [...bots, ...names.map(({ username }) => username)].flatMap((username, index) => {
    const belongs = lasting.chance(0.8) || index < bots.length;
    const mood = passing.next();
    if (!belongs || (mood > 0.7 && index >= bots.length)) return [];
    const status = index < bots.length || mood < 0.4 ? 'online' : mood < 0.58 ? 'idle' : 'dnd';
    return [{ username, status }];
  });
  return { name: '[TC] City Drivers™', channels, members };
}

/** The status of the chat server, shaped like a guild widget: anonymised ids, a hundred members at most. */
export function chatRecord(seed: number, guild: ChatGuild): JsonObject {
  return {
    id: '811000000000000000',
    name: guild.name,
    instant_invite: null,
    channels: guild.channels.map((channel) => ({ ...channel, id: `81100000000000000${channel.position}` })),
    members: guild.members.slice(0, 100).map(({ username, status }, index) => {
      const random = createRandom(seed, `avatar/${username}`);
      const avatar = Array.from({ length: 32 }, () => random.whole(0, 15).toString(16)).join('');
      const avatar_url = `https://avatars.sandbox.invalid/${avatar}.png`;
      return { username, status, avatar_url, avatar, discriminator: '0000', id: String(index) };
    }),
  };
}
