import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { DAY, SECOND } from '../../../src/base/duration.ts';
import { StoreError } from '../../../src/base/errors.ts';
import { createLog } from '../../../src/base/log.ts';
import { openHiddenDrivers } from '../../../src/community/accounts/hidden-drivers.ts';
import { createLinks } from '../../../src/community/accounts/links.ts';
import { openSqliteStores } from '../../../src/store/sqlite/open.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { createManualClock } from '../../support/manual-clock.ts';

test('waits at the start until it knows who is hidden, even over a failing store', async () => {
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
      return [{ personId: '1', username: 'Mara', hidden: true, unwatched: false, since: 0, proved: null }];
    },
  };
  const drivers = { hidden: [], shown: [] };
  const hidden = await openHiddenDrivers(drivers, { links, hasPeers: false }, { clock, log, resources });
  expect(hidden.isHidden('mara')).toBe(true);
  expect(logged.map((line) => JSON.parse(line).level)).toEqual(['warn']);
});

test('learns within five seconds what another process hides, and stops at the end', async () => {
  const clock = createManualClock();
  const documents = documentsInMemory();
  const [ours, theirs] = [createLinks(documents), createLinks(documents)];
  let reads = 0;
  const links = {
    ...ours,
    linked: () => {
      reads += 1;
      return ours.linked();
    },
  };
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], stream: { write: (line) => lines.push(line) } });
  const resources = new AsyncDisposableStack();
  const drivers = { hidden: [], shown: [] };
  const hidden = await openHiddenDrivers(drivers, { links, hasPeers: true }, { clock, log, resources });
  await theirs.set('1', { username: 'Mara', since: -DAY });
  await theirs.setPrivacy('1', { hidden: true });
  clock.pass(5 * SECOND);
  await expect.poll(() => hidden.isHidden('mara')).toBe(true);
  links.linked = () => Promise.reject(new StoreError('the store is away'));
  clock.pass(5 * SECOND);
  await expect.poll(() => lines.length).toBe(1);
  expect(hidden.isHidden('mara')).toBe(true);
  await resources.disposeAsync();
  links.linked = ours.linked;
  const before = reads;
  clock.pass(10 * 60 * SECOND);
  expect(reads).toBe(before);
});
