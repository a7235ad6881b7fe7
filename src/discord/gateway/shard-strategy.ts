/** How the shards of discord.js connect and end, where the library leaves that to its users. */
import { GatewayCloseCodes, type IIdentifyThrottler, SimpleShardingStrategy } from 'discord.js';

type Manager = ConstructorParameters<typeof SimpleShardingStrategy>[0];

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
 * For the `ws` option of a client. Differs from the library's own strategy in two ways:
 * - A first connection that fails is tried again, as a later one is. The library would destroy the client.
 * - The shards end when the library can end them: of a socket that is still being opened, the library leaves one whose failure
 *   ends the process. Shards that end make no further attempt to connect; the library would log in afterwards.
 */
export class PatientStrategy extends SimpleShardingStrategy {
  /** Shards that the library cannot end, because Discord has not greeted them. */
  readonly #ungreeted = new Set<number>();
  readonly #allGreeted = Promise.withResolvers<void>();
  #shardIds: readonly number[] = [];
  #isEnding = false;

  /** `throttler`: resolves when one of the shards may log in. */
  constructor(manager: Manager, throttler: IIdentifyThrottler) {
    super(manager);
    const { options } = manager;
    const { retrieveSessionInfo } = options;
    // Asked for at each attempt to connect.
    options.retrieveSessionInfo = (shardId) => {
      if (!this.#isEnding) return retrieveSessionInfo(shardId);
      this.#setGreeted(shardId);
      return new Promise(() => {});
    };
    options.buildIdentifyThrottler = () => ({
      waitForIdentify: (shardId, signal) =>
        this.#isEnding ? new Promise(() => {}) : throttler.waitForIdentify(shardId, signal),
    });
    manager.on('hello', ({ shardId }: { readonly shardId: number }) => this.#setGreeted(shardId));
    manager.on('closed', ({ code, shardId }: { readonly code: number; readonly shardId: number }) => {
      if (this.#isEnding || FINAL.includes(code)) this.#setGreeted(shardId);
      else this.#ungreeted.add(shardId);
    });
  }

  override async spawn(shardIds: number[]): Promise<void> {
    await super.spawn(shardIds);
    this.#shardIds = shardIds;
  }

  override async connect(): Promise<void> {
    for (const shardId of this.#shardIds) this.#ungreeted.add(shardId);
    await super.connect().catch(() => {});
  }

  override async destroy(options?: Parameters<SimpleShardingStrategy['destroy']>[0]): Promise<void> {
    // The library destroys the shards before it makes them, too.
    this.#isEnding = this.#shardIds.length > 0;
    if (this.#ungreeted.size > 0) await this.#allGreeted.promise;
    await super.destroy(options);
  }

  #setGreeted(shardId: number): void {
    this.#ungreeted.delete(shardId);
    if (this.#isEnding && this.#ungreeted.size === 0) this.#allGreeted.resolve();
  }
}
