import {
  DiscordAPIError,
  GatewayCloseCodes,
  type RateLimitData,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js';
import { type Clock, systemClock } from '../base/clock.ts';
import { MINUTE, SECOND } from '../base/duration.ts';
import { StartError } from '../base/errors.ts';
import { createListeners } from '../base/listeners.ts';
import type { Log } from '../base/log.ts';
import { createOutage } from '../base/outage.ts';
import { sumBy } from '../base/sum-by.ts';
import { nameOf, type Shard } from '../shards/shard.ts';
import { createGateway, createThrottler } from './gateway/gateway.ts';
import type { Guild } from './gateway/guild.ts';
import { createGuilds } from './gateway/guilds.ts';
import { createShardClient, type HandleInteraction, type ShardClient } from './gateway/shard-client.ts';
import { Application } from './publish/application.ts';
import { createDiscordTime, type DiscordTime } from './rest/discord-time.ts';
import { createMakeRequest, withDateHeader, withoutRepeats, withRequestCount } from './rest/make-request.ts';
import { createRequestCount, type RequestCount } from './rest/request-count.ts';
import { hasCode } from './rest/resend.ts';
import { createRest, createRestClient } from './rest/rest-client.ts';

/** Milliseconds that a request waits for a rate limit to pass. */
const MAX_WAIT_MS = MINUTE;
/** Requests a second of all processes together: Discord allows fifty, and does not count answers to interactions. */
const MAX_REQUESTS_PER_SECOND = 45;

/** All of this process's shards as one. */
export type Connection = ReturnType<typeof createConnection>;

interface ConnectionOptions {
  readonly token: string;
  readonly apiUrl: string | null;
  readonly log: Log;
  readonly clock?: Clock;
}

/** The connection to Discord, before any shard is connected, so that other parts can be built on it first. */
export function createConnection(options: ConnectionOptions) {
  const { token, log, clock = systemClock } = options;
  const rejection = createOutage(
    () =>
      log.error(
        'Discord rejects the token (401): boards, alerts and roles stand still until it takes it again',
      ),
    () => log.info('Discord takes the token again'),
  );
  const requests = createRequestCount(clock, (result) => {
    if (result === 'unauthorised') rejection.failed(null);
    if (result === 'ok') rejection.worked();
  });
  const time = createDiscordTime(
    clock,
    () => answers.get(Routes.gateway(), { auth: false }),
    (skewMs) => {
      if (skewMs === null) log.info("this machine's clock agrees with Discord's again");
      else
        log.warn(
          { seconds: Math.round(skewMs / SECOND) },
          "this machine's clock is wrong, by Discord's: times that people read are wrong by as much (on Linux: timedatectl set-ntp true)",
        );
    },
  );
  const { rest, answers } = createRests(options, requests, time.noteDate);
  const gateway = createGateway(rest, { clock, log });
  const earlyInteractions: Parameters<HandleInteraction>[] = [];
  const interactions: { handle: HandleInteraction } = {
    handle: (...arrival) => earlyInteractions.push(arrival),
  };
  const guildsThatCome = createListeners<[Guild]>();
  const changes = createListeners<[string]>();
  let status: string | null = null;
  let userId: string | undefined;
  let losses = 0;

  const open = new Map<string, { shard: Shard; client: ShardClient; removed: PromiseWithResolvers<Error> }>();
  const all = () => [...open.values()].map(({ client }) => client);
  const loss = Promise.withResolvers<StartError>();
  const parts = {
    token,
    gateway,
    answers,
    throttler: createThrottler(gateway, { clock, log }),
    status: () => status,
    interactions,
    clock,
    log,
    listener: {
      loggedIn(botId: string) {
        userId = botId;
      },
      guild: guildsThatCome.call,
      changed: changes.call,
      away() {
        losses += 1;
      },
      closed: (code: number) => loss.resolve(closedFor(code)),
    },
  };

  async function disconnect(shard: Shard): Promise<void> {
    const ending = open.get(nameOf(shard));
    open.delete(nameOf(shard));
    ending?.removed.resolve(new Error('the shard is no longer to be connected'));
    await ending?.client.end();
  }

  const { available, ...guilds } = createGuilds(all, clock);
  return {
    ...guilds,
    /** For everything but answers to interactions. Needs no gateway connection. */
    rest,
    /** Requests of all clients that count towards Discord's limit. */
    requests,
    ageOf: time.ageOf,
    clockSkew: time.clockSkew,
    isClockRight: time.isClockRight,
    /** Asks Discord whether the bot is not in the guild, whatever the gateway has reported; false if Discord does not say so. */
    hasLeft: (guildId: string): Promise<boolean> =>
      rest.get(Routes.guild(guildId)).then(
        () => false,
        (error: unknown) =>
          hasCode(error, RESTJSONErrorCodes.UnknownGuild) || hasCode(error, RESTJSONErrorCodes.MissingAccess),
      ),
    async connect(shard: Shard): Promise<void> {
      const client = createShardClient({ ...parts, shard });
      const removed = Promise.withResolvers<Error>();
      open.set(nameOf(shard), { shard, client, removed });
      try {
        const connecting = orRefused(client.connect());
        const outcome = await Promise.race([connecting, removed.promise, loss.promise]);
        if (outcome instanceof Error) throw outcome;
      } catch (error) {
        if (error instanceof StartError) loss.resolve(error);
        await disconnect(shard);
        throw error;
      }
    },
    disconnect,
    /** Resolves with the reason where only the bot's owner can help: Discord refuses the token, or a connection for good. */
    lost: loss.promise,
    /** Throws a {@link StartError} where Discord rejects the token, or is not there. */
    gateway: () => orRefused(gateway.info()),
    /** The application that the bot belongs to. Waits for Discord as {@link gateway} does, and rejects like that. */
    async application(): Promise<Application> {
      // One wait, and one line of the log about it, where Discord is away.
      await orRefused(gateway.info());
      return Application.parse(await orRefused(gateway.reach(() => rest.get(Routes.currentApplication()))));
    },
    /** The bot's own id; undefined before the first login. */
    userId: () => userId,
    gatewayState() {
      const ready = all().filter((each) => each.isReady());
      return {
        /** Connections of this process that have been logged in, and how many of them are now. */
        shards: ready.length,
        ready: ready.filter((each) => each.isConnected()).length,
        guilds: sumBy(ready, (each) => each.guilds.size),
        /** Shards of all processes together; null before the first login. */
        total: open.values().next().value?.shard.count ?? null,
        /** How often one of them was lost since the start. */
        losses,
      };
    },
    /** Milliseconds from the last heartbeat to its answer, on average over the shards; null before the first one. */
    latency(): number | null {
      const latencies = all().flatMap((client) => client.latency() ?? []);
      return latencies.length === 0
        ? null
        : latencies.reduce((sum, latency) => sum + latency) / latencies.length;
    },
    /**
     * Gets every interaction, those first that have come before: a person who asks during a restart is answered as soon as
     * there is someone to answer.
     */
    onInteraction(handle: HandleInteraction): void {
      interactions.handle = handle;
      for (const arrival of earlyInteractions.splice(0)) handle(...arrival);
    },
    /** Gets every guild that is there, and every one that comes: at a login, or because the bot is invited. */
    onGuild(handle: (guild: Guild) => Promise<void>, failed: (error: unknown) => void): void {
      guildsThatCome.listen(handle, failed);
      for (const guild of available()) handle(guild).catch(failed);
    },
    /** Calls back with each guild whose permissions may have changed; the returned function stops it. */
    onAccess: changes.listen,
    /** The line below the bot's name, on every shard and after every login. */
    showStatus(text: string): void {
      status = text;
      for (const each of all()) each.showStatus();
    },
    /** Shares Discord's limit on requests with this many processes. */
    sharedBy: (processes: number): void =>
      rest.limitTo(Math.max(1, Math.floor(MAX_REQUESTS_PER_SECOND / processes))),
    async close(): Promise<void> {
      await Promise.all(all().map((each) => each.end()));
    },
  };
}

/**
 * Two clients over the same connections. Both keep to the limits of each route, but the library counts every request
 * towards the fifty a second, edits of answers too: a hundred people who ask at once would wait for each other. Answers need
 * no token but the interaction's.
 */
function createRests(
  { token, apiUrl }: ConnectionOptions,
  requests: RequestCount,
  onDate: DiscordTime['noteDate'],
): { rest: ReturnType<typeof createRestClient>; answers: ReturnType<typeof createRest> } {
  const options = {
    apiUrl,
    makeRequest: withRequestCount(
      withoutRepeats(withDateHeader(createMakeRequest(apiUrl), onDate)),
      requests,
    ),
    // A wait of a day (for publishing commands) would block everything, and nobody waits longer than this for a
    // reply.
    rejectOnRateLimit: ({ retryAfter }: RateLimitData) => retryAfter > MAX_WAIT_MS,
  };
  return {
    rest: createRestClient({ ...options, token, globalRequestsPerSecond: MAX_REQUESTS_PER_SECOND }),
    answers: createRest({ ...options, globalRequestsPerSecond: Number.POSITIVE_INFINITY }),
  };
}

/** Says which setting is wrong where Discord rejects the token, or something else than Discord answers. */
async function orRefused<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    const status = error instanceof DiscordAPIError ? error.status : null;
    if (status === 401) throw closedFor(GatewayCloseCodes.AuthenticationFailed);
    if (status === 404)
      throw new StartError('DISCORD_API_URL: no Discord answers there (404). Correct it, or leave it empty');
    throw error;
  }
}

/** Why the bot cannot go on after one of Discord's final close codes. A start asks anew for the number of shards. */
function closedFor(code: number): StartError {
  return new StartError(whyClosed(code), { mayPass: code === GatewayCloseCodes.ShardingRequired });
}

function whyClosed(code: number): string {
  switch (code) {
    case GatewayCloseCodes.AuthenticationFailed:
      return 'DISCORD_TOKEN was rejected by Discord. Copy it again from the Discord Developer Portal (Bot, Reset Token)';
    case GatewayCloseCodes.DisallowedIntents:
    case GatewayCloseCodes.InvalidIntents:
      return `DISCORD_TOKEN: Discord denies this bot the intents it asks for (Guilds, code ${code}). Check the Bot page of the Discord Developer Portal`;
    case GatewayCloseCodes.ShardingRequired:
    case GatewayCloseCodes.InvalidShard:
      return `SHARDS: Discord wants another number of shards (code ${code}). Leave it empty and start again, or raise the number`;
    default:
      return `DISCORD_TOKEN: Discord closed the connection for good (code ${code}, ${GatewayCloseCodes[code] ?? 'unknown'})`;
  }
}
