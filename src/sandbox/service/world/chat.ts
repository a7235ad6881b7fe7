import type { JsonObject } from '../json.ts';
import type { Names } from './names.ts';
import { createRandom } from './random.ts';

const TEN_MINUTES = 600_000;

const channels: readonly JsonObject[] = [
  { position: 5, id: '811000000000000005', name: 'Police radio' },
  { position: 2, id: '811000000000000002', name: 'Cruise | Server One' },
  { position: 9, id: '811000000000000009', name: 'AFK' },
  { position: 1, id: '811000000000000001', name: 'Lobby' },
  { position: 3, id: '811000000000000003', name: 'Tow & medics »' },
];

const bots = ['TrackBot', 'Music 24/7'] as const;

/**
 * The status of the chat server, shaped like a guild widget: anonymised ids, only members who are not offline, bots included. The
 * members, of these names, change every ten minutes; `now` in unix milliseconds.
 */
export function chatRecord(seed: number, now: number, names: readonly Names[]): JsonObject {
  const lasting = createRandom(seed, 'chat');
  const passing = createRandom(seed, `chat/${Math.floor(now / TEN_MINUTES)}`);
  const members = [...bots, ...names.map(({ username }) => username)].flatMap((username, index) => {
    const avatar = Array.from({ length: 32 }, () => lasting.whole(0, 15).toString(16)).join('');
    const belongs = lasting.chance(0.8) || index < bots.length;
    const mood = passing.next();
    if (!belongs || (mood > 0.7 && index >= bots.length)) return [];
    const status = index < bots.length || mood < 0.4 ? 'online' : mood < 0.58 ? 'idle' : 'dnd';
    return [{ username, status, avatar_url: `https://avatars.sandbox.invalid/${avatar}.png`, avatar }];
  });
  return {
    id: '811000000000000000',
    name: '[TC] City Drivers™',
    instant_invite: null,
    channels,
    members: members
      .slice(0, 100)
      .map((member, index) => ({ ...member, discriminator: '0000', id: String(index) })),
  };
}
