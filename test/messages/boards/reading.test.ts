/** When the boards in the store are read. */

import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import type { BoardSettings } from '../../../src/cards/board/board.ts';
import { type BoardFixture, CHANNEL, createBoardFixture, type Sabotage } from './support/board-fixture.ts';

/** A process with a board. `reads`: how often it has read all settings since, and `states` how often one state. */
async function withBoard(sabotage: Sabotage = {}) {
  const fixture = createBoardFixture(1);
  const found = { reads: 0, states: 0 };
  const { all, read } = fixture.boardStore;
  fixture.boardStore.all = (collection) => {
    if (collection === 'boards') found.reads += 1;
    return all(collection);
  };
  fixture.boardStore.read = (collection, key) => {
    if (collection === 'board-states') found.states += 1;
    return read(collection, key);
  };
  await fixture.withBoard(sabotage);
  found.reads = 0;
  found.states = 0;
  return { fixture, found };
}

/** As another process would. */
async function change({ store }: BoardFixture, changes: Partial<BoardSettings>): Promise<void> {
  expect(await store.change(CHANNEL, (settings) => ({ ...settings, ...changes }))).not.toBeNull();
}

const isGone = ({ chat }: BoardFixture): boolean => chat.alive(CHANNEL).length === 0;

test('what has not changed is not read again, however often the board is edited', async () => {
  const { fixture, found } = await withBoard();
  for (fixture.world.version = 2; fixture.world.version < 10; fixture.world.version += 1) {
    await fixture.time.pass(20 * SECOND);
    expect(fixture.version()).toBe(fixture.world.version);
  }
  expect(found).toEqual({ reads: 0, states: 0 });
});

test('changes by another process are read within five seconds, once', async () => {
  const { fixture, found } = await withBoard();
  const before = fixture.text();
  await change(fixture, { locale: 'de' });
  await fixture.time.pass(20 * SECOND);
  expect(fixture.text()).not.toBe(before);
  expect(found).toEqual({ reads: 1, states: 0 });
  await change(fixture, { removed: true });
  await fixture.time.pass(6 * SECOND);
  expect(isGone(fixture)).toBe(true);
});

test('a board rests while its process may not act, and goes on within five seconds', async () => {
  let mayAct = true;
  const { fixture, found } = await withBoard({
    shards: (shards) => ({ ...shards, mayAct: (guildId) => mayAct && shards.mayAct(guildId) }),
  });
  mayAct = false;
  await fixture.time.pass(10 * SECOND);
  fixture.world.version = 2;
  await fixture.time.pass(MINUTE);
  expect(fixture.version()).toBe(1);
  expect(found).toEqual({ reads: 0, states: 0 });
  mayAct = true;
  await fixture.time.pass(6 * SECOND);
  expect(fixture.version()).toBe(2);
  expect(found).toEqual({ reads: 0, states: 0 });
});
