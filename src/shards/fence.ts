import { z } from 'zod';
import { StoreError } from '../base/errors.ts';
import type { Transaction } from '../store/change.ts';
import { collection } from '../store/collection.ts';

/** The writer's lease: what it writes for the shard's guilds is written only while that is the newest one. */
export interface Fence {
  /** Empty where no lease is needed. */
  readonly shard: string;
  readonly holder: string;
  readonly epoch: number;
}

/** For shards that no other process takes. */
export const unfenced: Fence = { shard: '', holder: '', epoch: 0 };

/** The newest lease of each shard, by its name: a document of thirty bytes, so that each of many writes can read it. */
const fences = collection({
  name: 'shard-fences',
  schema: z.object({ holder: z.string(), epoch: z.int() }),
  unreadable: 'none',
});

/** Makes the transaction depend on the fence: throws, or the commit is tried again, where the lease is another one by now. */
export async function assertFence(transaction: Transaction, { shard, holder, epoch }: Fence): Promise<void> {
  if (shard === '') return;
  const newest = await transaction.read(fences, shard);
  if (newest?.holder !== holder || newest.epoch !== epoch)
    throw new StoreError('another process holds the lease of this shard by now');
}

type Leases = Readonly<Record<string, Pick<Fence, 'holder' | 'epoch'>>>;

/** Goes with each change of leases, in one commit. */
export function writeFences(transaction: Transaction, before: Leases, after: Leases): void {
  for (const shard of Object.keys({ ...before, ...after })) {
    const lease = after[shard];
    if (lease?.epoch === before[shard]?.epoch && lease?.holder === before[shard]?.holder) continue;
    const fence = lease === undefined ? null : { holder: lease.holder, epoch: lease.epoch };
    transaction.write(fences, shard, fence);
  }
}
