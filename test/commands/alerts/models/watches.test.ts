import { expect, test } from 'vitest';
import { newWatchState } from '../../../../commands/alerts/models/observe.ts';
import { createWatches } from '../../../../commands/alerts/models/watches.ts';
import { documentsInMemory } from '../../../support/documents-in-memory.ts';
import { directWatch } from '../support/watches.ts';

test('ten thousand alerts fit in all, and another one as soon as one ends', async () => {
  const documents = documentsInMemory();
  const watchesOf = (person: string, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const condition = { kind: 'driver', player: `driver ${index}` } as const;
      return directWatch(`aaaa${String(index).padStart(2, '0')}`, { person, condition });
    });
  for (let person = 0; person < 500; person += 1) {
    const all = watchesOf(`${person}`, 20);
    const text = JSON.stringify(all);
    await documents.commit([], [{ collection: 'watches', key: `direct:${person}`, text }]);
  }
  const watches = createWatches(documents);
  const [first] = await watches.all();
  if (first === undefined) throw new Error('none are stored');
  expect(await watches.all()).toHaveLength(10_000);
  const another = { watch: directWatch('zzzzzz', { person: '999' }), state: newWatchState };
  expect(await watches.add(another)).toBe('full');
  await watches.remove(first);
  expect(await watches.add(another)).toBe('added');
});
