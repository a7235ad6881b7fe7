import { InteractionType } from 'discord.js';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import type { ContextParts } from '../../src/command-kit/context.ts';
import { createViewers } from '../../src/command-kit/viewer.ts';
import type { Guild } from '../../src/discord/gateway/guild.ts';
import { createInteraction, type Interaction } from '../../src/discord/interaction.ts';
import { createDispatch } from '../../src/discord/interactions/dispatch.ts';
import { createRestClient } from '../../src/discord/rest/rest-client.ts';
import { contextParts } from './context.ts';
import { createTranslators } from './translators.ts';

type DispatchParts = Parameters<typeof createDispatch>[0];

const translatorFor = createTranslators();
const APPLICATION = '100000000000000002';
const CHANNEL = '100000000000000003';
const PERSON = '100000000000000004';

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
  guilds = new Map(),
  answer = () => new Response(null, { status: 204 }),
  context,
  ...parts
}: Partial<Omit<DispatchParts, 'context'>> & {
  readonly context?: Partial<ContextParts>;
  readonly guilds?: ReadonlyMap<string, Guild | null>;
  readonly answer?: () => Response;
} = {}) {
  const heard: Heard[] = [];
  const client = createRestClient({
    token: 'none',
    apiUrl: null,
    async makeRequest(url, { body }) {
      heard.push({ at: performance.now(), path: new URL(url).pathname, body: String(body ?? '') });
      return answer();
    },
  });
  const all = contextParts(context);
  const dispatch = createDispatch({
    mayAnswer: async () => true,
    commands: new Map(),
    ...{ translatorFor, context: all, notify: async () => {} },
    viewerOf: createViewers({ ...all, translatorFor, failed: () => {} }),
    log: createLog({ level: 'silent', secrets: [] }),
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
      const whole: object = {
        ...{ id: String(lastId), token: 'token', application_id: APPLICATION, version: 1 },
        ...{ channel_id: CHANNEL, channel: { id: CHANNEL, type: 0 }, locale: 'en-GB', app_permissions: '0' },
        ...{ user: userWith(PERSON), authorizing_integration_owners: { 1: PERSON }, ...sent },
      };
      if (!isInteraction(whole)) throw new TypeError('no interaction');
      dispatch.handle(createInteraction(whole, client, guilds));
    },
  };
}

/** As Discord sends it: the gateway's own types promise more than a test needs. */
function isInteraction(sent: object): sent is Interaction['raw'] {
  return 'type' in sent && sent.type !== InteractionType.Ping;
}
