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
import type { Shard } from '../store/shards/shard.ts';
import { createGatewayClient, type HandleInteraction } from './gateway/client.ts';
import { createGateway, createThrottler } from './gateway/gateway.ts';
import type { Guild } from './gateway/guild.ts';
import { createGuilds } from './gateway/guilds.ts';
import { Application } from './publish/application.ts';
import { createDiscordTime, type DiscordTime } from './rest/discord-time.ts';
import {
  createMakeRequest,
  withDateHeader,
  withoutRepeats,
  withRequestCount,
  withSecondTries,
} from './rest/make-request.ts';
import { createRequestCount, type RequestCount } from './rest/request-count.ts';
import { hasCode } from './rest/resend.ts';
import { createRestClient } from './rest/rest-client.ts';

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
    () => client.rest.get(Routes.gateway(), { auth: false }),
    (skewMs) => {
      if (skewMs === null) log.info("this machine's clock agrees with Discord's again");
      else
        log.warn(
          { seconds: Math.round(skewMs / SECOND) },
          "this machine's clock is wrong, by Discord's: times that people read are wrong by as much (on Linux: timedatectl set-ntp true)",
        );
    },
  );
  const requestOptions = createRequestOptions(options.apiUrl, requests, time.noteDate);
  const rest = createRestClient({
    ...requestOptions,
    token,
    globalRequestsPerSecond: MAX_REQUESTS_PER_SECOND,
  });
  const gateway = createGateway(rest, { clock, log });
  const earlyInteractions: Parameters<HandleInteraction>[] = [];
  const interactions: { handle: HandleInteraction } = {
    handle: (...arrival) => earlyInteractions.push(arrival),
  };
  const guildsThatCome = createListeners<[Guild]>();
  const changes = createListeners<[string]>();
  let userId: string | undefined;
  let losses = 0;
  const loss = Promise.withResolvers<StartError>();
  const ended = Promise.withResolvers<Error>();
  const client = createGatewayClient({
    token,
    gateway,
    rest: requestOptions,
    throttler: createThrottler(gateway, { clock, log }),
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
  });

  async function close(): Promise<void> {
    ended.resolve(new Error('no shard is to be connected any more'));
    await client.end();
  }

  const { available, ...guilds } = createGuilds(client, clock);
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
    /** Resolves when the first of the shards has received its guilds; rejects if none is to be connected, or can be. */
    async connect(shards: readonly Shard[]): Promise<void> {
      try {
        await orRefused(gateway.answer());
        const outcome = await Promise.race([client.connect(shards), ended.promise, loss.promise]);
        if (outcome instanceof Error) throw outcome;
      } catch (error) {
        if (error instanceof StartError) loss.resolve(error);
        await close();
        throw error;
      }
    },
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
    /** `losses`: how often a connection was lost since the start. */
    gatewayState: () => ({ ...client.state(), losses }),
    /** Milliseconds from the last heartbeat to its answer, on average over the shards; null before the first one. */
    latency(): number | null {
      const latencies = client.latencies();
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
    showStatus: client.showStatus,
    /** Shares Discord's limit on requests with this many processes. */
    sharedBy(processes: number): void {
      rest.options.globalRequestsPerSecond = Math.max(1, Math.floor(MAX_REQUESTS_PER_SECOND / processes));
    },
    /** Disconnects all shards, and connects none from now on. */
    close,
  };
}

/**
 * Options of two REST clients over the same connections: one for the bot's own requests, and the gateway client's for answers. Both
 * keep to the limits of each route, but the library counts every request towards the fifty a second, edits of answers too: a hundred
 * people who ask at once would wait for each other.
 */
function createRequestOptions(
  apiUrl: string | null,
  requests: RequestCount,
  onDate: DiscordTime['noteDate'],
) {
  return {
    apiUrl,
    makeRequest: withRequestCount(
      withSecondTries(withoutRepeats(withDateHeader(createMakeRequest(apiUrl), onDate))),
      requests,
    ),
    // A wait of a day (for publishing commands) would block everything, and nobody waits longer than this for a
    // reply.
    rejectOnRateLimit: ({ retryAfter }: RateLimitData) => retryAfter > MAX_WAIT_MS,
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
