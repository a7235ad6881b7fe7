import { StoreError } from '../base/errors.ts';
import { json } from '../base/json.ts';
import type { SharedDocument } from '../store/shared-document.ts';
import { ClusterState, newClusterState } from './cluster-state.ts';

/** The change, with whatever else it comes to. `now`: the store's clock. */
export type Change<Result extends { readonly fleet: ClusterState }> = (
  fleet: ClusterState,
  now: number,
) => Result;

/** Changes the fleet; the change may be computed more than once. Rejects where the store fails. */
export type UpdateCluster = <Result extends { readonly fleet: ClusterState }>(
  change: Change<Result>,
) => Promise<Result & { readonly now: number }>;

/** Each time another process was faster. */
const TRIES = 20;

const Stored = json(ClusterState).catch(newClusterState);

/** An unreadable fleet is a new one: every process shows again what it has connected. */
export function createClusterUpdate(document: SharedDocument): UpdateCluster {
  return async (change) => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { text, now } = await document.read();
      const changed = change(text === null ? newClusterState : Stored.parse(text), now);
      if (await document.replace(text, JSON.stringify(changed.fleet))) return { ...changed, now };
    }
    throw new StoreError('other processes were faster each time');
  };
}
