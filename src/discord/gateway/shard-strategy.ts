/** How a shard of discord.js connects, logs in and ends, where the library leaves that to its users. */
import {
  type APIInteraction,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type IIdentifyThrottler,
  type IShardingStrategy,
  SimpleShardingStrategy,
} from 'discord.js';
import { z } from 'zod';
import type { Log } from '../../base/log.ts';

type Manager = ConstructorParameters<typeof SimpleShardingStrategy>[0];

interface ShardStrategyParts {
  /** Shared by all shards: resolves when one of them may log in. */
  readonly throttler: IIdentifyThrottler;
  /** Gets every interaction: discord.js would keep the channels, roles and threads that one names as the guild's own. */
  readonly interaction: (raw: APIInteraction) => void;
  readonly log: Log;
}

/** After these, the library stays disconnected. */
const FINAL: readonly number[] = [
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
  GatewayCloseCodes.DisallowedIntents,
];

/**
 * For the `ws` option of one client with one shard. Differs from the library's own in four ways:
 * - A first connection that fails is tried again, as a later one is. The library would destroy the client.
 * - The shard ends when the library can end it: of a socket that is still being opened, the library leaves one whose failure
 *   ends the process. A shard that ends makes no further attempt to connect; the library would log in afterwards.
 * - A message that the library or discord.js cannot read is reported and left out.
 * - Interactions do not reach discord.js.
 */
export function createShardStrategy({ throttler, interaction, log }: ShardStrategyParts): {
  buildStrategy(manager: Manager): IShardingStrategy;
  buildIdentifyThrottler(): IIdentifyThrottler;
} {
  let isConnecting = false;
  let isEnding = false;
  /** Discord has greeted the shard, or the shard makes no further attempt to connect. */
  let canEnd = false;
  let whenItCan = (): void => {};

  function setEndable(): void {
    canEnd = true;
    whenItCan();
  }

  function observe(event: string, payload: unknown): void {
    if (event === 'hello') setEndable();
    if (event !== 'closed') return;
    canEnd = false;
    if (isEnding || FINAL.includes(Closed.parse(payload).code)) setEndable();
  }

  /** Kinds of refused dispatches that the log has a warning about. */
  const warned = new Set<string>();

  /** Logs a dispatch that decides about rights as a warning, once for each kind: only Discord can mend it. */
  function report(t: string, error: unknown): void {
    const isRefused = error instanceof z.ZodError && Object.hasOwn(schemas, t);
    const level = isRefused && !warned.has(t) ? 'warn' : 'debug';
    if (isRefused) warned.add(t);
    log[level]({ t, why: reasonOf(error) }, 'a dispatch cannot be read');
  }

  /** Passes an event of the connection on to discord.js, and an interaction to its taker. */
  function emit(manager: Manager, event: string, payload: unknown): boolean {
    observe(event, payload);
    let kind = event.toUpperCase();
    try {
      if (event === 'dispatch') {
        const { t, d } = Dispatch.parse(payload).data;
        kind = t;
        schemas[t]?.parse(d);
        if (t === GatewayDispatchEvents.InteractionCreate) {
          interaction(Interaction.parse(d));
          return true;
        }
      }
      return Reflect.apply(manager.emit, manager, [event, payload]);
    } catch (error) {
      report(kind, error);
      return true;
    }
  }

  return {
    buildStrategy(manager) {
      const options: Manager['options'] = {
        ...manager.options,
        // Asked for at each attempt to connect: a shard that ends makes no further one.
        retrieveSessionInfo: (id) =>
          isEnding ? new Promise(() => {}) : manager.options.retrieveSessionInfo(id),
      };
      // `emit` and `options` are public members of the manager. A strategy cannot make the shards itself: discord.js exports a
      // deprecated class of its own under the name of the library's WebSocketShard.
      const observed: Manager = Object.create(manager, {
        emit: { value: (event: string, payload: unknown) => emit(manager, event, payload) },
        options: { value: options },
      });
      const strategy = new SimpleShardingStrategy(observed);
      return {
        async spawn(ids) {
          await strategy.spawn(ids);
          for (const shard of strategy['shards'].values()) {
            const onMessage = shard['onMessage'].bind(shard);
            // Nothing in the library waits for it: its failure would be an unhandled rejection.
            shard['onMessage'] = (...message: unknown[]) =>
              onMessage(...message).catch((error: unknown) => report('MESSAGE', error));
          }
        },
        async connect() {
          isConnecting = true;
          await strategy.connect().catch(() => {});
        },
        async destroy(options) {
          isEnding = isConnecting;
          if (isEnding && !canEnd)
            await new Promise<void>((resolve) => {
              whenItCan = resolve;
            });
          await strategy.destroy(options);
        },
        send: (id, payload) => strategy.send(id, payload),
        fetchStatus: () => strategy.fetchStatus(),
      };
    },
    buildIdentifyThrottler: () => ({
      async waitForIdentify(id, signal) {
        if (!isEnding) await throttler.waitForIdentify(id, signal);
        signal.throwIfAborted();
      },
    }),
  };
}

/** Short: the message of a `ZodError` can be as long as the dispatch. */
function reasonOf(error: unknown): string {
  const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
  return issue === undefined ? String(error).slice(0, 100) : `${issue.path.join('.')}: ${issue.message}`;
}

const Closed = z.object({ code: z.number() });
/** An object, as nobody has checked it further: its readers are caught. */
const Interaction = z.custom<APIInteraction>((raw) => raw instanceof Object);
const Dispatch = z.object({ data: z.object({ t: z.string(), d: z.unknown() }) });

const id = z.string();
const bits = z.string().regex(/^\d+$/);
const role = z.object({ id, permissions: bits });
const overwrite = z.object({ id, allow: bits, deny: bits });
const channel = z.object({ id, permission_overwrites: z.array(overwrite).optional() });
const member = z.object({ user: z.object({ id }), roles: z.array(id) });
const guild = { id, roles: z.array(role) };

/** The parts of dispatches that decide about rights: discord.js would apply the half that it can read. */
const schemas: Readonly<Partial<Record<string, z.ZodType>>> = {
  [GatewayDispatchEvents.Ready]: z.object({ user: z.object({ id }), guilds: z.array(z.object({ id })) }),
  [GatewayDispatchEvents.GuildCreate]: z.union([
    z.object({ id, unavailable: z.literal(true) }),
    z.object({ ...guild, channels: z.array(channel), members: z.array(member) }),
  ]),
  [GatewayDispatchEvents.GuildDelete]: z.object({ id }),
  [GatewayDispatchEvents.GuildUpdate]: z.object(guild),
  [GatewayDispatchEvents.GuildMemberUpdate]: member.extend({ guild_id: id }),
  [GatewayDispatchEvents.GuildRoleCreate]: z.object({ guild_id: id, role }),
  [GatewayDispatchEvents.GuildRoleUpdate]: z.object({ guild_id: id, role }),
  [GatewayDispatchEvents.ChannelCreate]: channel,
  [GatewayDispatchEvents.ChannelUpdate]: channel,
};
