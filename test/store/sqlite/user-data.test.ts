import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { newWatchState } from '../../../src/alerts/observe.ts';
import { forgetting } from '../../../src/bot/states.ts';
import { newBoardOptions, newBoardState } from '../../../src/service/models/board.ts';
import { newWatchId, type Watch } from '../../../src/service/models/watch.ts';
import { unfenced } from '../../../src/shards/fence.ts';
import { forgetPerson } from '../../../src/store/forget.ts';
import { noStoredData } from '../../support/stored-data.ts';
import { channelWatch, directWatch } from '../../support/watches.ts';
import { test } from './support.ts';

const DAY = 24 * 3600_000;
const NOON = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

const link = (username: string) => ({ username, since: NOON });
const own = (username: string) =>
  ({ username, since: NOON, by: 'self', hidden: false, unwatched: false, proved: null }) as const;
const watching = (watch: Watch) => ({ watch, state: newWatchState });
const board = (channelId: string, madeBy: string) => ({
  guildId: '1',
  channelId,
  madeBy,
  locale: 'de',
  colours: true,
  madeAt: NOON,
  removed: false,
  options: newBoardOptions,
});

describe('what is stored of a person', () => {
  test('is gone to the last byte once it is forgotten, from the copies too, and nobody else is touched', async ({
    place,
  }) => {
    const stores = await place.open();
    const answers = stores.namespace('answers', { maxRows: 50, maxBytes: 10_000_000 });
    await stores.boards.add(board('7', ANNA));
    await stores.boards.add(board('8', BORIS));
    // A row that grows moves within its page, and what it was stays in the gap.
    for (const length of [100, 200, 300])
      await stores.boards.saveState('7', { ...newBoardState, orphans: ['x'.repeat(length)] }, unfenced);
    // Rows come, go and move between pages, so that what is to be forgotten has been in many places.
    for (let round = 0; round < 5; round += 1) {
      for (let index = 0; index < 200; index += 1) {
        await stores.links.set(`${index}`, link(`${'driver'.repeat(index % 9)} ${round} ${index}`));
        if (index % 20 === 7) {
          const condition = { kind: 'driver', player: `${round} ${index}` } as const;
          await stores.watches.add(watching(directWatch(newWatchId(), { person: ANNA, condition })));
          await stores.watches.add(watching(channelWatch(newWatchId(), { person: ANNA, condition })));
          await stores.links.set(ANNA, link(`k3nny ${round} ${index}`));
        }
        await stores.timeZones.set(index % 20 === 7 ? ANNA : `${index}`, 'Europe/Berlin');
        await answers.set(`${index}`, 'x'.repeat(index * 20));
      }
      for (let index = 0; index < 200; index += 3) await stores.links.remove(`${index}`);
      await stores.copies?.make(NOON + round * DAY);
    }
    await stores.links.set(BORIS, link('b0ris'));
    await stores.links.correct(ANNA, { guild: '1', username: 'corrected', since: NOON });
    await stores.copies?.make(NOON + 6 * DAY);
    writeFileSync(join(place.folder, 'store.unfinished.sqlite'), `what a killed process left, ${ANNA} too`);
    expect(place.holding(ANNA).length).toBeGreaterThan(7);

    await stores.forgetPerson(ANNA);
    expect(place.holding(ANNA)).toEqual([]);
    expect(await stores.stored(ANNA)).toEqual(noStoredData);
    expect(await stores.links.of(BORIS)).toEqual(own('b0ris'));
    expect((await stores.stored(BORIS)).boards).toHaveLength(1);
    expect(await stores.links.of('199')).not.toBeNull();
    expect(await answers.get('199')).toHaveLength(199 * 20);
    expect(place.holding(BORIS).length).toBeGreaterThan(1);
    await stores.close();
    expect(place.holding(ANNA)).toEqual([]);
  });

  test('is gone with the next start where a process was killed before the files were cleaned', async ({
    place,
  }) => {
    const killed = await place.open();
    await killed.links.set(ANNA, link('k3nny'));
    const scrub = () => Promise.reject(new Error('killed'));
    await expect(forgetPerson({ ...killed.documents, scrub }, forgetting, ANNA)).rejects.toThrow('killed');
    // The files as they are at that moment.
    const left = join(place.folder, 'left');
    for (const name of ['store.sqlite', 'store.sqlite-wal', 'store.history.sqlite'])
      cpSync(join(place.folder, name), join(left, name));
    const holding = () => readdirSync(left).filter((name) => readFileSync(join(left, name)).includes(ANNA));
    expect(holding()).toContain('store.sqlite-wal');
    await place.open(join(left, 'store.sqlite'));
    expect(holding()).toEqual([]);
  });

  test('is forgotten in the file and in every good copy, whatever else is named like one', async ({
    place,
  }) => {
    const stores = await place.open();
    await stores.links.set(ANNA, link('k3nny'));
    await stores.copies?.make(NOON);
    await stores.copies?.make(NOON + 3 * DAY);
    mkdirSync(join(place.folder, 'store.2026-03-04.sqlite', 'inside'), { recursive: true });
    writeFileSync(join(place.folder, 'store.2026-03-06.sqlite'), `no database, but of ${ANNA}`.padEnd(4096));
    mkdirSync(join(place.folder, 'store.unfinished.sqlite'));
    const left = ['store.unfinished.sqlite', 'store.2026-03-04.sqlite', 'store.2026-03-06.sqlite'];

    expect(await stores.forgetPerson(ANNA)).toEqual(left);
    const files = readdirSync(place.folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const holding = files.filter(({ name }) => readFileSync(join(place.folder, name)).includes(ANNA));
    expect(holding.map(({ name }) => name)).toEqual(['store.2026-03-06.sqlite']);
    for (const name of left) expect(place.logged.join('')).toContain(name);
    expect(place.logged.join('')).not.toContain(ANNA);
    // And again, for ever.
    expect(await stores.forgetPerson(ANNA)).toEqual(left);
    // The folder is no copy that would be in the way of the next ones.
    rmSync(join(place.folder, 'store.unfinished.sqlite'), { recursive: true });
    for (let day = 10; day < 20; day += 1) expect(await stores.copies?.make(NOON + day * DAY)).toBe(true);
  });

  test('is forgotten while a copy is being made', async ({ place }) => {
    const stores = await place.open();
    await stores.links.set(ANNA, link('k3nny'));
    const made = stores.copies?.make(NOON);
    await stores.forgetPerson(ANNA);
    await made;
    expect(place.holding(ANNA)).toEqual([]);
    const databases = place.holding('SQLite format 3').filter((name) => name.endsWith('.sqlite'));
    // The file, its copy, and its history.
    expect(databases.length).toBe(3);
  });

  test('is deleted in its turn: what is written meanwhile waits, and is not refused', async ({ place }) => {
    const { history } = await place.open();
    const order: string[] = [];
    const text = 'x'.repeat(1000);
    const write = (key: string) => history.write([{ kind: 'counts', key, start: 0, text }]);
    await write('one');
    await Promise.all([
      history.scrub().then(() => order.push('deleted')),
      write('two').then(() => order.push('written')),
    ]);
    expect(order).toEqual(['deleted', 'written']);
  });
});
