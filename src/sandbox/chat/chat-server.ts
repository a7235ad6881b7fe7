import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  type APIInteraction,
  type APIMessage,
  GatewayDispatchEvents,
  type GatewayPresenceUpdate,
  GatewayIntentBits as Intent,
  PresenceUpdateStatus,
} from 'discord-api-types/v10';
import { createAttachments } from './attachments.ts';
import type { ChatEvent, ChatServerOptions, LocalChat } from './chat.ts';
import { createCommands } from './commands.ts';
import { createCommunityLife } from './community-life.ts';
import { createFaults } from './faults.ts';
import { createGateway } from './gateway.ts';
import { seedGuild } from './guild.ts';
import { botPresence, guildCreate, messageEvent, presenceOf, readableByBot } from './guild-events.ts';
import { directChannel, guildRoutes } from './guild-routes.ts';
import { interactionRoutes } from './interaction-routes.ts';
import { createInteractions } from './interactions.ts';
import { messageRoutes } from './message-routes.ts';
import { createMessages } from './messages.ts';
import { createModerator } from './moderator.ts';
import { createRateLimits } from './rate-limits.ts';
import { type AnsweredRequest, createRestServer } from './rest.ts';
import { createSnowflakes } from './snowflake.ts';
import { createVisitor } from './visitor.ts';

export type * from './chat.ts';

/** Delay of interactions under the fault `late-interactions`, in ms. */
const LATE = 3500;
const KEPT_REQUESTS = 10_000;
/** A plain number: the enum has no name for "no flags". */
const NO_FLAGS: number = 0;

