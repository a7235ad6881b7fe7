import { DiscordAPIError, RESTEvents, Routes } from 'discord.js';
import { z } from 'zod';
import { readHttpDate, readIsoTime } from '../../base/calendar.ts';
import type { Access } from '../../cards/board/board.ts';
import { accessWith, permissionsIn } from '../permissions.ts';
import { failureName } from '../rest/resend.ts';
import { createRestClient } from '../rest/rest-client.ts';
import { Application, allowedPayloads, withPeople } from './application.ts';
import type { Payload } from './describe-commands.ts';
import { isSame } from './publish.ts';

/** An answer, or Discord's refusal, or none. */
export type ProbeAnswer<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'refused'; readonly status: number; readonly code: number }
  | { readonly kind: 'lost'; readonly why: string };

const ApplicationRecord = Application.extend({ name: z.string() });
const Starts = z.object({
  shards: z.int(),
  session_start_limit: z.object({ total: z.int(), remaining: z.int() }),
});
const Guild = z.object({ id: z.string(), name: z.string() });
const Channel = z.object({
  id: z.string(),
  type: z.int(),
  permission_overwrites: z
    .array(z.object({ id: z.string(), allow: z.string(), deny: z.string() }))
    .default([]),
});
const Role = z.object({ id: z.string(), permissions: z.string() });
const Member = z.object({
  roles: z.array(z.string()),
  communication_disabled_until: z.string().nullish(),
});

/** The bot's access to a channel. */
type GuildAccess = (channelId: string) => Access;

export type DiscordProbe = ReturnType<typeof createDiscordProbe>;

/** Milliseconds that one request may take. */
const REQUEST_TIMEOUT_MS = 7000;

/** Looks at the bot's account over REST alone, without a login at the gateway. */
export function createDiscordProbe(settings: {
  readonly token: string;
  readonly apiUrl: string | null;
  readonly now: () => number;
}) {
  const { token, apiUrl, now } = settings;
  const rest = createRestClient({
    token,
    apiUrl,
    retries: 0,
    timeout: REQUEST_TIMEOUT_MS,
    rejectOnRateLimit: ({ retryAfter }) => retryAfter > REQUEST_TIMEOUT_MS,
  });
  let aheadMs: number | null = null;
  rest.on(RESTEvents.Response, (_, { headers }) => {
    const date = readHttpDate(headers.get('date'));
    if (date !== null) aheadMs = date - now();
  });
  const get = <T>(route: `/${string}`, schema: z.ZodType<T>, query?: Readonly<Record<string, string>>) =>
    read(schema, rest.get(route, query === undefined ? {} : { query: new URLSearchParams(query) }));

  return {
    application: () => get(Routes.currentApplication(), ApplicationRecord),
    /** Lets people add the bot to their own account, which is all that is ever changed. */
    takePeople: (application: Application) =>
      read(ApplicationRecord, rest.patch(Routes.currentApplication(), { body: withPeople(application) })),
    /** The number of shards that Discord recommends, and how many logins are left today. */
    starts: () => get(Routes.gatewayBot(), Starts),
    /** The first 200 guilds. */
    guilds: () => get(Routes.userGuilds(), z.array(Guild), { limit: '200' }),
    /** Returns whether these commands are published for that application, everywhere or in one guild. */
    async commands(
      application: Application,
      guildId: string | null,
      payloads: readonly Payload[],
    ): Promise<ProbeAnswer<'same' | 'different' | 'none'>> {
      const { id } = application;
      const route =
        guildId === null ? Routes.applicationCommands(id) : Routes.applicationGuildCommands(id, guildId);
      const published = await get(route, z.array(z.unknown()), { with_localizations: 'true' });
      if (published.kind !== 'answer') return published;
      if (published.value.length === 0) return { kind: 'answer', value: 'none' };
      return {
        kind: 'answer',
        value: isSame(allowedPayloads(payloads, application), published.value) ? 'same' : 'different',
      };
    },
    /** The bot's access to the channels of one guild; three requests. */
    async access(guildId: string, botId: string): Promise<GuildAccess> {
      const channels = await get(Routes.guildChannels(guildId), z.array(Channel));
      const roles = await get(Routes.guildRoles(guildId), z.array(Role));
      const member = await get(Routes.guildMember(guildId, botId), Member);
      if (channels.kind !== 'answer' || roles.kind !== 'answer' || member.kind !== 'answer') {
        const isOut = [channels, roles, member].some(
          (answer) => answer.kind === 'refused' && [403, 404].includes(answer.status),
        );
        return () => ({ kind: isOut ? 'unknown-channel' : 'unavailable' });
      }
      const membership = {
        id: guildId,
        // The list of channels does not name the owner.
        ownerId: null,
        memberId: botId,
        memberRoles: member.value.roles,
        roles: new Map(roles.value.map(({ id, permissions }) => [id, permissions])),
      };
      const isTimedOut = now() < (readIsoTime(member.value.communication_disabled_until ?? '') ?? 0);
      return (channelId) => {
        const channel = channels.value.find(({ id }) => id === channelId);
        if (channel === undefined) return { kind: 'unknown-channel' };
        const { type, permission_overwrites: overwrites } = channel;
        return accessWith(permissionsIn(overwrites, membership), { type, isTimedOut });
      };
    },
    /** How far Discord's clock is ahead of ours, in ms, by the last answer; null before one. */
    ahead: () => aheadMs,
  };
}

async function read<T>(schema: z.ZodType<T>, response: Promise<unknown>): Promise<ProbeAnswer<T>> {
  try {
    const { success, data } = schema.safeParse(await response);
    return success ? { kind: 'answer', value: data } : { kind: 'lost', why: 'an unreadable answer' };
  } catch (error) {
    if (error instanceof DiscordAPIError)
      return { kind: 'refused', status: error.status, code: Number(error.code) };
    return { kind: 'lost', why: failureName(error) };
  }
}
