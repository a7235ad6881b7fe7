/** When the boards in the store are read. */

import { expect, test } from 'vitest';
import type { BoardSettings } from '../../src/service/models/board.ts';
import { CHANNEL, createStage, type Sabotage, type Stage } from './support/stage.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A process with a board. `reads`: how often it has read all settings since, and `states` how often one state. */
async function withBoard(sabotage: Sabotage = {}) {
  const stage = createStage(1);
  const found = { reads: 0, states: 0 };
  const { all, read } = stage.boardStore;
  stage.boardStore.all = (collection) => {
    if (collection === 'boards') found.reads += 1;
    return all(collection);
  };
  stage.boardStore.read = (collection, key) => {
    if (collection === 'board-states') found.states += 1;
    return read(collection, key);
  };
  await stage.withBoard(sabotage);
  found.reads = 0;
  found.states = 0;
  return { stage, found };
}

/** As another process would. */
async function change({ store }: Stage, changes: Partial<BoardSettings>): Promise<void> {
  expect(await store.change(CHANNEL, (settings) => ({ ...settings, ...changes }))).not.toBeNull();
}

const isGone = ({ chat }: Stage): boolean => chat.alive(CHANNEL).length === 0;

test('what has not changed is not read again, however often the board is edited', async () => {
  const { stage, found } = await withBoard();
  for (stage.world.version = 2; stage.world.version < 10; stage.world.version += 1) {
    await stage.time.pass(20 * SECOND);
    expect(stage.version()).toBe(stage.world.version);
  }
  expect(found).toEqual({ reads: 0, states: 0 });
});

test('changes by another process are read within five seconds, without all settings', async () => {
  const { stage, found } = await withBoard();
  const before = stage.text();
  await change(stage, { locale: 'de' });
  await stage.time.pass(20 * SECOND);
  expect(stage.text()).not.toBe(before);
  expect(found).toEqual({ reads: 0, states: 0 });
  await change(stage, { removed: true });
  await stage.time.pass(6 * SECOND);
  expect(isGone(stage)).toBe(true);
});

test('a board whose shard this process holds again continues as it was left by others', async () => {
  let isHeld = true;
  const { stage, found } = await withBoard({
    shards: (shards) => ({ ...shards, holds: (guildId) => isHeld && shards.holds(guildId) }),
  });
  isHeld = false;
  await stage.time.pass(10 * SECOND);
  stage.world.version = 2;
  await stage.time.pass(MINUTE);
  expect(stage.version()).toBe(1);
  expect(found).toEqual({ reads: 0, states: 0 });
  isHeld = true;
  await stage.time.pass(20 * SECOND);
  expect(stage.version()).toBe(2);
  expect(found).toEqual({ reads: 0, states: 1 });
});
