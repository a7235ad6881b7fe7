/** The two ways in which the bot is connected: REST and the gateway, on one port. */
import type { Server } from 'node:http';
import type { GatewayPresenceUpdate } from 'discord.js';
import type { BotArrival } from './bot-arrival.ts';
import type { ChatLog } from './chat-log.ts';
import type { ChatState } from './chat-state.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import { botPresence, readableByBot, welcomeTo } from './gateway/guild-events.ts';
import { type Shard, serves } from './guild/shard.ts';
import { createRateLimits } from './rest/rate-limits.ts';
import { createRestServer, type Route } from './rest/rest.ts';
import { commandRoutes } from './routes/command-routes.ts';
import { eventRoutes } from './routes/event-routes.ts';
import { guildRoutes } from './routes/guild-routes.ts';
import { identityRoutes } from './routes/identity-routes.ts';
import { interactionRoutes } from './routes/interaction-routes.ts';
import { messageRoutes } from './routes/message-routes.ts';

interface ConnectionNeeds {
  readonly state: ChatState;
  readonly log: ChatLog;
  readonly arrival: BotArrival;
  /** The number of shards to recommend. */
  readonly shards: () => number;
}

export interface BotConnection {
  readonly server: Server;
  readonly gateway: Gateway;
  /** The bot's, as the community sees it; null while it is not connected. */
  readonly presence: GatewayPresenceUpdate | null;
}

export function createBotConnection(needs: ConnectionNeeds): BotConnection {
  const { state, log, arrival } = needs;
  const { now, token, starts, guilds, faults } = state;
  const guild = guilds.main;
  let presence: GatewayPresenceUpdate | null = null;
  const isCommunitys = (shard: Shard) => serves(shard, guild.facts.id);

  const server = createRestServer({
    token,
    faults,
    now,
    rates: createRateLimits(now),
    routes: routesOf(needs, (copy) => gateway.url(copy)),
    received: ({ method, path, body }) => log.emit({ type: 'payload', method, path, body }),
    answered: (request, sent, body) => log.answered(request, sent, body),
  });
  const gateway = createGateway({
    server,
    token,
    starts,
    now,
    guildsOn: (shard) => guilds.on(shard).length,
    welcome: (shard) =>
      welcomeTo(guild.bot, guilds.on(shard), (one) => one !== guild || !faults.isOn('guild-unavailable')),
    received: (method, body) => log.emit({ type: 'payload', method, path: '/gateway', body }),
    identified: (identified) => log.identified(identified),
    presence(sent, shard) {
      // The events of each guild go to its own shard.
      if (!isCommunitys(shard)) return;
      const isConnected = gateway.open.some((session) => isCommunitys(session.shard));
      presence = isConnected ? botPresence(guild, sent, now()) : null;
      log.emit({ type: 'members' });
    },
    connected: () => arrival.check(),
  });

  return {
    server,
    gateway,
    get presence() {
      return presence;
    },
  };
}

function routesOf(
  { state, shards }: ConnectionNeeds,
  gatewayUrl: (copy: string | null) => string,
): readonly Route[] {
  const { guilds, nextId, starts, channelEdits, commands, attachments, now } = state;
  return [
    ...identityRoutes({ guilds, gatewayUrl, shards, starts }),
    ...guildRoutes(guilds, nextId),
    ...eventRoutes(guilds, nextId, now),
    ...channelEdits,
    ...commandRoutes(commands, guilds.main),
    ...interactionRoutes(state),
    ...messageRoutes({ ...state, shown: (message) => readableByBot(guilds.main, message) }),
    ...attachments.routes,
  ];
}
