import { expect, test } from 'vitest';
import { newWatchState } from '../../../commands/alerts/models/observe.ts';
import { placeKey } from '../../../commands/alerts/models/watch.ts';
import { createWatches } from '../../../commands/alerts/models/watches.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { directWatch } from './support/watches.ts';

test('states are saved a few places at a time, so that no commit blocks for long', async () => {
  const documents = documentsInMemory();
  const commits: number[] = [];
  const watches = createWatches({
    ...documents,
    commit: (read, written) => {
      commits.push(written.length);
      return documents.commit(read, written);
    },
  });
  const all = Array.from({ length: 90 }, (_, index) =>
    directWatch((2_000_000_000 + index).toString(36), { person: `${index}` }),
  );
  for (const watch of all) await watches.add({ watch, state: newWatchState });
  commits.length = 0;
  const state = { ...newWatchState, at: 5 };
  await watches.saveStates(all.map((watch) => ({ watch, state })));
  expect(Math.max(...commits)).toBeLessThanOrEqual(25);
  const saved = await watches.statesAt(new Set(all.map(placeKey)));
  expect([...saved.values()].map(({ at }) => at)).toEqual(all.map(() => 5));
});
