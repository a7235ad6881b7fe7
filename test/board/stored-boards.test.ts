/** When the boards in the store are read. */
import { expect, test } from 'vitest';
import type { BoardRecords, BoardSettings } from '../../src/board/board-records.ts';
import { CHANNEL, createStage, type Sabotage, type Stage } from './support/stage.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A process with a board. `found.reads`: how often it has read them all since. */
async function withBoard(sabotage: Sabotage = {}) {
  const stage = createStage(1);
  const found = { reads: 0, version: async (records: BoardRecords) => records.version() };
  await stage.withBoard({
    records: (records) => ({
      ...records,
      version: () => found.version(records),
      async all() {
        found.reads += 1;
        return records.all();
      },
    }),
    ...sabotage,
  });
  found.reads = 0;
  return { stage, found };
}

/** As another process would. */
async function change({ store }: Stage, changes: Partial<BoardSettings>): Promise<void> {
  const [record] = await store.all();
  if (record !== undefined) await store.saveSettings({ ...record.settings, ...changes });
}

const isGone = ({ chat }: Stage): boolean => chat.alive(CHANNEL).length === 0;

test('what has not changed is not read again, however often the board is edited', async () => {
  const { stage, found } = await withBoard();
  for (stage.world.version = 2; stage.world.version < 10; stage.world.version += 1) {
    await stage.time.pass(20 * SECOND);
    expect(stage.version()).toBe(stage.world.version);
  }
  expect(found.reads).toBe(0);
});

test('what another process has changed is read once, within five seconds', async () => {
  const { stage, found } = await withBoard();
  const before = stage.text();
  await change(stage, { locale: 'de' });
  await stage.time.pass(20 * SECOND);
  expect(stage.text()).not.toBe(before);
  expect(found.reads).toBe(1);
  await change(stage, { removed: true });
  await stage.time.pass(6 * SECOND);
  expect(isGone(stage)).toBe(true);
});

test('what changed without a new version, as processes of an older version write, is read within five minutes', async () => {
  const { stage, found } = await withBoard();
  const version = await stage.store.version();
  found.version = async () => version;
  await change(stage, { removed: true });
  await stage.time.pass(MINUTE);
  expect(isGone(stage)).toBe(false);
  await stage.time.pass(5 * MINUTE);
  expect(isGone(stage)).toBe(true);
  expect(found.reads).toBeLessThan(3);
});

test('a board that is kept again is read again, as it was left by others', async () => {
  let keeps = true;
  const { stage, found } = await withBoard({
    leases: (keeping) => ({ ...keeping, holds: (guildId) => keeps && keeping.holds(guildId) }),
  });
  keeps = false;
  await stage.time.pass(10 * SECOND);
  stage.world.version = 2;
  await stage.time.pass(MINUTE);
  expect(stage.version()).toBe(1);
  expect(found.reads).toBe(0);
  keeps = true;
  await stage.time.pass(20 * SECOND);
  expect(stage.version()).toBe(2);
  expect(found.reads).toBe(1);
});
