/** What an end comes to at the next start: in order, because of an error, or since Discord has thrown the process out. */
import { expect, test } from 'vitest';
import { SECOND } from '../../src/base/duration.ts';
import { createLog } from '../../src/base/log.ts';
import { clusterStates } from '../../src/shards/cluster-state.ts';
import { openCluster } from '../../src/shards/open-cluster.ts';
import { readAll } from '../../src/store/collection.ts';
import { VirtualTime } from '../sim/virtual-time.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';
import { createDriver } from './support/cluster-stage.ts';

test.each([
  [
    'that is running ends in order',
    (running: (lost: Promise<unknown>) => void) => running(new Promise(() => {})),
    0,
  ],
  ['that Discord has thrown out counts as a failed start', (running) => running(Promise.resolve()), 1],
  ['that ends with an error before it runs counts as one', () => {}, 1],
] as const satisfies readonly (readonly [
  string,
  (running: (lost: Promise<unknown>) => void) => void,
  number,
])[])('a process %s', async (_what, begin, failed) => {
  const time = new VirtualTime(Date.UTC(2026, 2, 5, 12));
  const { clock } = time;
  const documents = documentsInMemory(clock.now);
  const resources = new AsyncDisposableStack();
  const { cluster, running } = openCluster(
    {
      documents,
      claims: { claim: async () => true, release: async () => {} },
      setting: { kind: 'fixed', shards: [{ id: 0, count: 1 }] },
      isAlone: true,
      connectionWith: (queue) => ({
        ...createDriver({ ...{ up: new Set(), clock, queue }, isFailing: () => false, identified: () => {} }),
        gateway: async () => ({ shards: 1, concurrency: 1, remaining: 1000, resetIn: 1000 }),
        sharedBy() {},
        close: async () => {},
      }),
    },
    { clock, resources, log: createLog({ level: 'silent', secrets: [] }) },
  );
  await time.until(cluster.join());
  begin(running);
  await time.pass(SECOND);
  await time.until(resources.disposeAsync());
  const [state] = (await readAll(documents, clusterStates)).values();
  expect(state?.failed).toBe(failed);
});
