import { type ClusterState, isAlive } from './cluster-state.ts';

/**
 * The number of shards, as a process that starts would have it: `asked` by its setting, or `recommended` by
 * Discord. Where others are running it changes while they are: the new shards are connected beside the present
 * ones. Discord's recommendation only ever adds shards to those in use.
 */
export function withCount(
  fleet: ClusterState,
  {
    asked,
    recommended,
    now,
  }: { readonly asked: number | null; readonly recommended: number; readonly now: number },
): ClusterState {
  const isInUse = Object.keys(fleet.members).some((id) => isAlive(fleet, id, now));
  if (!isInUse || fleet.count === 0) return { ...fleet, count: asked ?? recommended, next: null, leases: {} };
  const present = fleet.next ?? fleet.count;
  const wanted = asked ?? Math.max(recommended, present);
  if (wanted === present) return fleet;
  return { ...fleet, next: wanted === fleet.count ? null : wanted };
}
