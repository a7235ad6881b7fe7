import { once } from 'node:events';
import { type APIInteraction, PresenceUpdateStatus } from 'discord.js';
import { type BotArrival, createBotArrival } from './bot-arrival.ts';
import { type BotConnection, createBotConnection } from './bot-connection.ts';
import type { ChatServerOptions, GuildPlace, LocalChat } from './chat.ts';
import { type ChatLog, createChatLog } from './chat-log.ts';
import { type ChatState, createChatState } from './chat-state.ts';
import { type Announcements, createAnnouncements } from './gateway/announcements.ts';
import type { Gateway } from './gateway/gateway.ts';
import { createInteractionDelivery } from './gateway/interaction-delivery.ts';
import { createModerator } from './moderator.ts';
import { directChannel } from './routes/guild-routes.ts';
import type { FaultName } from './state/faults.ts';
import { createVisitor } from './visitor/create-visitor.ts';

export type * from './chat.ts';

/** Starts the local chat server; it listens on loopback only. */
export async function startChatServer(options: ChatServerOptions = {}): Promise<LocalChat> {
  const { port = 0 } = options;
  let recommended = options.shards ?? null;
  const log = createChatLog();
  const tell = createAnnouncements((event, to) => connection.gateway.send(event, to));
  const state = createChatState(options, {
    message(changed) {
      const { change, message, readerId } = changed;
      const { channel_id: channelId, id: messageId } = message;
      if (change === 'delete') log.emit({ type: 'message-delete', channelId, messageId, readerId });
      else log.emit({ type: 'message', change, message, readerId });
      tell.message(state.guilds.of(channelId), changed);
    },
    channel(guild, channel) {
      tell.channel(guild, channel);
      log.emit({ type: 'channels' });
    },
    commands() {
      log.emit({ type: 'commands' });
      arrival.check();
    },
    fault(name, on) {
      log.emit({ type: 'faults' });
      if (name === 'guild-unavailable') tell[on ? 'outage' : 'guild'](state.guilds.main);
      if (on) strike(name, connection.gateway);
    },
    origin: () => origin,
  });
  const arrival = createBotArrival(() => connection.gateway.open.length > 0 && state.commands.all.length > 0);
  const shards = () => recommended ?? state.guilds.enoughShards;
  const connection = createBotConnection({ state, log, arrival, shards });
  const deliver = createInteractionDelivery(state.faults, connection.gateway, (one) =>
    log.delivered({ at: state.now(), ...one }),
  );

  connection.server.listen(port, '127.0.0.1');
  await once(connection.server, 'listening');
  const origin = new URL(connection.gateway.url(null).replace('ws:', 'http:')).origin;
  return createLocalChat({
    state,
    log,
    tell,
    arrival,
    connection,
    deliver,
    origin,
    recommend(count) {
      recommended = count;
    },
  });
}

/** The faults that happen once, to the connections of the moment. */
function strike(name: FaultName, gateway: Gateway): void {
  if (name === 'gateway-drop') gateway.drop();
  if (name === 'gateway-reconnect') gateway.reconnect();
  if (name === 'gateway-invalid') gateway.invalidate();
}

interface Parts {
  readonly state: ChatState;
  readonly log: ChatLog;
  readonly tell: Announcements;
  readonly arrival: BotArrival;
  readonly connection: BotConnection;
  readonly origin: string;
  deliver(interaction: APIInteraction): void;
  recommend(shards: number): void;
}

function createLocalChat(parts: Parts): LocalChat {
  const { state, log, tell, connection, origin } = parts;
  const { guilds, faults } = state;
  const guild = guilds.main;
  const { gateway } = connection;
  return {
    apiUrl: `${origin}/api`,
    apiUrlOf: (copy) => `${origin}/copies/${copy}/api`,
    token: state.token.value,
    guildId: guild.facts.id,
    guildName: guild.facts.name,
    botId: guild.bot.id,
    people: [...guild.residents.keys()].filter((id) => id !== guild.bot.id),
    events: guild.events,
    moderator: createModerator(guilds, state.messages, tell, () => log.emit({ type: 'channels' })),
    requests: log.requests,
    identifies: log.identifies,
    deliveries: log.deliveries,
    get sessions() {
      return gateway.open;
    },
    get guilds() {
      return placesOf(state);
    },
    addGuilds(count, joined) {
      for (let added = 0; added < count; added += 1) tell.guild(guilds.add(joined));
    },
    kick(guildId) {
      const left = guilds.kick(guildId);
      tell.removal(left);
      return () => {
        guilds.invite(left, state.now());
        tell.guild(left);
      };
    },
    recommendShards: (count) => parts.recommend(count),
    get roles() {
      return [...guild.roles.values()].filter(({ id }) => id !== guild.facts.id);
    },
    get channels() {
      return [...guild.channels.values()];
    },
    get members() {
      return membersOf(parts);
    },
    get presence() {
      return connection.presence;
    },
    get faults() {
      return faults.all;
    },
    setFault: (name, on, times) => faults.set(name, on, times),
    disconnect: (code) => gateway.disconnect(code),
    directChannel: (userId) => directChannel(guild, userId, state.nextId).id,
    visitor(userId, { installed = 'guild', locale } = {}) {
      const resident = guild.residents.get(userId);
      if (resident === undefined) throw new Error(`nobody here has the id ${userId}`);
      const reader = { ...resident, locale: locale ?? resident.locale };
      return createVisitor({ ...state, installed, send: parts.deliver }, reader);
    },
    subscribe: (listener) => log.subscribe(listener),
    ready: () => parts.arrival.whenThere(),
    close: () => close(parts),
  };
}

function placesOf({ guilds }: ChatState): readonly GuildPlace[] {
  return guilds.all.map(({ facts: { id, name }, channels }) => ({
    id,
    name,
    channels: [...channels.values()],
  }));
}

function membersOf({ state: { guilds }, connection: { presence } }: Parts): LocalChat['members'] {
  const { residents, bot } = guilds.main;
  return [...residents.values()].map(({ member, status }) => ({
    ...member,
    status: member.user.id === bot.id ? (presence?.status ?? PresenceUpdateStatus.Offline) : status,
  }));
}

async function close({ state, arrival, connection: { server, gateway } }: Parts): Promise<void> {
  arrival.close();
  state.interactions.giveUp();
  const closed = once(server, 'close');
  await gateway.close();
  server.close();
  server.closeAllConnections();
  await closed;
}
