/** A process reads the boards of its own shards; of those of others it learns that something has changed. */

import { describe, expect, vi } from 'vitest';
import { createStoredBoards, storedSettings } from '../../src/board/stored-boards.ts';
import { type BoardSettings, newBoardOptions, newBoardState } from '../../src/service/models/board.ts';
import { servedBy } from '../../src/shards/shard.ts';
import type { Documents } from '../../src/store/documents.ts';
import { forgetPerson } from '../../src/store/forget.ts';
import { overEachStore } from '../store/over-each-store.ts';

const shardsOf = (count: number, ...ids: readonly number[]) => servedBy(ids.map((id) => ({ id, count })));
const OURS = shardsOf(4, 1, 3);

/** A guild of the shard with the same remainder. */
const guild = (number: number): string => String(BigInt(number) << 22n);
const board = (number: number, madeBy = '', madeAt = number): BoardSettings => ({
  guildId: guild(number),
  channelId: String(number),
  madeBy,
  locale: 'en',
  colours: true,
  madeAt,
  removed: false,
  options: newBoardOptions,
});

/** A process over the store, and what it has read of settings since it was last asked. */
function processOver(documents: Documents) {
  const all = vi.fn(documents.all);
  const read = vi.fn(documents.read);
  const boards = createStoredBoards({ ...documents, all, read });
  return {
    boards,
    reads() {
      const found = {
        all: all.mock.calls.length,
        one: read.mock.calls.flatMap(([collection, key]) => (collection === 'boards' ? [key] : [])),
      };
      all.mockClear();
      read.mockClear();
      return found;
    },
  };
}

/** Resolves some milliseconds after that time, of which commits have set the versions apart. */
const laterThan = (time: number) => vi.waitUntil(() => Date.now() > time + 5, { interval: 1 });

const keysOf = async (boards: Promise<ReadonlyMap<string, unknown>>) => [...(await boards).keys()];

overEachStore((test) => {
  test('finds the boards of the shards, oldest first, as one map until a change', async ({ one, two }) => {
    for (let number = 11; number > 0; number -= 1) await one.boards.add(board(number));
    const before = await two.boards.served(OURS);
    expect([...before.keys()]).toEqual(['1', '3', '5', '7', '9', '11']);
    await one.boards.saveState('7', { ...newBoardState, posted: '99' });
    await one.boards.change('7', (settings) => ({ ...settings }));
    await one.boards.change('8', (settings) => ({ ...settings, locale: 'de' }));
    expect(await two.boards.served(OURS)).toBe(before);
    await one.boards.change('7', (settings) => ({ ...settings, locale: 'de' }));
    expect((await two.boards.served(OURS)).get('7')).toEqual({ ...board(7), locale: 'de' });
    expect(before.get('7')).toEqual(board(7));
  });

  test('of what another process has changed its own are read, and no other', async ({ one, two }) => {
    for (let number = 1; number <= 8; number += 1) await one.boards.add(board(number));
    const { boards, reads } = processOver(two.documents);
    await boards.served(OURS);
    expect(reads()).toEqual({ all: 1, one: [] });
    await one.boards.add(board(10));
    await one.boards.change('2', (settings) => ({ ...settings, locale: 'de' }));
    await one.boards.remove('4');
    expect(await keysOf(boards.served(OURS))).toEqual(['1', '3', '5', '7']);
    expect(reads()).toEqual({ all: 0, one: [] });
    await one.boards.add(board(9, '', 0));
    await one.boards.change('5', (settings) => ({ ...settings, removed: true }));
    await one.boards.remove('3');
    const served = await boards.served(OURS);
    expect([...served.keys()]).toEqual(['9', '1', '5', '7']);
    expect(served.get('5')?.removed).toBe(true);
    expect(reads()).toEqual({ all: 0, one: ['9', '5', '3'] });
  });

  test('changes by several processes at once are all learned', async ({ one, two }) => {
    const { boards, reads } = processOver(two.documents);
    await one.boards.add(board(1));
    await boards.served(OURS);
    reads();
    const numbers = [3, 5, 7, 9, 11, 13];
    await Promise.all(numbers.map((number) => (number % 4 === 3 ? one : two).boards.add(board(number))));
    expect(await keysOf(boards.served(OURS))).toEqual(['1', ...numbers.map(String)]);
    expect(reads().all).toBe(0);
  });

  test('with other shards it has other boards, and nothing of those that it has given up', async ({
    one,
  }) => {
    for (let number = 1; number <= 9; number += 1) await one.boards.add(board(number));
    expect(await keysOf(one.boards.served(shardsOf(4, 2)))).toEqual(['2', '6']);
    expect(await keysOf(one.boards.served(shardsOf(4, 2, 0)))).toEqual(['2', '4', '6', '8']);
    // While the number of shards changes, it has some of both.
    expect(await keysOf(one.boards.served(shardsOf(4)))).toEqual([]);
    expect(await keysOf(one.boards.served(shardsOf(1, 0)))).toHaveLength(9);
  });

  describe('all are read again, and what they are by now is known,', () => {
    const cases: Readonly<Record<string, (documents: Documents) => Promise<void>>> = {
      'where a person was forgotten': async (documents) => forgetPerson(documents, [storedSettings], 'ANNA'),
      'where settings were written by a version that does not say which': async (documents) => {
        const text = JSON.stringify(board(1));
        await documents.commit([], [{ collection: 'boards', key: '1', text }]);
      },
      'where there were more changes than are kept': async (documents) => {
        const boards = createStoredBoards(documents);
        await boards.change('1', (settings) => ({ ...settings, madeBy: '' }));
        for (let number = 0; number < 100; number += 1) await boards.add(board(100 + 4 * number));
      },
    };

    /** Among usual changes: alone, as the last one, between two, as the first one. */
    const orders = [[], ['before'], ['before', 'after'], ['after']];
    const named = Object.entries(cases).flatMap(([what, write]) =>
      orders.map((usual) => ({ what, write, usual })),
    );

    test.for(named)('$what; usual changes: $usual', async ({ write, usual }, { one, two }) => {
      await one.boards.add(board(1, 'ANNA'));
      const { boards, reads } = processOver(two.documents);
      await boards.served(OURS);
      if (usual.includes('before')) await one.boards.add(board(5));
      await write(one.documents);
      if (usual.includes('after')) await one.boards.add(board(9));
      expect((await boards.served(OURS)).get('1')?.madeBy).toBe('');
      // Versions go by the clock: those that several commits in one millisecond have set apart are the same after it.
      await laterThan(Date.now());
      await one.boards.add(board(13));
      await boards.served(OURS);
      reads();
      // From then on the changes are known again.
      await one.boards.add(board(17));
      expect((await boards.served(OURS)).has('17')).toBe(true);
      expect(reads()).toEqual({ all: 0, one: ['17'] });
    });
  });

  test('a store that has lost its data has no boards, even if one was made since', async ({ one, two }) => {
    for (const number of [1, 3]) await one.boards.add(board(number));
    expect(await keysOf(two.boards.served(OURS))).toEqual(['1', '3']);
    const lost = ['boards', 'board-changes', 'versions'];
    for (const collection of lost) {
      const keys = [...(await one.documents.all(collection)).keys()];
      await one.documents.commit(
        [],
        keys.map((key) => ({ collection, key, text: null })),
      );
    }
    // Versions go by the clock.
    await laterThan(Date.now());
    await one.boards.add(board(5));
    expect(await keysOf(two.boards.served(OURS))).toEqual(['5']);
  });
});
