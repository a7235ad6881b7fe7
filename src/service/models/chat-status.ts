import { z } from 'zod';
import { number, text } from './leaves.ts';
import { fields, list } from './lenient.ts';

const Channel = z.object({ id: text, name: text, ...fields({ position: number }) });
const Member = z.object({ id: text, username: text, ...fields({ status: text, channel_id: text }) });

export const ChatStatus = z
  .object({
    members: list('member', Member),
    ...fields({
      name: text,
      instant_invite: z.string(),
      presence_count: number,
      channels: list('channel', Channel),
    }),
  })
  .transform((raw) => ({
    name: raw.name,
    invite: raw.instant_invite,
    /** The true count of members that are not offline; null where the service does not tell it. */
    presenceCount: raw.presence_count,
    channels: (raw.channels ?? []).toSorted((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity)),
    /** At most 100 rows whatever the true number is (field notes §2). */
    members: raw.members,
  }));
export type ChatStatus = z.output<typeof ChatStatus>;
