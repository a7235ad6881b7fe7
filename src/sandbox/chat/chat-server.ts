import { once } from 'node:events';
import {
  type APIMessage,
  GatewayDispatchEvents,
  type GatewayPresenceUpdate,
  GatewayIntentBits as Intent,
  PresenceUpdateStatus,
} from 'discord-api-types/v10';
import { createAttachments } from './attachments.ts';
import { createBotToken, inventToken } from './bot-token.ts';
import type { ChatEvent, ChatServerOptions, Delivery, LocalChat } from './chat.ts';
import { createCommands } from './commands.ts';
import { createCommunityLife } from './community-life.ts';
import { createEmojis } from './emojis.ts';
import { createFaults } from './faults.ts';
import { createGateway } from './gateway.ts';
import type { Guild } from './guild.ts';
import { botPresence, guildCreate, messageEvent, presenceOf, readableByBot } from './guild-events.ts';
import { directChannel, guildRoutes } from './guild-routes.ts';
import { createGuilds } from './guilds.ts';
import { createInteractionDelivery } from './interaction-delivery.ts';
import { interactionRoutes } from './interaction-routes.ts';
import { createInteractions } from './interactions.ts';
import type { Identified } from './login.ts';
import { messageRoutes } from './message-routes.ts';
import { createMessages } from './messages.ts';
import { createModerator } from './moderator.ts';
import { createRateLimits } from './rate-limits.ts';
import { type AnsweredRequest, createRestServer } from './rest.ts';
import { createSessionStarts } from './session-starts.ts';
import { serves } from './shard.ts';
import { createSnowflakes } from './snowflake.ts';
import { createVisitor } from './visitor.ts';

export type * from './chat.ts';

/** Of what tests look back at. */
const KEPT = 10_000;
/** A plain number: the enum has no name for "no flags". */
const NO_FLAGS: number = 0;

