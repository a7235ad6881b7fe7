/** The boards in the store: read where they have changed, since reading ten thousand takes a tenth of a second. */
import type { Clock } from '../base/clock.ts';
import { MINUTE } from '../base/duration.ts';
import type { ShardLeases } from '../shards/shard-leases.ts';
import type { BoardRecord, BoardRecords } from './board-records.ts';

interface StoredParts {
  readonly records: BoardRecords;
  readonly leases: ShardLeases;
  readonly clock: Clock;
}

/** What was read last. */
interface Known {
  readonly version: number;
  /** By the monotonic clock. */
  readonly at: number;
  /** Of all boards, whichever process runs them: guilds by channels. */
  readonly guilds: ReadonlyMap<string, string>;
}

/** After this many ms they are read anyway: a process of an older version writes without raising the version. */
const READ_ANYWAY = 5 * MINUTE;

/**
 * Calls `follow` with the boards whose shards this process holds, unless there is nothing to follow: the store is as it was
 * then, and all of them run. What `follow` throws is thrown, and the next call reads again.
 */
export function createStoredBoards({ records, leases, clock }: StoredParts) {
  let known: Known | null = null;

  function isFollowed(
    { version, at, guilds }: Known,
    now: number,
    isRunning: (id: string) => boolean,
  ): boolean {
    if (version !== now || clock.monotonic() - at >= READ_ANYWAY) return false;
    for (const [channelId, guildId] of guilds)
      if (!isRunning(channelId) && leases.holds(guildId)) return false;
    return true;
  }

  return async (
    isRunning: (channelId: string) => boolean,
    follow: (ours: readonly BoardRecord[]) => void,
  ): Promise<void> => {
    // Asked first: what is written in between is read now, and once more.
    const version = await records.version();
    if (known !== null && isFollowed(known, version, isRunning)) return;
    const all = await records.all();
    follow(all.filter(({ settings }) => leases.holds(settings.guildId)));
    const guilds = new Map(all.map(({ settings: { channelId, guildId } }) => [channelId, guildId]));
    known = { version, at: clock.monotonic(), guilds };
  };
}
