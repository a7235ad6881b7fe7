import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock as clock } from '../../src/base/clock.ts';
import { StoreError } from '../../src/base/errors.ts';
import { createLog } from '../../src/base/log.ts';
import { openHiddenDrivers } from '../../src/people/hidden-drivers.ts';
import { createLinks } from '../../src/people/links.ts';
import { openSqliteStores } from '../../src/store/sqlite/open.ts';

test('a start does not continue before it knows who is hidden, even if the store is away for a moment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-hidden-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const logged: string[] = [];
  const log = createLog({ level: 'info', secrets: [], stream: { write: (line) => void logged.push(line) } });
  const opened = await openSqliteStores(join(folder, 'store.sqlite'), { clock, log }, '');
  await using resources = new AsyncDisposableStack();
  resources.defer(() => opened.close());
  let refusals = 2;
  const links = {
    ...createLinks(opened.documents),
    async linked() {
      refusals -= 1;
      if (refusals >= 0) throw new StoreError('the store is away');
      return [{ username: 'Mara', hidden: true, unwatched: false, since: 0, proved: null }];
    },
  };
  const drivers = { hidden: [], shown: [] };
  const hidden = await openHiddenDrivers(drivers, links, { clock, log, resources });
  expect(hidden.isHidden('mara')).toBe(true);
  expect(logged.map((line) => JSON.parse(line).level)).toEqual(['warn']);
});