/** Starts the local chat server; it listens on loopback only. */
export async function startChatServer(options: ChatServerOptions = {}): Promise<LocalChat> {
  const { port = 0, now = Date.now, grantedIntents = 0 } = options;
  const { maxConcurrency = 1, identifySpacing: spacing = 0, identifiesPerDay: total = 1000 } = options;
  const guilds = createGuilds();
  const guild = guilds.main;
  for (let more = 1; more < (options.guilds ?? 1); more += 1) guilds.add();
  const starts = createSessionStarts({ total, maxConcurrency, spacing, now });
  const token = createBotToken(options.token ?? inventToken(guild.bot.id));
  let recommended = options.shards ?? null;
  const nextId = createSnowflakes(now);
  const live = createCommunityLife(guild);
  const listeners = new Set<(event: ChatEvent) => void>();
  const requests: AnsweredRequest[] = [];
  const identifies: Identified[] = [];
  const deliveries: Delivery[] = [];
  const waitingForBot = new Set<{ resolve: () => void; reject: (error: Error) => void }>();
  let presence: GatewayPresenceUpdate | null = null;

  /** The guild is there, or there again. */
  function announce(one: Guild): void {
    const t = GatewayDispatchEvents.GuildCreate;
    const to = { guildId: one.facts.id, intents: Intent.Guilds };
    gateway.send((intents) => ({ t, d: guildCreate(one, intents) }), to);
  }

  function emit(event: ChatEvent): void {
    for (const listener of listeners) listener(event);
  }

  function checkReady(): void {
    if (gateway.open.length === 0 || commands.all.length === 0) return;
    for (const { resolve } of waitingForBot) resolve();
    waitingForBot.clear();
  }

  const faults = createFaults((name, on) => {
    emit({ type: 'faults' });
    if (name === 'guild-unavailable' && on) {
      const d = { id: guild.facts.id, unavailable: true } as const;
      gateway.send(
        { t: GatewayDispatchEvents.GuildDelete, d },
        { guildId: guild.facts.id, intents: Intent.Guilds },
      );
    } else if (name === 'guild-unavailable') {
      announce(guild);
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
    const announced = messageEvent(guilds.of(channelId), grantedIntents, changed);
    if (announced !== null) gateway.send(announced.event, announced.to);
  });
  const interactions = createInteractions(now);
  const attachments = createAttachments(nextId, () => origin);
  const emojis = createEmojis(guild.bot, nextId, () => origin);
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
      ...guildRoutes({
        guilds,
        nextId,
        gatewayUrl: (copy) => gateway.url(copy),
        shards: () => recommended ?? guilds.enoughShards,
        starts,
      }),
      ...commands.routes,
      ...emojis.routes,
      ...interactionRoutes({ guilds, messages, interactions, attachments }),
      ...messageRoutes({ guilds, messages, attachments, faults, now, shown }),
      ...attachments.routes,
    ],
    received: ({ method, path, body }) => emit({ type: 'payload', method, path, body }),
    answered: (request, sent, body) => {
      emit({ type: 'answered', request, sent, body });
      keep(requests, request);
    },
  });
  const gateway = createGateway({
    server,
    token,
    starts,
    now,
    granted: grantedIntents,
    guildsOn: (shard) => guilds.on(shard).length,
    welcome: (shard, intents) => ({
      ready: {
        user: guild.bot,
        guilds: guilds.on(shard).map(({ facts: { id } }) => ({ id, unavailable: true })),
        application: { id: guild.bot.id, flags: NO_FLAGS, flags_new: '0' },
      },
      guilds: guilds
        .on(shard)
        .filter((one) => one !== guild || !faults.isOn('guild-unavailable'))
        .map((one) => guildCreate(one, intents)),
    }),
    received: (method, body) => emit({ type: 'payload', method, path: '/gateway', body }),
    identified: (identified) => keep(identifies, identified),
    presence(sent, shard) {
      // As the community sees it; each guild is told by its own shard.
      if (!serves(shard, guild.facts.id)) return;
      presence = gateway.open.every((session) => !serves(session.shard, guild.facts.id))
        ? null
        : botPresence(guild, sent, now());
      emit({ type: 'members' });
    },
    connected: checkReady,
  });
  const delivery = createInteractionDelivery(faults, gateway, (one) =>
    keep(deliveries, { at: now(), ...one }),
  );
  const moderator = createModerator(guilds, messages, gateway, () => emit({ type: 'channels' }));

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = new URL(gateway.url(null).replace('ws:', 'http:')).origin;

  return {
    apiUrl: `${origin}/api`,
    apiUrlOf: (copy) => `${origin}/copies/${copy}/api`,
    token: token.value,
    guildId: guild.facts.id,
    guildName: guild.facts.name,
    botId: guild.bot.id,
    people: [...guild.residents.keys()].filter((id) => id !== guild.bot.id),
    moderator,
    requests,
    identifies,
    deliveries,
    get sessions() {
      return gateway.open;
    },
    get guilds() {
      return guilds.all.map(({ facts: { id, name }, channels }) => ({
        id,
        name,
        channels: [...channels.values()],
      }));
    },
    addGuilds(count, joined) {
      for (let added = 0; added < count; added += 1) announce(guilds.add(joined));
    },
    recommendShards(count) {
      recommended = count;
    },
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
    emojiPicture: emojis.pictureOf,
    get faults() {
      return faults.all;
    },
    setFault: (name, on, times) => faults.set(name, on, times),
    disconnect: (code) => gateway.disconnect(code),
    directChannel: (userId) => directChannel(guild, userId, nextId).id,
    advance(seconds) {
      for (const resident of live(seconds)) {
        const d = presenceOf(guild, resident);
        const to = { guildId: guild.facts.id, intents: Intent.GuildPresences };
        gateway.send({ t: GatewayDispatchEvents.PresenceUpdate, d }, to);
      }
      emit({ type: 'members' });
    },
    visitor(userId, installed = 'guild') {
      const resident = guild.residents.get(userId);
      if (resident === undefined) throw new Error(`nobody here has the id ${userId}`);
      const needs = { guilds, messages, interactions, commands, now, nextId, installed };
      return createVisitor({ ...needs, send: delivery.send }, resident);
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
      delivery.close();
      interactions.giveUp();
      const closed = once(server, 'close');
      await gateway.close();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function keep<T>(list: T[], latest: T): void {
  list.push(latest);
  if (list.length > KEPT) list.shift();
}
