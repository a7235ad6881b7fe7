/** What of the file goes wrong without stopping the bot. */
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import { createForgetDriver } from '../../../src/community/history/forget-driver.ts';
import { probeStore } from '../../../src/store/probe.ts';
import { storeFindings } from '../../../src/tools/doctor/examine.ts';
import { mayMount } from '../../support/requirements.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { historyMark, markHistory } from '../support.ts';
import { type TestFile, test } from './support.ts';

async function findings(file: string) {
  const { facts, close } = await probeStore({ kind: 'sqlite', file });
  close();
  return storeFindings(facts);
}

describe('a history that cannot be used', () => {
  const history = ({ folder }: TestFile): string => join(folder, 'store.history.sqlite');
  const damage = (place: TestFile): void => writeFileSync(history(place), 'no database '.repeat(1000));
  const newer = (place: TestFile): void => {
    using database = new DatabaseSync(history(place));
    database.exec('PRAGMA user_version = 99');
  };

  test.for([
    ['damaged', damage, /is damaged or not a database/],
    ['of a newer version', newer, /was written by a newer version/],
  ] as const)(
    '%s: the bot runs without it and says so, the doctor too',
    async ([, spoil, why], { place }) => {
      const before = await place.open();
      await markHistory(before.history, 'of then');
      await before.close();
      spoil(place);
      expect(await findings(place.file)).toEqual([
        expect.objectContaining({ verdict: 'ok' }),
        expect.objectContaining({ verdict: 'failed', says: expect.stringMatching(why) }),
      ]);

      const stores = await place.open();
      expect(stores.historyTrouble).toMatch(why);
      expect(place.logged.join()).toMatch(why);
      // Until the stop there is one, which takes nothing from what was kept.
      expect(await historyMark(stores.history)).toBeUndefined();
      await markHistory(stores.history, 'of now');
      expect(await historyMark(stores.history)).toBe('of now');
      await stores.close();

      rmSync(history(place));
      const anew = await place.open();
      expect(anew.historyTrouble).toBeNull();
      expect(await historyMark(anew.history)).toBeUndefined();
    },
  );

  test('is named to a person who is forgotten', async ({ place }) => {
    await (await place.open()).close();
    damage(place);
    const { history: store, historyCopies: copies } = await place.open();
    const unreached: string[] = [];
    const forget = createForgetDriver({
      ...{ store, copies, deleted() {} },
      unreached: (name) => unreached.push(name),
    });
    expect(await forget('ann')).toContain('store.history.sqlite');
    expect(unreached).toEqual(['store.history.sqlite']);
  });
});

describe('a file that takes nothing new', () => {
  test('is as good as any where nothing is wrong', async ({ place }) => {
    const { checkWrites } = await place.open();
    await expect(checkWrites()).resolves.toBeUndefined();
  });

  test.for([
    ['deleted', (file: string): void => rmSync(file)],
    [
      'replaced',
      (file: string): void => {
        cpSync(file, `${file}.other`);
        renameSync(`${file}.other`, file);
      },
    ],
  ] as const)('since it was %s says so', async ([, spoil], { place }) => {
    const { checkWrites } = await place.open();
    spoil(place.file);
    await expect(checkWrites()).rejects.toThrow(/was deleted or replaced; all that is stored since/);
  });

  test.runIf(mayMount)('since its disk is full says so, until space is free', async ({ place }) => {
    using disk = smallDisk(4);
    const { checkWrites, close } = await place.open(join(disk.path, 'store.sqlite'));
    await expect(checkWrites()).resolves.toBeUndefined();
    disk.fill();
    await expect(untilFull(checkWrites)).rejects.toThrow('the disk of the store is full');
    disk.free();
    await expect(checkWrites()).resolves.toBeUndefined();
    disk.fill();
    await expect(untilFull(checkWrites)).rejects.toThrow('the disk of the store is full');
    // It ends all the same.
    await close();
    disk.free();
    await (await place.open(join(disk.path, 'store.sqlite'))).close();
  });

  test('since it is locked by another program says so', async ({ place }) => {
    const { checkWrites } = await place.open();
    using other = new DatabaseSync(place.file);
    other.exec('BEGIN IMMEDIATE');
    await expect(checkWrites()).rejects.toThrow(/another program has locked/);
  });
});

/** The last block of a full disk has room for a few small writes. */
async function untilFull(write: () => Promise<void>): Promise<void> {
  for (let count = 0; count < 20; count += 1) await write();
}
