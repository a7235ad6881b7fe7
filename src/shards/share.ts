import type { Shard } from './shard.ts';

/** Which shards a process connects. */
export type Share =
  /** Its part of the shards, leased; `count` is null where Discord says how many there are. */
  | { readonly kind: 'leased'; readonly count: number | null }
  /** These, without a lease: no other process has them. */
  | { readonly kind: 'fixed'; readonly shards: readonly Shard[] };

/** The same text for two processes with the same shards; null for a leased share. */
export function nameOfShare(share: Share): string | null {
  if (share.kind === 'leased') return null;
  return share.shards.map(({ id, count }) => `${id}/${count}`).join();
}
