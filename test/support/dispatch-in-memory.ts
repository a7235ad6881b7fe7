import { GatewayDispatchEvents, type InteractionType } from 'discord.js';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import type { ContextParts } from '../../src/command-kit/context.ts';
import { createViewers } from '../../src/command-kit/viewer.ts';
import { createDispatchGuard } from '../../src/discord/gateway/dispatches.ts';
import { createDispatch } from '../../src/discord/interactions/dispatch.ts';
import { contextParts } from './context.ts';
import { addGuild, createInteraction, createOfflineClient } from './interaction.ts';
import { createTranslators } from './translators.ts';

type DispatchParts = Parameters<typeof createDispatch>[0];

const translatorFor = createTranslators();
const silentLog = createLog({ level: 'silent', secrets: [] });
const guard = createDispatchGuard(silentLog);
const APPLICATION = '100000000000000002';
/** Where all interactions are made. */
export const CHANNEL = '100000000000000003';
/** Who asks. */
export const PERSON = '100000000000000004';

/** One request to Discord. */
export interface Heard {
  /** By `performance.now()`. */
  readonly at: number;
  readonly path: string;
  readonly body: string;
}

/** What an interaction is about, and what differs from one of a person who manages nothing, in no guild. */
interface Sent {
  readonly type: InteractionType;
  readonly data: object;
  readonly [field: string]: unknown;
}

/** Those of a guild, whose administrators have invited the bot. */
export function inGuild(guildId: string, permissions = '0') {
  const member = { user: userWith(PERSON), roles: [], permissions };
  return { guild_id: guildId, member, user: undefined, authorizing_integration_owners: { 0: guildId } };
}

const userWith = (id: string) => ({
  id,
  username: 'anna',
  discriminator: '0',
  avatar: null,
  global_name: null,
});

/** A dispatch whose requests are heard instead of sent, and answered with 204 if not by `answer`. */
export function dispatchInMemory({
  guilds = [],
  answer = () => new Response(null, { status: 204 }),
  context,
  ...parts
}: Partial<Omit<DispatchParts, 'context'>> & {
  readonly context?: Partial<ContextParts>;
  readonly guilds?: readonly Parameters<typeof addGuild>[1][];
  readonly answer?: () => Response;
} = {}) {
  const heard: Heard[] = [];
  const client = createOfflineClient({
    async makeRequest(url, { body }) {
      heard.push({ at: performance.now(), path: new URL(url).pathname, body: String(body ?? '') });
      return answer();
    },
  });
  for (const guild of guilds) addGuild(client, guild);
  const all = contextParts(context);
  const dispatch = createDispatch({
    mayAnswer: async () => true,
    commands: new Map(),
    ...{ translatorFor, context: all, notify: async () => {} },
    viewerOf: createViewers({ ...all, translatorFor, failed: () => {} }),
    log: silentLog,
    clock: systemClock,
    ...parts,
  });
  let lastId = 200_000_000_000_000_000n;
  return {
    heard,
    drain: dispatch.drain,
    /** Takes an interaction, which comes now. */
    ask(sent: Sent): void {
      lastId += 1n;
      const d = {
        ...{ id: String(lastId), token: 'token', application_id: APPLICATION, version: 1 },
        ...{ channel_id: CHANNEL, channel: { id: CHANNEL, type: 0 }, locale: 'en-GB', app_permissions: '0' },
        ...{ user: userWith(PERSON), authorizing_integration_owners: { 1: PERSON } },
        ...{ entitlements: [], attachment_size_limit: 0, ...sent },
      };
      const packet = { t: GatewayDispatchEvents.InteractionCreate, d };
      guard(packet);
      dispatch.handle(createInteraction(client, packet.d));
    },
  };
}