/** Starts the local chat server; it listens on loopback only. */
export async function startChatServer(options: ChatServerOptions = {}): Promise<LocalChat> {
  const { port = 0, now = Date.now, grantedIntents = 0 } = options;
  const guild = seedGuild();
  const token = options.token ?? inventToken(guild.bot.id);
  const nextId = createSnowflakes(now);
  const live = createCommunityLife(guild);
  const listeners = new Set<(event: ChatEvent) => void>();
  const requests: AnsweredRequest[] = [];
  const waitingForBot = new Set<{ resolve: () => void; reject: (error: Error) => void }>();
  const late = new Set<NodeJS.Timeout>();
  let presence: GatewayPresenceUpdate | null = null;

  function emit(event: ChatEvent): void {
    for (const listener of listeners) listener(event);
  }

  function checkReady(): void {
    if (gateway.connections === 0 || commands.all.length === 0) return;
    for (const { resolve } of waitingForBot) resolve();
    waitingForBot.clear();
  }

  const faults = createFaults((name, on) => {
    emit({ type: 'faults' });
    if (name === 'guild-unavailable' && on) {
      const d = { id: guild.facts.id, unavailable: true } as const;
      gateway.send({ t: GatewayDispatchEvents.GuildDelete, d }, Intent.Guilds);
    } else if (name === 'guild-unavailable') {
      const back = (intents: number) => ({
        t: GatewayDispatchEvents.GuildCreate as const,
        d: guildCreate(guild, intents),
      });
      gateway.send(back, Intent.Guilds);
    }
    if (on && name === 'gateway-drop') gateway.drop();
    if (on && name === 'gateway-reconnect') gateway.reconnect();
    if (on && name === 'gateway-invalid') gateway.invalidate();
  });
  const messages = createMessages(now, nextId, (changed) => {
    const { change, message, readerId } = changed;
    const { channel_id: channelId, id: messageId } = message;
    if (change === 'delete') emit({ type: 'message-delete', channelId, messageId, readerId });
    else emit({ type: 'message', change, message, readerId });
    const announced = messageEvent(guild, grantedIntents, changed);
    if (announced !== null) gateway.send(announced.event, announced.intent);
  });
  const interactions = createInteractions(now);
  const attachments = createAttachments(nextId, () => origin);
  const commands = createCommands(guild, nextId, () => {
    emit({ type: 'commands' });
    checkReady();
  });
  const shown = (message: APIMessage) => readableByBot(guild, grantedIntents, message);
  const server = createRestServer({
    token,
    rates: createRateLimits(now),
    faults,
    now,
    routes: [
      ...guildRoutes({ guild, nextId, gatewayUrl: () => gateway.url }),
      ...commands.routes,
      ...interactionRoutes({ guild, messages, interactions, attachments }),
      ...messageRoutes({ guild, messages, attachments, faults, now, shown }),
      ...attachments.routes,
    ],
    received: ({ method, path, body }) => emit({ type: 'payload', method, path, body }),
    answered: (request, sent, body) => {
      emit({ type: 'answered', request, sent, body });
      requests.push(request);
      if (requests.length > KEPT_REQUESTS) requests.shift();
    },
  });
  const gateway = createGateway({
    server,
    token,
    granted: grantedIntents,
    welcome: (intents) => ({
      ready: {
        user: guild.bot,
        guilds: [{ id: guild.facts.id, unavailable: true }],
        application: { id: guild.bot.id, flags: NO_FLAGS, flags_new: '0' },
      },
      guild: faults.isOn('guild-unavailable') ? null : guildCreate(guild, intents),
    }),
    received: (method, body) => emit({ type: 'payload', method, path: '/gateway', body }),
    presence(sent) {
      presence = gateway.connections === 0 ? null : botPresence(guild, sent, now());
      emit({ type: 'members' });
    },
    connected: checkReady,
  });
  const moderator = createModerator(guild, messages, gateway, () => emit({ type: 'channels' }));

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = new URL(gateway.url.replace('ws:', 'http:')).origin;

  return {
    apiUrl: `${origin}/api`,
    token,
    guildId: guild.facts.id,
    guildName: guild.facts.name,
    botId: guild.bot.id,
    people: [...guild.residents.keys()].filter((id) => id !== guild.bot.id),
    moderator,
    requests,
    get channels() {
      return [...guild.channels.values()];
    },
    get members() {
      return [...guild.residents.values()].map(({ member, status }) => ({
        ...member,
        status: member.user.id === guild.bot.id ? (presence?.status ?? PresenceUpdateStatus.Offline) : status,
      }));
    },
    get presence() {
      return presence;
    },
    get faults() {
      return faults.all;
    },
    setFault: (name, on, times) => faults.set(name, on, times),
    disconnect: (code) => gateway.disconnect(code),
    directChannel: (userId) => directChannel(guild, userId, nextId).id,
    advance(seconds) {
      for (const resident of live(seconds)) {
        const d = presenceOf(guild, resident);
        gateway.send({ t: GatewayDispatchEvents.PresenceUpdate, d }, Intent.GuildPresences);
      }
      emit({ type: 'members' });
    },
    visitor(userId, installed = 'guild') {
      const resident = guild.residents.get(userId);
      if (resident === undefined) throw new Error(`nobody here has the id ${userId}`);
      const needs = { guild, messages, interactions, commands, now, nextId, installed };
      return createVisitor({ ...needs, send: sendInteraction }, resident);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ready() {
      return new Promise((resolve, reject) => {
        waitingForBot.add({ resolve, reject });
        // A bot that was just killed counts as connected until its closed socket is noticed.
        setImmediate(checkReady);
      });
    },
    async close() {
      for (const { reject } of waitingForBot) reject(new Error('the chat server was closed'));
      for (const timer of late) clearTimeout(timer);
      interactions.giveUp();
      const closed = once(server, 'close');
      await gateway.close();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };

  function sendInteraction(d: APIInteraction): void {
    const deliver = () => gateway.send({ t: GatewayDispatchEvents.InteractionCreate, d }, 0);
    if (!faults.strikes('late-interactions')) {
      deliver();
      return;
    }
    const timer = setTimeout(() => {
      late.delete(timer);
      deliver();
    }, LATE);
    late.add(timer);
  }
}

/** Formed like a real token and new for every server, so that finding it anywhere proves a leak. */
function inventToken(botId: string): string {
  const part = (length: number) => randomBytes(length).toString('base64url').slice(0, length);
  return `${Buffer.from(botId).toString('base64url')}.${part(6)}.${part(38)}`;
}
