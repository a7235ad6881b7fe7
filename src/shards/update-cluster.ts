import { change } from '../store/change.ts';
import type { Documents } from '../store/documents.ts';
import { type ClusterState, clusterStates, newClusterState } from './cluster-state.ts';
import { writeFences } from './fence.ts';

/**
 * Changes the cluster's state, and resolves with what the change comes to. `now`: the store's clock. The change may be
 * computed more than once. Rejects where the store fails.
 */
export type UpdateCluster = <Result extends { readonly state: ClusterState }>(
  change: (state: ClusterState, now: number) => Result,
) => Promise<Result & { readonly now: number }>;

const KEY = 'state';

export function createClusterUpdate(documents: Documents): UpdateCluster {
  return (changed) =>
    change(documents, async (transaction) => {
      const before = (await transaction.read(clusterStates, KEY)) ?? newClusterState;
      const now = transaction.now();
      const result = changed(before, now);
      transaction.write(clusterStates, KEY, result.state);
      writeFences(transaction, before, result.state);
      return { ...result, now };
    });
}
