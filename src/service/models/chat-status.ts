import { z } from 'zod';
import { count, number, text } from './leaves.ts';
import { lenientFields, lenientList } from './lenient.ts';

/** Only an invitation to a Discord server, since people will click it. */
const inviteUrl = z
  .string()
  .regex(/^https:\/\/(?:discord\.gg|(?:www\.)?discord(?:app)?\.com\/invite)\/[\w-]{1,64}$/);

const Channel = z.object({ name: text, ...lenientFields({ id: text, position: number }) });
const Member = z.object({ username: text, ...lenientFields({ status: text, channel_id: text }) });

/**
 * Discord's refusal where the community has switched its widget off, or has no server of that id: its codes 50004 and 10004,
 * whatever the status beside them.
 */
const NoWidget = z.object({ code: number.pipe(z.literal([50004, 10004])) });
export const isWidgetOff = (body: unknown): boolean => NoWidget.safeParse(body).success;

const MemberList = z
  .object({
    members: lenientList('member', Member),
    ...lenientFields({
      name: text,
      instant_invite: inviteUrl,
      presence_count: count,
      channels: lenientList('channel', Channel),
    }),
  })
  .transform((raw) => ({
    name: raw.name,
    invite: raw.instant_invite,
    /** The true count of members who are not offline; null where the service does not report it. */
    presenceCount: raw.presence_count,
    channels: (raw.channels ?? []).toSorted((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity)),
    /** At most 100 rows, whatever the true count. */
    members: raw.members,
    isWidgetOff: false,
  }));

export const ChatStatus = z.union([
  MemberList,
  NoWidget.transform(() => ({ ...MemberList.parse({ members: [] }), isWidgetOff: true })),
]);
export type ChatStatus = z.output<typeof ChatStatus>;
