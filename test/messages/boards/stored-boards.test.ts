/** The boards in the store, over each kind of it. */

import { expect } from 'vitest';
import {
  type BoardSettings,
  type BoardState,
  newBoardOptions,
  newBoardState,
} from '../../../src/cards/board/board.ts';
import { createStoredBoards } from '../../../src/messages/boards/stored-boards.ts';
import { overFile } from '../../store/over-each-store.ts';
import { allBoards } from './support/boards-in-memory.ts';

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

overFile((test) => {
  test('settings are changed by every process, states are of the boards that are there', async ({
    one,
    two,
  }) => {
    await one.boards.add(board('7'));
    await one.boards.add(board('8', 1));
    const state = { ...posted('99'), orphans: ['1', '2'] };
    await two.boards.saveState('7', state);
    await two.boards.saveState('unknown', state);
    const removed = { ...board('7'), removed: true };
    expect(await one.boards.change('7', (settings) => ({ ...settings, removed: true }))).toEqual(removed);
    expect(await one.boards.change('8', () => null)).toBeNull();
    expect(await one.boards.change('unknown', (settings) => settings)).toBeNull();
    expect(await allBoards(two.boards)).toEqual([
      { settings: removed, state },
      { settings: board('8', 1), state: newBoardState },
    ]);
    expect(await two.boards.stateOf('unknown')).toEqual(newBoardState);
    await one.boards.remove('7');
    await one.boards.saveState('7', state);
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

  test('an unreadable state is a new one; unreadable settings are reported and kept', async ({
    one,
    two,
  }) => {
    await one.boards.add(board('7'));
    await one.boards.saveState('7', posted('99'));
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
