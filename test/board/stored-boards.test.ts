/** The boards in the store, over each kind of it. */

import { describe, expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { StoreError } from '../../src/base/errors.ts';
import { createStoredBoards } from '../../src/board/stored-boards.ts';
import {
  type BoardSettings,
  type BoardState,
  newBoardOptions,
  newBoardState,
} from '../../src/service/models/board.ts';
import { CLAIMS_KEY, claimsDocuments } from '../../src/shards/claims-document.ts';
import { type Fence, unfenced } from '../../src/shards/fence.ts';
import { createShards, type Shards } from '../../src/shards/shards.ts';
import { change } from '../../src/store/change.ts';
import type { Documents } from '../../src/store/documents.ts';
import { overEachStore } from '../store/over-each-store.ts';
import { allBoards } from './support/stage.ts';

const GUILD = '281474976710656001';

const board = (channelId: string, madeAt = 0): BoardSettings => ({
  guildId: GUILD,
  channelId,
  madeBy: '',
  locale: 'en',
  colours: true,
  madeAt,
  removed: false,
  options: newBoardOptions,
});
const posted = (id: string): BoardState => ({ ...newBoardState, posted: id });

/** A process that has the guild's shard. */
async function shardsOf(documents: Documents): Promise<{ readonly shards: Shards; readonly fence: Fence }> {
  const shards = createShards({
    ...{ documents, clock: systemClock, isAlone: false },
    gateway: async () => ({ shards: 4, concurrency: 4 }),
    setting: 'auto',
    driver: { connect: async () => {}, disconnect: async () => {} },
    processes: () => {},
    log: { info() {}, warn() {} },
  });
  await shards.claim.take();
  await shards.connect();
  return { shards, fence: shards.fenceOf(GUILD) ?? expect.fail('it has no claim') };
}

overEachStore((test) => {
  test('settings are changed by every process, states are of the boards that are there', async ({
    one,
    two,
  }) => {
    await one.boards.add(board('7'));
    await one.boards.add(board('8', 1));
    const state = { ...posted('99'), orphans: ['1', '2'] };
    await two.boards.saveState('7', state, unfenced);
    await two.boards.saveState('unknown', state, unfenced);
    const removed = { ...board('7'), removed: true };
    expect(await one.boards.change('7', (settings) => ({ ...settings, removed: true }))).toEqual(removed);
    expect(await one.boards.change('8', () => null)).toBeNull();
    expect(await one.boards.change('unknown', (settings) => settings)).toBeNull();
    expect(await allBoards(two.boards)).toEqual([
      { settings: removed, state },
      { settings: board('8', 1), state: newBoardState },
    ]);
    expect(await two.boards.stateOf('unknown')).toEqual(newBoardState);
    await one.boards.remove('7', unfenced);
    await one.boards.saveState('7', state, unfenced);
    expect([...(await two.boards.all()).keys()]).toEqual(['8']);
    // A new one in its place does not take over its message.
    await one.boards.add(board('7'));
    expect((await allBoards(two.boards)).map((each) => each.state)).toEqual([newBoardState, newBoardState]);
  });

  test('changes of a board by several processes at once are all made', async ({ one, two }) => {
    await one.boards.add({ ...board('7'), locale: '' });
    await Promise.all(
      [...'abcdef'].map((letter, index) =>
        (index % 2 === 0 ? one : two).boards.change('7', (settings) => ({
          ...settings,
          locale: settings.locale + letter,
        })),
      ),
    );
    expect([...((await two.boards.all()).get('7')?.locale ?? '')].toSorted()).toEqual([...'abcdef']);
  });

  describe('a board', () => {
    test('is written by the process with the lease of its shard, and by no other', async ({ one, two }) => {
      const { shards, fence } = await shardsOf(one.documents);
      await one.boards.add(board('7'));
      await two.boards.saveState('7', posted('1'), fence);
      const others: Fence[] = [{ number: fence.number - 1 }, { number: fence.number + 1 }];
      for (const other of others) {
        await expect(two.boards.saveState('7', posted('2'), other)).rejects.toThrow(StoreError);
        await expect(two.boards.remove('7', other)).rejects.toThrow(StoreError);
      }
      expect(await two.boards.stateOf('7')).toEqual(posted('1'));
      await shards.release(true);
      await expect(one.boards.saveState('7', posted('3'), fence)).rejects.toThrow(StoreError);
      expect(await two.boards.stateOf('7')).toEqual(posted('1'));
    });

    test('is not written by a process that stands still between its look at the lease and its write', async ({
      one,
      two,
    }) => {
      const { shards, fence } = await shardsOf(one.documents);
      await one.boards.add(board('7'));
      const [reached, continued] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const stoodStill = createStoredBoards({
        ...two.documents,
        async commit(...asked) {
          reached.resolve();
          await continued.promise;
          return two.documents.commit(...asked);
        },
      });
      const written = stoodStill.saveState('7', posted('1'), fence);
      await reached.promise;
      await shards.release(true);
      continued.resolve();
      await expect(written).rejects.toThrow(StoreError);
      expect(await one.boards.stateOf('7')).toEqual(newBoardState);
    });

    test('is written although the claims change all the time', async ({ one, two }) => {
      const { shards, fence } = await shardsOf(one.documents);
      await one.boards.add(board('7'));
      for (let count = 1; count <= 10; count += 1)
        await Promise.all([
          two.boards.saveState('7', posted(String(count)), fence),
          change(one.documents, async (transaction) => {
            const state = await transaction.read(claimsDocuments, CLAIMS_KEY);
            if (state === null) throw new Error('there is a claim');
            transaction.write(claimsDocuments, CLAIMS_KEY, { ...state, crashes: { count, at: count } });
          }),
        ]);
      expect(await one.boards.stateOf('7')).toEqual(posted('10'));
      await shards.release(true);
    });
  });

  test('2500 boards are found, once each and the oldest first', async ({ one, two }) => {
    const ids = Array.from({ length: 2500 }, (_, index) => String(100 + index));
    const written = ids.toReversed().map((id) => ({
      collection: 'boards',
      key: id,
      text: JSON.stringify(board(id, Number(id))),
    }));
    expect(await one.documents.commit([], written)).toBe(true);
    expect([...(await two.boards.all()).keys()]).toEqual(ids);
  });

  test('an unreadable state is a new one; unreadable settings are reported and left alone', async ({
    one,
    two,
  }) => {
    await one.boards.add(board('7'));
    await one.boards.saveState('7', posted('99'), unfenced);
    await one.boards.add(board('8'));
    const damage = (collection: string, key: string) => ({ collection, key, text: '{"posted"' });
    await one.documents.commit([], [damage('board-states', '7'), damage('boards', '8')]);
    const unreadable: string[] = [];
    const boards = createStoredBoards(two.documents, (channelId) => unreadable.push(channelId));
    expect(await allBoards(boards)).toEqual([{ settings: board('7'), state: newBoardState }]);
    expect(unreadable).toEqual(['8']);
    expect((await two.documents.all('boards')).size).toBe(2);
  });

  test('an unreadable choice is as without one, and takes no other with it', async ({ one }) => {
    const stored = { ...board('7'), options: { members: 'some', servers: ['x'.repeat(41)], names: 'off' } };
    await one.documents.commit([], [{ collection: 'boards', key: '7', text: JSON.stringify(stored) }]);
    const options = { ...newBoardOptions, names: 'off' };
    expect((await one.boards.all()).get('7')).toEqual({ ...board('7'), options });
  });
});
