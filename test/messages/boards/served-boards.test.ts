/** A process runs the boards of its own guilds, whichever process changes them. */

import { expect, vi } from 'vitest';
import { type BoardSettings, newBoardOptions } from '../../../src/cards/board/board.ts';
import { storedSettings } from '../../../src/messages/boards/stored-boards.ts';
import { forgetPerson } from '../../../src/store/forget.ts';
import { shardOf } from '../../../src/store/shards/shard.ts';
import { overFile } from '../../store/over-each-store.ts';

const shardsOf =
  (count: number, ...ids: readonly number[]) =>
  (guildId: string) =>
    ids.includes(shardOf(guildId, count).id);
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

/** Resolves some milliseconds after that time, of which commits have set the versions apart. */
const laterThan = (time: number) => vi.waitUntil(() => Date.now() > time + 5, { interval: 1 });

const keysOf = async (boards: Promise<ReadonlyMap<string, unknown>>) => [...(await boards).keys()];

overFile((test) => {
  test('finds the boards of the shards, oldest first', async ({ one, two }) => {
    for (let number = 11; number > 0; number -= 1) await one.boards.add(board(number));
    const before = await two.boards.served(OURS);
    expect([...before.keys()]).toEqual(['1', '3', '5', '7', '9', '11']);
    await one.boards.change('7', (settings) => ({ ...settings, locale: 'de' }));
    const after = await two.boards.served(OURS);
    expect(after.get('7')).toEqual({ ...board(7), locale: 'de' });
    expect(before.get('7')).toEqual(board(7));
    expect(after.get('9')).toBe(before.get('9'));
  });

  test('learns what another process adds, changes and removes', async ({ one, two }) => {
    for (let number = 1; number <= 8; number += 1) await one.boards.add(board(number));
    expect(await keysOf(two.boards.served(OURS))).toEqual(['1', '3', '5', '7']);
    await one.boards.add(board(9, '', 0));
    await one.boards.change('5', (settings) => ({ ...settings, removed: true }));
    await one.boards.remove('3');
    const served = await two.boards.served(OURS);
    expect([...served.keys()]).toEqual(['9', '1', '5', '7']);
    expect(served.get('5')?.removed).toBe(true);
  });

  test('changes by several processes at once are all learned', async ({ one, two }) => {
    await one.boards.add(board(1));
    await two.boards.served(OURS);
    const numbers = [3, 5, 7, 9, 11, 13];
    await Promise.all(numbers.map((number) => (number % 4 === 3 ? one : two).boards.add(board(number))));
    expect(await keysOf(two.boards.served(OURS))).toEqual(['1', ...numbers.map(String)]);
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

  test('learns that a person was forgotten', async ({ one, two }) => {
    const anna = '281474976710657001';
    await one.boards.add(board(1, anna));
    await two.boards.served(OURS);
    await forgetPerson(one.documents, [storedSettings], anna);
    expect((await two.boards.served(OURS)).get('1')?.madeBy).toBe('');
  });

  test('a store that has lost its data has no boards, even if one was made since', async ({ one, two }) => {
    for (const number of [1, 3]) await one.boards.add(board(number));
    expect(await keysOf(two.boards.served(OURS))).toEqual(['1', '3']);
    const lost = ['boards', 'versions'];
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
